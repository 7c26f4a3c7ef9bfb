// Names of months and weekdays, as pattern sources and back to numbers. Everything is UTC.

export const DAY_MS = 86_400_000;

const MONTHS = 'January February March April May June July August September October November December'.split(
  ' ',
);
const WEEKDAYS = 'Sunday Monday Tuesday Wednesday Thursday Friday Saturday'.split(' ');

/** A whole month's name or its abbreviation and nothing longer: "mar", not "market". */
export const MONTH =
  '(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)';

export const WEEKDAY =
  '(?:sun(?:day)?|mon(?:day)?|tue(?:s(?:day)?)?|wed(?:nes(?:day)?)?|thu(?:r(?:s(?:day)?)?)?|fri(?:day)?|sat(?:ur(?:day)?)?)';

const indexOf = (names: readonly string[], name: string): number => {
  const start = name.slice(0, 3).toLowerCase();
  return names.findIndex((full) => full.toLowerCase().startsWith(start));
};

/** 0 for January, given what `MONTH` matched. */
export const monthIndex = (name: string): number => indexOf(MONTHS, name);
/** 0 for Sunday, given what `WEEKDAY` matched. */
export const weekdayIndex = (name: string): number => indexOf(WEEKDAYS, name);

/** The start of a day, or null when the calendar has no such day. */
export function dayStart(year: number, month: number, day: number): number | null {
  const ms = Date.UTC(year, month, day);
  const date = new Date(ms);
  const exists = date.getUTCFullYear() === year && date.getUTCMonth() === month && date.getUTCDate() === day;
  return exists ? ms : null;
}

/** "May 2023", `shift` months from the given moment. */
export function writtenMonth(ms: number, shift = 0): string {
  const given = new Date(ms);
  const date = new Date(Date.UTC(given.getUTCFullYear(), given.getUTCMonth() + shift));
  return `${MONTHS[date.getUTCMonth()]} ${date.getUTCFullYear()}`;
}

/** "7 May 2023". */
export const writtenDay = (ms: number): string => `${new Date(ms).getUTCDate()} ${writtenMonth(ms)}`;

export const weekdayName = (ms: number): string => WEEKDAYS[new Date(ms).getUTCDay()] ?? '';
