// A journal: dates head its entries, and its sentences leave out their writer ("Planted garlic").
import { FULL_WEEKDAY, MONTH } from '../../../../../lib/text/dates/calendar.ts';
import { spansOf } from '../days.ts';
import { hasForm, verbTokensOf } from '../grammar/verbs.ts';

export interface Entry {
  readonly text: string;
  /** Of the date that heads it. */
  readonly day: number | null;
}

const BEFORE_DATE = `(?:(?:${FULL_WEEKDAY}|Sun|Mon|Tues?|Wed|Thur?s?|Fri|Sat)\\.?,? (?:the )?)?`;
const WEEKDAY_IN_FRONT = new RegExp(`^${BEFORE_DATE}`, 'i');
const DAY = String.raw`\d{1,2}(?:st|nd|rd|th)?`;
/** A date alone on its line, or before the first sentence of its entry: "1 May. Planted garlic." */
const DATED = new RegExp(
  String.raw`^(?:#{1,6} +)?(?<date>${BEFORE_DATE}(?:\d{4}-\d\d-\d\d|${DAY} ${MONTH}(?:,? \d{4})?|${MONTH} ${DAY}(?:,? \d{4})?))(?:[.:,]?$|[.:] +(?<rest>\S.*)$)`,
  'i',
);
const OWN = /(?:^|[\s("'])(?:I|my|me)(?=[\s'’,.!?])/im;

const isBehind = (): boolean => false;

const dayOf = (date: string, daysFrom: number | null): number | null =>
  spansOf(date.replace(WEEKDAY_IN_FRONT, ''), daysFrom, isBehind)[0]?.from ?? null;

/** The entries of a text, each with the date that heads it; the text itself if it has no dates. */
export const entriesOf = (text: string, daysFrom: number | null): Entry[] => {
  const entries: { lines: string[]; day: number | null }[] = [{ lines: [], day: null }];
  for (const line of text.split('\n')) {
    const { date, rest } = DATED.exec(line.trim())?.groups ?? {};
    const last = entries.at(-1);
    if (date !== undefined)
      entries.push({ lines: rest === undefined ? [] : [rest], day: dayOf(date, daysFrom) });
    else last?.lines.push(line);
  }
  return entries.map(({ lines, day }) => ({ text: lines.join('\n'), day }));
};

/** True if dates head the entries, or the writer speaks in the first person. */
export const isJournal = (text: string): boolean =>
  OWN.test(text) || text.split('\n').some((line) => DATED.test(line.trim()));

/** "Left knee hurts": the word that looks like a past form begins the subject of another verb. */
export const hasSubject = (sentence: string): boolean => {
  const [first, ...rest] = verbTokensOf(sentence);
  return (
    hasForm(first, 'past') && rest.slice(0, 3).some((token) => token.pos === 'VERB' && hasForm(token, 's'))
  );
};
