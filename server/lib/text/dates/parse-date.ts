// Parses a text that is only a date, in the forms of headers, metadata and chats. Everything is UTC.
import { DAY_NUMBER, MONTH_NAME, startOfDate, WEEKDAY, YEAR } from './calendar.ts';

const LONGEST_DATE = 80;
const TIME_PARTS =
  /^(?<hour>\d{1,2})(?::(?<minute>\d{2})(?::(?<second>\d{2})(?:[.,](?<fraction>\d{1,9}))?)?)?\s?(?<half>am|pm|a\.m\.|p\.m\.)?\s?(?:(?:z|utc|gmt)?(?<zone>[+-](?:0\d|1[0-4]):?[0-5]\d)|z|utc|gmt)?(?:\s\([\p{L} ]{1,40}\))?$/u;
const LEADING_TIME = /^(?<time>\d{1,2}(?::\d{2}){0,2}\s?(?:[ap]m)?)(?:\son\s|,\s)(?<date>.+)$/;

const WEEKDAY_BEFORE = String.raw`(?:${WEEKDAY},?\s)?`;
const TIME_AFTER = String.raw`(?:,?\s(?:at\s)?(?<time>.+))?`;
const WHOLE_DATES = [
  /^(?<year>\d{4})(?<mark>[-/.])(?<month>\d{1,2})\k<mark>(?<day>\d{1,2})(?:\s\([a-z]{3,9}\))?(?:[t\s]\s?(?<time>.+))?$/,
  new RegExp(
    String.raw`^${WEEKDAY_BEFORE}${DAY_NUMBER}[-\s](?:of\s)?${MONTH_NAME},?[-\s]${YEAR}${TIME_AFTER}$`,
  ),
  new RegExp(String.raw`^${WEEKDAY_BEFORE}${MONTH_NAME}[-\s]${DAY_NUMBER},?[-\s]${YEAR}${TIME_AFTER}$`),
];

/** 0–23, or null if a 12-hour or 24-hour clock has no such hour. */
const hourOf = (hour: number, half: string | undefined): number | null => {
  if (half === undefined) return hour < 24 ? hour : null;
  if (hour < 1 || hour > 12) return null;
  return (hour % 12) + (half.startsWith('p') ? 12 : 0);
};

const zoneMinutes = (zone: string): number => {
  const minutes = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(-2));
  return zone.startsWith('-') ? -minutes : minutes;
};

/** Milliseconds from the start of the day, in UTC; null if the text is not a time of day. */
const timeOfDay = (text: string): number | null => {
  const parts = TIME_PARTS.exec(text)?.groups;
  if (!parts || (parts.minute === undefined && parts.half === undefined)) return null;
  const { minute = '0', second = '0', fraction = '0', half, zone } = parts;
  const hour = hourOf(Number(parts.hour), half);
  if (hour === null || Number(minute) > 59 || Number(second) > 59) return null;
  const seconds = (hour * 60 + Number(minute)) * 60 + Number(second);
  const offset = zone === undefined ? 0 : zoneMinutes(zone) * 60_000;
  return seconds * 1000 + Number(fraction.padEnd(3, '0').slice(0, 3)) - offset;
};

const dateWithTime = (text: string, time: string | undefined): number | null => {
  for (const pattern of WHOLE_DATES) {
    const found = pattern.exec(text)?.groups;
    if (!found) continue;
    if (time !== undefined && found.time !== undefined) return null;
    const start = startOfDate(found);
    const clock = time ?? found.time;
    const sinceStart = clock === undefined ? 0 : timeOfDay(clock);
    return start === null || sinceStart === null ? null : start + sinceStart;
  }
  return null;
};

/**
 * The date that the whole text consists of (ISO 8601, "8 May 2023", "1:56 pm on 8 May, 2023", "2023/05/20 (Sat) 02:21",
 * "March-03-2024", RFC 2822), in milliseconds; UTC if it names no zone. Null for anything else: a bare number or
 * "05/08/2023" could mean several days and is not guessed.
 */
export const parseDate = (text: string): number | null => {
  const plain = text.length > LONGEST_DATE ? '' : text.trim().toLowerCase().replace(/\s+/g, ' ');
  const leading = LEADING_TIME.exec(plain)?.groups;
  return dateWithTime(leading?.date ?? plain, leading?.time?.trim());
};
