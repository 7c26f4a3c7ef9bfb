// How a spreadsheet shows its numbers: dates and percentages are numbers with a format.

export type NumberFormat = 'date' | 'percent' | 'plain';

const BUILTIN_DATES = new Set([
  14, 15, 16, 17, 18, 19, 20, 21, 22, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 45, 46, 47, 50, 51, 52, 53, 54,
  55, 56, 57, 58,
]);
const BUILTIN_PERCENTS = new Set([9, 10]);
const DAY_MS = 86_400_000;
/** The days between the year zero of a spreadsheet and 1970. */
const EPOCH_1904 = 24_107;
const EPOCH_1900 = 25_569;
/** A spreadsheet believes that 1900 was a leap year. */
const BEFORE_MARCH_1900 = 60;
const DIGITS = 15;

/** `code`: a format of the file's own, which says more than its number. */
export function formatOf(number: number, code: string | undefined): NumberFormat {
  if (code === undefined) {
    if (BUILTIN_DATES.has(number)) return 'date';
    return BUILTIN_PERCENTS.has(number) ? 'percent' : 'plain';
  }
  const bare = code.replace(/"[^"]*"|\\.|\[[^\]]*\]/g, '');
  if (/[ymdhs]/i.test(bare) && !/general/i.test(bare)) return 'date';
  return bare.includes('%') ? 'percent' : 'plain';
}

export function formatNumber(given: string, format: NumberFormat, from1904: boolean): string {
  const value = given.trim() === '' ? Number.NaN : Number(given);
  if (!Number.isFinite(value)) return given;
  if (format === 'date') return formatDate(value, from1904);
  if (format === 'percent') return `${Number((value * 100).toFixed(4))}%`;
  return String(Number(value.toPrecision(DIGITS)));
}

function formatDate(days: number, from1904: boolean): string {
  if (days >= 0 && days < 1) return isoOf(days * DAY_MS)?.slice(11, 19) ?? String(days);
  const epoch = from1904 ? EPOCH_1904 : days < BEFORE_MARCH_1900 ? EPOCH_1900 - 1 : EPOCH_1900;
  const iso = isoOf((days - epoch) * DAY_MS);
  if (iso === null) return String(days);
  return iso.endsWith('T00:00:00.000Z') ? iso.slice(0, 10) : iso.slice(0, 19).replace('T', ' ');
}

function isoOf(ms: number): string | null {
  const date = new Date(Math.round(ms));
  return Number.isNaN(date.getTime()) ? null : date.toISOString();
}
