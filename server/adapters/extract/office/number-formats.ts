// The number formats of a spreadsheet: dates and percentages are stored as numbers.

export type NumberFormat = 'date' | 'percent' | 'plain';

const BUILTIN_DATES = new Set([
  14, 15, 16, 17, 18, 19, 20, 21, 22, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 45, 46, 47, 50, 51, 52, 53, 54,
  55, 56, 57, 58,
]);
const BUILTIN_PERCENTS = new Set([9, 10]);
const DAY_MS = 86_400_000;
/** The days from the first day of a spreadsheet to 1970. */
const EPOCH_1904 = 24_107;
const EPOCH_1900 = 25_569;
/** Spreadsheets treat 1900 as a leap year. */
const BEFORE_MARCH_1900 = 60;
const DIGITS = 15;
/** Programs allow 255 characters; the patterns below take long for a very long one. */
const LONGEST_CODE = 1_000;

/** `code`: a format that the file defines; it wins over the number. */
export const numberFormat = (number: number, code: string | undefined): NumberFormat => {
  if (code === undefined) {
    if (BUILTIN_DATES.has(number)) return 'date';
    return BUILTIN_PERCENTS.has(number) ? 'percent' : 'plain';
  }
  const bare = code.slice(0, LONGEST_CODE).replace(/"[^"]*"|\\.|\[[^\]]*\]/g, '');
  if (/[ymdhs]/i.test(bare) && !/general/i.test(bare)) return 'date';
  return bare.includes('%') ? 'percent' : 'plain';
};

export const formatNumber = (stored: string, format: NumberFormat, from1904: boolean): string => {
  const value = stored.trim() === '' ? Number.NaN : Number(stored);
  if (!Number.isFinite(value)) return stored;
  if (format === 'date') return formatDate(value, from1904);
  if (format === 'percent') return `${Number((value * 100).toFixed(4))}%`;
  return String(Number(value.toPrecision(DIGITS)));
};

const formatDate = (days: number, from1904: boolean): string => {
  if (days >= 0 && days < 1) return isoTimestamp(days * DAY_MS)?.slice(11, 19) ?? String(days);
  const epoch = from1904 ? EPOCH_1904 : days < BEFORE_MARCH_1900 ? EPOCH_1900 - 1 : EPOCH_1900;
  const iso = isoTimestamp((days - epoch) * DAY_MS);
  if (iso === null) return String(days);
  return iso.endsWith('T00:00:00.000Z') ? iso.slice(0, 10) : iso.slice(0, 19).replace('T', ' ');
};

const isoTimestamp = (ms: number): string | null => {
  const date = new Date(Math.round(ms));
  return Number.isNaN(date.getTime()) ? null : date.toISOString();
};
