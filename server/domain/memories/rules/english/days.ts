// Resolves the days in a sentence: "yesterday" → "on 7 May 2023", counted from the time of the sentence. Everything is UTC.
import {
  CAPITALISED_MONTH,
  DAY_MS,
  DAY_NUMBER,
  dayStart,
  FULL_WEEKDAY,
  monthIndex,
  WEEKDAY,
  weekdayIndex,
} from '../../../../lib/text/dates/calendar.ts';
import { weekdayName, writtenDay, writtenMonth } from '../../../../lib/text/dates/format.ts';
import { matchesIn } from '../../../../lib/text/matches.ts';
import { NUMBER_WORD, numberOf } from './grammar/words.ts';

/** A period and its written form; `to` excluded. */
export interface Span {
  readonly from: number;
  readonly to: number;
  /** Null: the text is not changed. */
  readonly written: string | null;
}

export interface FoundSpan extends Span {
  readonly start: number;
  readonly end: number;
}

type Groups = Readonly<Record<string, string | undefined>>;

interface DayRule {
  readonly pattern: RegExp;
  /** `isFuture`: true if the sentence is about the future, for names that fit both directions. */
  readonly span: (groups: Groups, said: number, isFuture: () => boolean) => Span | null;
}

const midnight = (ms: number): number => Math.floor(ms / DAY_MS) * DAY_MS;
const yearOf = (ms: number): number => new Date(ms).getUTCFullYear();
const monthOf = (ms: number): number => new Date(ms).getUTCMonth();

const daySpan = (ms: number, how = 'on '): Span => {
  const from = midnight(ms);
  return { from, to: from + DAY_MS, written: `${how}${writtenDay(from)}` };
};
const namedDay = (ms: number): Span => {
  const from = midnight(ms);
  return { from, to: from + DAY_MS, written: `on ${weekdayName(from)} ${writtenDay(from)}` };
};
const week = (ms: number): Span => {
  const from = midnight(ms) - ((new Date(ms).getUTCDay() + 6) % 7) * DAY_MS;
  return { from, to: from + 7 * DAY_MS, written: `in the week of ${writtenDay(from)}` };
};
const month = (year: number, index: number): Span => {
  const from = Date.UTC(year, index);
  return { from, to: Date.UTC(yearOf(from), monthOf(from) + 1), written: `in ${writtenMonth(from)}` };
};
const year = (number: number): Span => ({
  from: Date.UTC(number, 0),
  to: Date.UTC(number + 1, 0),
  written: `in ${number}`,
});
const asSaid = (span: Span | null): Span | null => span && { ...span, written: null };

/** The Saturday of the weekend: -1 the last completed one, 0 the present or coming one, 1 the next after it. */
const weekend = (said: number, side: number): Span => {
  const weekday = new Date(said).getUTCDay();
  const saturday = midnight(said) + (weekday === 0 ? -1 : 6 - weekday) * DAY_MS;
  const from = saturday + side * 7 * DAY_MS;
  return { from, to: from + 2 * DAY_MS, written: `on the weekend of ${writtenDay(from)}` };
};

const SIDES: Readonly<Record<string, number>> = {
  last: -1,
  past: -1,
  previous: -1,
  this: 0,
  coming: 0,
  next: 1,
  following: 1,
};
const sideNumber = (word: string | undefined): number => SIDES[word?.toLowerCase() ?? ''] ?? 0;

const calendarSpan = (unit: string, said: number, side: number): Span => {
  if (unit === 'week') return week(said + side * 7 * DAY_MS);
  if (unit === 'weekend') return weekend(said, side);
  if (unit === 'month') return month(yearOf(said), monthOf(said) + side);
  return year(yearOf(said) + side);
};

const weekdayFrom = (said: number, name: string, ahead: boolean): Span => {
  const away = (weekdayIndex(name) - new Date(said).getUTCDay() + 7) % 7;
  return namedDay(said + (ahead ? away || 7 : away === 0 ? -7 : away - 7) * DAY_MS);
};

const SEASONS: Readonly<Record<string, number>> = { spring: 2, summer: 5, autumn: 8, fall: 8, winter: 11 };

const season = (name: string, said: number, side: number): Span => {
  const first = SEASONS[name.toLowerCase()] ?? 0;
  const at = (number: number): Span => ({
    from: Date.UTC(number, first),
    to: Date.UTC(number, first + 3),
    written: `in ${name.toLowerCase()} ${number}`,
  });
  const current = at(yearOf(said));
  if (side === 0) return current;
  if (side < 0) return current.to <= said ? current : at(yearOf(said) - 1);
  return current.from > said ? current : at(yearOf(said) + 1);
};

const away = (said: number, count: number, unit: string): Span => {
  if (unit === 'day') return daySpan(said + count * DAY_MS);
  if (unit === 'week') return daySpan(said + count * 7 * DAY_MS, 'around ');
  if (unit === 'month') return month(yearOf(said), monthOf(said) + count);
  return year(yearOf(said) + count);
};

/** A month or day without a year: the nearest in the sentence's direction. */
const nearest = (said: number, future: boolean, at: (year: number) => Span | null): Span | null => {
  const same = at(yearOf(said));
  if (!same) return null;
  if (future) return same.to > said ? same : at(yearOf(said) + 1);
  return same.from <= said ? same : at(yearOf(said) - 1);
};

/** A date without a year may lie a little before or after the sentence, in any tense; its weekday names the year. */
const closest = (
  said: number,
  weekday: string | undefined,
  at: (year: number) => Span | null,
): Span | null => {
  const spans = [-1, 0, 1]
    .flatMap((shift) => at(yearOf(said) + shift) ?? [])
    .sort((a, b) => Math.abs(a.from - said) - Math.abs(b.from - said));
  const named = weekday && spans.find(({ from }) => new Date(from).getUTCDay() === weekdayIndex(weekday));
  return named || (spans[0] ?? null);
};

const daysOfMonths = (said: number, date: number, months: readonly number[]): number[] =>
  months
    .map((shift) => Date.UTC(yearOf(said), monthOf(said) + shift, date))
    .filter((day) => new Date(day).getUTCDate() === date);

/** "on the 14th": the nearest one in the sentence's direction. */
const dayOfMonth = (said: number, date: number, ahead: boolean): Span | null => {
  const days = daysOfMonths(said, date, ahead ? [0, 1, 2] : [0, -1, -2]);
  const found = days.find((day) => (ahead ? day >= midnight(said) : day <= said));
  return found === undefined ? null : daySpan(found);
};

/** "Saturday 24": the nearest month in which they meet. */
const datedWeekday = (said: number, weekday: string, date: number): Span | null => {
  const days = daysOfMonths(said, date, [0, 1, -1]);
  const found = days.find((day) => new Date(day).getUTCDay() === weekdayIndex(weekday));
  return found === undefined ? null : namedDay(found);
};

const dayIn = (number: number, name: string, date: string): Span | null => {
  const start = dayStart(number, monthIndex(name), Number(date));
  return start === null ? null : daySpan(start);
};

const COUNT = String.raw`(?<count>an?|${NUMBER_WORD}|\d{1,3})`;
const UNIT = `(?<unit>day|week|month|year)s?`;
const YEAR = String.raw`(?<year>(?:19|20)\d{2})`;
/** "Tuesday, 24 November": the weekday belongs to the date. */
const OF_WEEKDAY = String.raw`(?:(?<weekday>${FULL_WEEKDAY}|Sun|Mon|Tues?|Wed|Thur?s?|Fri|Sat)\.?,?\s(?:the\s)?)?`;
const MONTH_NAME = `(?<month>${CAPITALISED_MONTH})`;
/**
 * "every Tuesday and Thursday", "every day but Monday", "the first Friday of the month", "Monday to Wednesday", "no Saturday work": no day of the
 * calendar. Capitals are written out: with `(?i:…)` in the look-behind, "Any Friday" was a day in one of many runs of the tests.
 */
const NO_HABIT = String.raw`(?<!\b(?:[Ee]very|[Ee]ach|[Aa]ny|[Nn]o|[Oo]n most|[Oo]ther|[Ff]irst|[Ss]econd|[Tt]hird|[Ff]ourth|[Ll]ast)\s(?:\p{L}+day(?:,|\sand|\sor)*\s)*)(?<!\b(?:day|daily)\s(?:but|except|bar|besides|apart\sfrom|other\sthan|excluding)\s(?:for\s|on\s)?(?:\p{L}+day(?:,|\sand|\sor)*\s)*)(?<!\b(?:[Tt]he|[Aa]n?|[Mm]y|[Oo]ur|[Hh]is|[Hh]er|[Tt]heir|[Yy]our)\s)(?<!\p{L}day(?:,|\sto|\still|\sthrough|,\s\p{L}+day,?\sand)\s)`;
const NO_NOUN = String.raw`(?!s|\s(?:nights|mornings|evenings|afternoons|work|shifts?|class(?:es)?|lessons?|meetings?|markets?)\b|(?:,|\sto|\still|\sthrough)\s\p{Lu}\p{L}{2,5}day\b)`;

/** "get paid on the 25th": of every month. */
const NOT_MONTHLY = String.raw`(?<!\b(?:(?:gets?|am|is|are) (?:always |usually )?(?:paid|due|billed|charged|debited|collected)|(?:goes|go|comes|come|taken) (?:out|off)|renews?) )`;

const rule = (source: string, span: DayRule['span'], flags = 'gi'): DayRule => ({
  pattern: new RegExp(source, flags),
  span,
});

const EXACT: readonly DayRule[] = [
  rule(String.raw`\b(?<year>\d{4})-(?<month>\d{2})-(?<day>\d{2})\b`, (g) => {
    const start = dayStart(Number(g.year), Number(g.month) - 1, Number(g.day));
    return start === null ? null : asSaid(daySpan(start));
  }),
  rule(
    String.raw`\b${OF_WEEKDAY}${DAY_NUMBER}\s(?:of\s)?${MONTH_NAME}\.?,?\s${YEAR}\b`,
    (g) => asSaid(dayIn(Number(g.year), g.month ?? '', g.day ?? '')),
    'g',
  ),
  rule(
    String.raw`\b${OF_WEEKDAY}${MONTH_NAME}\.?\s(?:the\s)?${DAY_NUMBER},?\s${YEAR}\b`,
    (g) => asSaid(dayIn(Number(g.year), g.month ?? '', g.day ?? '')),
    'g',
  ),
  rule(
    String.raw`\b${MONTH_NAME}\.?,?\s(?:of\s)?${YEAR}\b`,
    (g) => asSaid(month(Number(g.year), monthIndex(g.month ?? ''))),
    'g',
  ),
  rule(String.raw`(?<=\b(?:in|since|until|till|by|from|before|after|of|during)\s)${YEAR}\b(?![-\d])`, (g) =>
    asSaid(year(Number(g.year))),
  ),
];

const RELATIVE: readonly DayRule[] = [
  rule(String.raw`\bthe day before yesterday\b`, (_, said) => daySpan(said - 2 * DAY_MS)),
  rule(String.raw`\bthe day after tomorrow\b`, (_, said) => daySpan(said + 2 * DAY_MS)),
  rule(String.raw`\byesterday(?:\s(?<part>morning|afternoon|evening|night))?\b`, (g, said) =>
    daySpan(said - DAY_MS, g.part ? `on the ${g.part.toLowerCase()} of ` : 'on '),
  ),
  rule(String.raw`\b(?:earlier\s|later\s)?today\b`, (_, said) => daySpan(said)),
  rule(String.raw`\btonight\b`, (_, said) => daySpan(said, 'on the evening of ')),
  rule(String.raw`\bthis (?<part>morning|afternoon|evening)\b`, (g, said) =>
    daySpan(said, `on the ${g.part?.toLowerCase()} of `),
  ),
  rule(String.raw`\blast night\b`, (_, said) => daySpan(said - DAY_MS, 'on the night of ')),
  rule(String.raw`\btomorrow(?:\s(?<part>morning|afternoon|evening|night))?\b`, (g, said) =>
    daySpan(said + DAY_MS, g.part ? `on the ${g.part.toLowerCase()} of ` : 'on '),
  ),
  rule(
    String.raw`\b(?:(?:in|over|during)\s)?(?:the\s)?(?<side>last|past|previous|this|coming|next|following)\s(?<unit>week(?:end)?|month|year)\b(?!s|\sor\b|\sand\sa\shalf\b)`,
    (g, said) => calendarSpan(g.unit?.toLowerCase() ?? '', said, sideNumber(g.side)),
  ),
  rule(
    String.raw`\b(?:in\s)?(?<side>last|this|next)\s(?<season>spring|summer|autumn|fall|winter)\b`,
    (g, said) => season(g.season ?? '', said, sideNumber(g.side)),
  ),
  rule(
    String.raw`\b(?:on\s)?(?<side>last|this|this\scoming|next|this\spast)\s(?<weekday>${WEEKDAY})\b(?!\sof\b)`,
    (g, said) => weekdayFrom(said, g.weekday ?? '', !/last|past/i.test(g.side ?? '')),
  ),
  rule(
    String.raw`\b(?<side>[Ll]ast|[Tt]his|[Nn]ext)\s${MONTH_NAME}\b(?!\s\d)`,
    (g, said) => nearest(said, sideNumber(g.side) >= 0, (number) => month(number, monthIndex(g.month ?? ''))),
    'g',
  ),
  rule(String.raw`\b${COUNT}\s${UNIT}\sago\b`, (g, said) =>
    away(said, -numberOf(g.count ?? ''), g.unit?.toLowerCase() ?? ''),
  ),
  rule(String.raw`\bin\s${COUNT}\s${UNIT}(?:'s?)?(?:\stime)?\b(?!\s(?:of|old)\b)`, (g, said, isFuture) =>
    isFuture() ? away(said, numberOf(g.count ?? ''), g.unit?.toLowerCase() ?? '') : null,
  ),
  rule(
    String.raw`\b(?<vague>(?:a )?(?:few|couple(?: of)?|several))\s(?<unit>day|week|month|year)s\sago\b`,
    (g, said) => {
      const span = away(said, -3, g.unit?.toLowerCase() ?? '');
      return {
        ...span,
        written: `${g.vague?.toLowerCase()} ${g.unit?.toLowerCase()}s before ${writtenDay(midnight(said))}`,
      };
    },
  ),
  rule(
    String.raw`\b${OF_WEEKDAY}${DAY_NUMBER}\s(?:of\s)?${MONTH_NAME}\b(?!\s\d)`,
    (g, said) => asSaid(closest(said, g.weekday, (number) => dayIn(number, g.month ?? '', g.day ?? ''))),
    'g',
  ),
  rule(
    String.raw`\b${OF_WEEKDAY}${MONTH_NAME}\.?\s(?:the\s)?${DAY_NUMBER}\b(?!\s\d|[\d:])`,
    (g, said) => asSaid(closest(said, g.weekday, (number) => dayIn(number, g.month ?? '', g.day ?? ''))),
    'g',
  ),
  rule(
    String.raw`${NOT_MONTHLY}\bon\sthe\s(?<day>\d{1,2})(?:st|nd|rd|th)\b(?!\s(?:of|floor|street|avenue))`,
    (g, said, isFuture) => dayOfMonth(said, Number(g.day), isFuture()),
  ),
  rule(
    String.raw`\b(?:[Oo]n\s)?(?<weekday>${FULL_WEEKDAY})\s(?:the\s)?(?<day>\d{1,2})(?:st|nd|rd|th)?(?=\s*$|\s*[,;!?)]|\s(?:at|from|until|for|and|or|in|instead|because|so|with)\b)`,
    (g, said) => datedWeekday(said, g.weekday ?? '', Number(g.day)),
    'g',
  ),
  rule(String.raw`(?<=\bend\sof\s)(?:the|this)\s(?<unit>week|month|year)\b`, (g, said) => {
    const span = calendarSpan(g.unit?.toLowerCase() ?? '', said, 0);
    return { ...span, written: span.written?.replace(/^in /, '') ?? null };
  }),
  rule(
    String.raw`\b[Ii]n\s${MONTH_NAME}\b(?!\s\d)`,
    (g, said, isFuture) => nearest(said, isFuture(), (number) => month(number, monthIndex(g.month ?? ''))),
    'g',
  ),
  rule(
    String.raw`${NO_HABIT}\b(?:[Oo]n\s)?(?<weekday>${FULL_WEEKDAY})\b${NO_NOUN}(?!,?\s(?:the\s)?(?:\d{1,2}(?:st|nd|rd|th)?\s(?:of\s)?)?${CAPITALISED_MONTH}\.?\b)`,
    (g, said, isFuture) => weekdayFrom(said, g.weekday ?? '', isFuture()),
    'gu',
  ),
];

const NAMES_TIME =
  /\b(?:\d{4}|\d{1,2}(?:st|nd|rd|th)|end of|yesterday|to(?:day|night|morrow)|ago|this|last|next|past|previous|coming|following|(?:sun|mon|tues|wednes|thurs|fri|satur)day|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|in)/i;

const spansBy = (
  rules: readonly DayRule[],
  text: string,
  said: number,
  isFuture: (at: number) => boolean,
): FoundSpan[] =>
  rules.flatMap(({ pattern, span }) =>
    matchesIn(text, pattern).flatMap((match) => {
      const found = span(match.groups ?? {}, said, () => isFuture(match.index));
      return found ? [{ ...found, start: match.index, end: match.index + match[0].length }] : [];
    }),
  );

/**
 * The periods in a text, in order, without overlaps. Without `said`: only the absolute ones. `isFuture`: of what stands at a
 * place of the text.
 */
export const spansOf = (
  text: string,
  said: number | null,
  isFuture: (at: number) => boolean,
): FoundSpan[] => {
  if (!NAMES_TIME.test(text)) return [];
  const exact = spansBy(EXACT, text, 0, isFuture);
  const relative = said === null ? [] : spansBy(RELATIVE, text, said, isFuture);
  const found = [...exact, ...relative].sort((a, b) => a.start - b.start || b.end - a.end);
  const kept: FoundSpan[] = [];
  for (const span of found) if (span.start >= (kept.at(-1)?.end ?? 0)) kept.push(span);
  return kept;
};

/** After these words a date has no "on" or "in". */
const PREPOSITION =
  /\b(?:until|till|since|by|before|after|from|to|through|of|on|in|for|around|between|and|than)\s$/i;

/** The text with its relative days replaced by dates. */
export const writeOut = (text: string, spans: readonly FoundSpan[]): string => {
  let done = 0;
  let result = '';
  for (const { start, end, written } of spans) {
    result += text.slice(done, start);
    // "this weekend's retreat": the day belongs to the noun.
    if (written === null || /^['’]s\b/.test(text.slice(end))) result += text.slice(start, end);
    else result += PREPOSITION.test(text.slice(0, start)) ? written.replace(/^(?:on|in)\s/, '') : written;
    done = end;
  }
  return result + text.slice(done);
};

/** Examples for Monday 8 May 2023: the sentence, its result, and its first day. */
export const dayExamples: readonly (readonly [string, string, string])[] = [
  ['I left yesterday', 'I left on 7 May 2023', '2023-05-07'],
  ['I left last Friday', 'I left on Friday 5 May 2023', '2023-05-05'],
  ['I left on Friday', 'I left on Friday 5 May 2023', '2023-05-05'],
  ['I left two weeks ago', 'I left around 24 April 2023', '2023-04-24'],
  ['I left last weekend', 'I left on the weekend of 6 May 2023', '2023-05-06'],
  ['I left last week', 'I left in the week of 1 May 2023', '2023-05-01'],
  ['I left in March', 'I left in March 2023', '2023-03-01'],
  ['It is on Saturday 27', 'It is on Saturday 27 May 2023', '2023-05-27'],
  ['I left on Friday 3 hours late', 'I left on Friday 5 May 2023 3 hours late', '2023-05-05'],
  ['I left last summer', 'I left in summer 2022', '2022-06-01'],
  ['I left in 2019', 'I left in 2019', '2019-01-01'],
  ['I left on June 3rd, 2019', 'I left on June 3rd, 2019', '2019-06-03'],
  ['I left a few days ago', 'I left a few days before 8 May 2023', '2023-05-05'],
  ['I will leave in three days', 'I will leave on 11 May 2023', '2023-05-11'],
  ['I will leave next month', 'I will leave in June 2023', '2023-06-01'],
  ['I will stay until Friday', 'I will stay until Friday 12 May 2023', '2023-05-12'],
  ['I will leave on 9 May', 'I will leave on 9 May', '2023-05-09'],
  ['I left on Tuesday, 14 March 2023', 'I left on Tuesday, 14 March 2023', '2023-03-14'],
  ['I will leave on Tue 9 May', 'I will leave on Tue 9 May', '2023-05-09'],
  ['I will leave on Thursday 9 May', 'I will leave on Thursday 9 May', '2024-05-09'],
  ['I left on the 3rd', 'I left on 3 May 2023', '2023-05-03'],
  ['I will leave on the 3rd', 'I will leave on 3 June 2023', '2023-06-03'],
  [
    'I will stay until the end of the week',
    'I will stay until the end of the week of 8 May 2023',
    '2023-05-08',
  ],
  ['I will stay until the end of the month', 'I will stay until the end of May 2023', '2023-05-01'],
];
