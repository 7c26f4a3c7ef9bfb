// Formats times as text: ISO 8601 for programs, "Sunday 7 May 2023" for people and for the index. Everything is UTC.
import { MONTHS, WEEKDAYS } from './calendar.ts';

/** The moments that ISO 8601 writes with a year of four digits. */
const EARLIEST = Date.parse('0000-01-01T00:00:00Z');
const LATEST = Date.parse('9999-12-31T23:59:59.999Z');

/** "2023-05-07T09:30:00.000Z". Texts may name any year; beyond four digits the last moment stands for all later ones. */
export const isoTime = (ms: number): string =>
  new Date(Math.min(LATEST, Math.max(EARLIEST, ms))).toISOString();

export const isoTimeOrNull = (ms: number | null): string | null => (ms === null ? null : isoTime(ms));

/** "May 2023", `shift` months from the given moment. */
export const writtenMonth = (ms: number, shift = 0): string => {
  const given = new Date(ms);
  const date = new Date(Date.UTC(given.getUTCFullYear(), given.getUTCMonth() + shift));
  return `${MONTHS[date.getUTCMonth()]} ${date.getUTCFullYear()}`;
};

/** "7 May 2023". */
export const writtenDay = (ms: number): string => `${new Date(ms).getUTCDate()} ${writtenMonth(ms)}`;

export const weekdayName = (ms: number): string => WEEKDAYS[new Date(ms).getUTCDay()] ?? '';

/** "Sunday 7 May 2023": the date of a session as it is indexed. */
export const writtenDate = (ms: number): string => `${weekdayName(ms)} ${writtenDay(ms)}`;
