// Relative dates in text, such as "yesterday" or "last Friday", resolved from the date of the text. Everything is UTC.
import { DAY_MS, WEEKDAY, weekdayIndex } from './calendar.ts';
import { writtenDay, writtenMonth } from './format.ts';

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

const shifted = (ms: number, unit: string, count: number): string => {
  if (unit === 'year') return String(new Date(ms).getUTCFullYear() + count);
  if (unit === 'month') return writtenMonth(ms, count);
  return writtenDay(ms + count * (unit === 'day' ? 1 : 7) * DAY_MS);
};

const lastWeekday = (ms: number, name: string): string => {
  const daysBack = (new Date(ms).getUTCDay() - weekdayIndex(name) + 7) % 7 || 7;
  return shifted(ms, 'day', -daysBack);
};

const countInWords = (word: string): number => {
  if (/^\d/.test(word)) return Number(word);
  return word.startsWith('a') ? 1 : NUMBER_WORDS.indexOf(word) + 1;
};

const resolveExpression = (found: Readonly<Record<string, string | undefined>>, ms: number): string => {
  const { near, side, span, weekday, count, unit } = found;
  if (near) return shifted(ms, 'day', NEAR_DAYS[near.replace(/\s/, ' ')] ?? 0);
  if (side && span) return shifted(ms, span, side === 'last' ? -1 : 1);
  if (weekday) return lastWeekday(ms, weekday);
  if (count && unit) return shifted(ms, unit, -countInWords(count));
  return writtenMonth(ms);
};

/** The dates of "yesterday", "last Friday", "two weeks ago" in a text written at `ms`; "" if there are none. */
export const resolveRelativeDates = (text: string, ms: number): string => {
  const resolved = new Set<string>();
  for (const match of text.matchAll(RELATIVE)) {
    const groups = Object.entries(match.groups ?? {}).map(([name, value]) => [name, value?.toLowerCase()]);
    resolved.add(resolveExpression(Object.fromEntries(groups), ms));
  }
  return [...resolved].join(' ');
};
