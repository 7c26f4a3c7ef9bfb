// The vocabulary of dates: names of months and weekdays, the patterns that find them, and their numbers. Everything is UTC.

export const DAY_MS = 86_400_000;
export const HOUR_MS = 3_600_000;

export const startOfHour = (at: number): number => at - (at % HOUR_MS);

export const MONTHS: readonly string[] =
  'January February March April May June July August September October November December'.split(' ');
export const WEEKDAYS: readonly string[] = 'Sunday Monday Tuesday Wednesday Thursday Friday Saturday'.split(
  ' ',
);

/** A month's full name or its abbreviation, and nothing longer: "mar", not "market". */
export const MONTH =
  '(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)';

export const WEEKDAY =
  '(?:sun(?:day)?|mon(?:day)?|tue(?:s(?:day)?)?|wed(?:nes(?:day)?)?|thu(?:r(?:s(?:day)?)?)?|fri(?:day)?|sat(?:ur(?:day)?)?)';

/** "may" and "mar" are words as well: they count as months only with their capital. */
export const CAPITALISED_MONTH =
  '(?:[Jj]an(?:uary)?|[Ff]eb(?:ruary)?|Mar(?:ch)?|[Aa]pr(?:il)?|May|[Jj]une?|[Jj]uly?|[Aa]ug(?:ust)?|[Ss]ept?(?:ember)?|[Oo]ct(?:ober)?|[Nn]ov(?:ember)?|[Dd]ec(?:ember)?)';

/** A weekday written out: "sat" and "sun" are words as well. */
export const FULL_WEEKDAY = '(?:Sun|Mon|Tues|Wednes|Thurs|Fri|Satur)day';

/** Named groups of a date, for `startOfDate`. */
export const DAY_NUMBER = String.raw`(?<day>\d{1,2})(?:st|nd|rd|th)?`;
export const YEAR = String.raw`(?<year>\d{4})`;
export const MONTH_NAME = String.raw`(?<month>${MONTH})\.?`;

const indexOf = (names: readonly string[], name: string): number => {
  const start = name.slice(0, 3).toLowerCase();
  return names.findIndex((full) => full.toLowerCase().startsWith(start));
};

/** The index of a match of `MONTH`; 0 is January. */
export const monthIndex = (name: string): number => indexOf(MONTHS, name);
/** The index of a match of `WEEKDAY`; 0 is Sunday. */
export const weekdayIndex = (name: string): number => indexOf(WEEKDAYS, name);

/** The start of a day, or null if the calendar has no such day. */
export const dayStart = (year: number, month: number, day: number): number | null => {
  const ms = Date.UTC(year, month, day);
  const date = new Date(ms);
  const exists = date.getUTCFullYear() === year && date.getUTCMonth() === month && date.getUTCDate() === day;
  return exists ? ms : null;
};

const monthNumber = (month: string): number => (/^\d/.test(month) ? Number(month) - 1 : monthIndex(month));

/** The start of the day, or of the month, that the groups of a match name. */
export const startOfDate = ({
  year = '',
  month = '',
  day = '1',
}: Readonly<Record<string, string | undefined>>): number | null =>
  dayStart(Number(year), monthNumber(month), Number(day));
