// Dates in text: written out for indexing, found in questions, read from headers and metadata. Everything is UTC.
import {
  DAY_MS,
  dayStart,
  MONTH,
  monthIndex,
  WEEKDAY,
  weekdayIndex,
  weekdayName,
  writtenDay,
  writtenMonth,
} from './calendar.ts';

/** "Sunday 7 May 2023": a session's date as it is indexed. */
export const writtenDate = (ms: number): string => `${weekdayName(ms)} ${writtenDay(ms)}`;

// --- what "yesterday" means ----------------------------------------------------------------------

const NEAR_DAYS: Readonly<Record<string, number>> = {
  yesterday: -1,
  'last night': -1,
  today: 0,
  tonight: 0,
  'this morning': 0,
  tomorrow: 1,
};
const NUMBER_WORDS = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];

const RELATIVE = new RegExp(
  String.raw`\b(?:(?<near>${Object.keys(NEAR_DAYS).join('|').replaceAll(' ', String.raw`\s`)})` +
    String.raw`|(?<side>last|next)\s(?<span>week(?:end)?|month|year)` +
    String.raw`|(?<same>this\smonth)` +
    String.raw`|last\s(?<weekday>${WEEKDAY})` +
    String.raw`|(?<count>an?|${NUMBER_WORDS.join('|')}|\d{1,3})\s(?<unit>day|week|month|year)s?\sago)\b`,
  'gi',
);

function shifted(ms: number, unit: string, count: number): string {
  if (unit === 'year') return String(new Date(ms).getUTCFullYear() + count);
  if (unit === 'month') return writtenMonth(ms, count);
  return writtenDay(ms + count * (unit === 'day' ? 1 : 7) * DAY_MS);
}

function lastWeekday(ms: number, name: string): string {
  const daysBack = (new Date(ms).getUTCDay() - weekdayIndex(name) + 7) % 7 || 7;
  return shifted(ms, 'day', -daysBack);
}

function countOf(word: string): number {
  if (/^\d/.test(word)) return Number(word);
  return word.startsWith('a') ? 1 : NUMBER_WORDS.indexOf(word) + 1;
}

function resolve(found: Readonly<Record<string, string | undefined>>, ms: number): string {
  const { near, side, span, weekday, count, unit } = found;
  if (near) return shifted(ms, 'day', NEAR_DAYS[near.replace(/\s/, ' ')] ?? 0);
  if (side && span) return shifted(ms, span, side === 'last' ? -1 : 1);
  if (weekday) return lastWeekday(ms, weekday);
  if (count && unit) return shifted(ms, unit, -countOf(count));
  return writtenMonth(ms);
}

/** The dates that "yesterday", "last Friday", "two weeks ago" mean in a text written at `ms`; "" when it names none. */
export function resolveRelativeDates(text: string, ms: number): string {
  const resolved = new Set<string>();
  for (const match of text.matchAll(RELATIVE)) {
    const groups = Object.entries(match.groups ?? {}).map(([name, value]) => [name, value?.toLowerCase()]);
    resolved.add(resolve(Object.fromEntries(groups), ms));
  }
  return [...resolved].join(' ');
}

// --- what a question asks ------------------------------------------------------------------------

/** A stretch of time, `to` excluded. */
export interface DateRange {
  readonly from: number;
  readonly to: number;
}

/** People speak of a thing up to a week or so after it happened. */
const DAYS_AFTER_A_DAY = 7;
const DAYS_AFTER_A_MONTH = 10;

const DAY_NUMBER = String.raw`(?<day>\d{1,2})(?:st|nd|rd|th)?`;
const YEAR = String.raw`(?<year>\d{4})`;
const MONTH_NAME = String.raw`(?<month>${MONTH})\.?`;
const NAMED_DAYS = [
  new RegExp(String.raw`\b${MONTH_NAME}\s${DAY_NUMBER},?\s${YEAR}\b`, 'gi'),
  new RegExp(String.raw`\b${DAY_NUMBER}\s(?:of\s)?${MONTH_NAME},?\s${YEAR}\b`, 'gi'),
  /\b(?<year>\d{4})-(?<month>\d{2})-(?<day>\d{2})\b/g,
];
const NAMED_MONTH = new RegExp(String.raw`\b${MONTH_NAME},?\s(?:of\s)?${YEAR}\b`, 'gi');

const monthNumber = (month: string): number => (/^\d/.test(month) ? Number(month) - 1 : monthIndex(month));

function startOf({
  year = '',
  month = '',
  day = '1',
}: Readonly<Record<string, string | undefined>>): number | null {
  return dayStart(Number(year), monthNumber(month), Number(day));
}

const around = (start: number, end: number, daysAfter: number): DateRange => ({
  from: start - DAY_MS,
  to: end + daysAfter * DAY_MS,
});

function rangesOf(
  query: string,
  pattern: RegExp,
  daysAfter: number,
  endOf: (start: number) => number,
): DateRange[] {
  return [...query.matchAll(pattern)].flatMap((match) => {
    const start = startOf(match.groups ?? {});
    return start === null ? [] : [around(start, endOf(start), daysAfter)];
  });
}

const nextMonth = (start: number): number =>
  Date.UTC(new Date(start).getUTCFullYear(), new Date(start).getUTCMonth() + 1);

/** The days that a question names, or else the months, with the time in which people would speak of them. */
export function dateRanges(query: string): DateRange[] {
  const days = NAMED_DAYS.flatMap((pattern) =>
    rangesOf(query, pattern, DAYS_AFTER_A_DAY, (start) => start + DAY_MS),
  );
  return days.length > 0 ? days : rangesOf(query, NAMED_MONTH, DAYS_AFTER_A_MONTH, nextMonth);
}

export const inRanges = (ms: number, ranges: readonly DateRange[]): boolean =>
  ranges.some(({ from, to }) => ms >= from && ms < to);

const WHEN = /^\s*(?:when|how long|(?:what|which) (?:date|day|month|year))\b/i;

export const asksWhen = (query: string): boolean => WHEN.test(query);

const TIME_EXPRESSION = new RegExp(
  String.raw`\b(?:yesterday|today|tonight|tomorrow|ago|recently|just|since|(?:day|week|month|year)s?|\d{4}` +
    '|(?:last|next|this) (?:weekend|night|morning|summer|fall|autumn|winter|spring)' +
    String.raw`|${MONTH}|(?:sun|mon|tues|wednes|thurs|fri|satur)day)\b`,
  'i',
);

/** Whether a text says when something was: such a chunk answers "when" better. */
export const hasTimeExpression = (text: string): boolean => TIME_EXPRESSION.test(text);

// --- a date by itself ----------------------------------------------------------------------------

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

/** 0–23, or null when there is no such hour on the clock that was meant. */
function hourOf(hour: number, half: string | undefined): number | null {
  if (half === undefined) return hour < 24 ? hour : null;
  if (hour < 1 || hour > 12) return null;
  return (hour % 12) + (half.startsWith('p') ? 12 : 0);
}

function zoneMinutes(zone: string): number {
  const minutes = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(-2));
  return zone.startsWith('-') ? -minutes : minutes;
}

/** Milliseconds from the start of the day, in UTC; null when this is no time of day. */
function timeOfDay(text: string): number | null {
  const parts = TIME_PARTS.exec(text)?.groups;
  if (!parts || (parts.minute === undefined && parts.half === undefined)) return null;
  const { minute = '0', second = '0', fraction = '0', half, zone } = parts;
  const hour = hourOf(Number(parts.hour), half);
  if (hour === null || Number(minute) > 59 || Number(second) > 59) return null;
  const seconds = (hour * 60 + Number(minute)) * 60 + Number(second);
  const offset = zone === undefined ? 0 : zoneMinutes(zone) * 60_000;
  return seconds * 1000 + Number(fraction.padEnd(3, '0').slice(0, 3)) - offset;
}

function dateWithTime(text: string, time: string | undefined): number | null {
  for (const pattern of WHOLE_DATES) {
    const found = pattern.exec(text)?.groups;
    if (!found) continue;
    if (time !== undefined && found.time !== undefined) return null;
    const start = startOf(found);
    const clock = time ?? found.time;
    const sinceStart = clock === undefined ? 0 : timeOfDay(clock);
    return start === null || sinceStart === null ? null : start + sinceStart;
  }
  return null;
}

/**
 * A date that a text consists of (ISO 8601, "8 May 2023", "1:56 pm on 8 May, 2023", "2023/05/20 (Sat) 02:21",
 * "March-03-2024", RFC 2822), in milliseconds; UTC where it names no zone. Null for anything else: a bare number or
 * "05/08/2023" could mean several days, and nothing is guessed.
 */
export function parseDate(text: string): number | null {
  const plain = text.length > LONGEST_DATE ? '' : text.trim().toLowerCase().replace(/\s+/g, ' ');
  const leading = LEADING_TIME.exec(plain)?.groups;
  return dateWithTime(leading?.date ?? plain, leading?.time?.trim());
}
