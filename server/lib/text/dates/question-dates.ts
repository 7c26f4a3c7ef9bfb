// The dates in a question, and questions about dates. Everything is UTC.
import { DAY_MS, DAY_NUMBER, FULL_WEEKDAY, MONTH, MONTH_NAME, startOfDate, YEAR } from './calendar.ts';

/** A period, `to` excluded. */
export interface DateRange {
  readonly from: number;
  readonly to: number;
}

/** People talk about an event up to about a week after it. */
const DAYS_AFTER_A_DAY = 7;
const DAYS_AFTER_A_MONTH = 10;

const NAMED_DAYS = [
  new RegExp(String.raw`\b${MONTH_NAME}\s${DAY_NUMBER},?\s${YEAR}\b`, 'gi'),
  new RegExp(String.raw`\b${DAY_NUMBER}\s(?:of\s)?${MONTH_NAME},?\s${YEAR}\b`, 'gi'),
  /\b(?<year>\d{4})-(?<month>\d{2})-(?<day>\d{2})\b/g,
];
const NAMED_MONTH = new RegExp(String.raw`\b${MONTH_NAME},?\s(?:of\s)?${YEAR}\b`, 'gi');

const widened = (start: number, end: number, daysAfter: number): DateRange => ({
  from: start - DAY_MS,
  to: end + daysAfter * DAY_MS,
});

const rangesOf = (
  query: string,
  pattern: RegExp,
  daysAfter: number,
  endOf: (start: number) => number,
): DateRange[] =>
  [...query.matchAll(pattern)].flatMap((match) => {
    const start = startOfDate(match.groups ?? {});
    return start === null ? [] : [widened(start, endOf(start), daysAfter)];
  });

const nextMonth = (start: number): number =>
  Date.UTC(new Date(start).getUTCFullYear(), new Date(start).getUTCMonth() + 1);

/** The days that a question names, else the months, extended by the time in which people still talk about them. */
export const dateRanges = (query: string): DateRange[] => {
  const days = NAMED_DAYS.flatMap((pattern) =>
    rangesOf(query, pattern, DAYS_AFTER_A_DAY, (start) => start + DAY_MS),
  );
  return days.length > 0 ? days : rangesOf(query, NAMED_MONTH, DAYS_AFTER_A_MONTH, nextMonth);
};

export const inRanges = (ms: number, ranges: readonly DateRange[]): boolean =>
  ranges.some(({ from, to }) => ms >= from && ms < to);

const WHEN = /^\s*(?:when|how long|(?:what|which) (?:date|day|month|year))\b/i;

export const asksWhen = (query: string): boolean => WHEN.test(query);

const TIME_EXPRESSION = new RegExp(
  String.raw`\b(?:yesterday|today|tonight|tomorrow|ago|recently|just|since|(?:day|week|month|year)s?|\d{4}` +
    '|(?:last|next|this) (?:weekend|night|morning|summer|fall|autumn|winter|spring)' +
    String.raw`|${MONTH}|${FULL_WEEKDAY})\b`,
  'i',
);

/** True if a text contains a time: such a chunk answers "when" better. */
export const hasTimeExpression = (text: string): boolean => TIME_EXPRESSION.test(text);
