// The values in a text with their kind: a corrected value takes the place of one of its own kind.
import { CAPITALISED_MONTH, WEEKDAY } from '../../../../../lib/text/dates/calendar.ts';
import { isNameWord } from '../grammar/names.ts';
import { type VerbToken, verbTokensOf } from '../grammar/verbs.ts';
import { NUMBER_WORD } from '../grammar/words.ts';

export type CorrectedKind = 'address' | 'time' | 'day' | 'month' | 'year' | 'number' | 'name';

export interface ValueSpan {
  readonly kind: CorrectedKind;
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

const HOUR = `(?:\\d{1,2}|${NUMBER_WORD})`;
const ORDINAL = '\\d{1,2}(?:st|nd|rd|th)';
const YEAR = '(?:19|20)\\d\\d';

/** In order: a word that belongs to one kind is not read as the next. */
const PATTERNS: readonly (readonly [CorrectedKind, RegExp])[] = [
  ['address', /\S+@\S+\.\w+|https?:\/\/\S+/g],
  [
    'time',
    new RegExp(
      `\\b(?:half|quarter|five|ten|twenty|twenty-five) (?:past|to) ${HOUR}\\b|\\bhalf ${HOUR}\\b|\\b\\d{1,2}[:.]\\d\\d(?: ?[ap]\\.?m\\b)?|\\b\\d{1,2} ?[ap]\\.?m\\b|\\b${HOUR} o['’]clock\\b|\\b(?:noon|midnight)\\b|(?<=\\bat )${HOUR}\\b(?=$|[,.;)]| (?:and|on|in|instead|every|each|with|for)\\b)`,
      'gi',
    ),
  ],
  [
    'day',
    new RegExp(
      `\\b(?:(?:${WEEKDAY}),? )?(?:the )?\\d{1,2}(?:st|nd|rd|th)? (?:of )?(?:${CAPITALISED_MONTH})(?:,? ${YEAR})?\\b|\\b(?:${CAPITALISED_MONTH}) ${ORDINAL}\\b(?:,? ${YEAR})?|\\b(?:${CAPITALISED_MONTH}) \\d{1,2}\\b(?!\\d)(?:, ${YEAR})?|\\b(?:the )?${ORDINAL}(?= ?$|[,.])|\\b(?:next |this )?(?:${WEEKDAY})s?\\b|\\b(?:today|tomorrow|tonight|yesterday)\\b`,
      'gi',
    ),
  ],
  ['month', new RegExp(`\\b(?:${CAPITALISED_MONTH})\\b(?: ${YEAR})?`, 'g')],
  ['year', new RegExp(`\\b${YEAR}\\b`, 'g')],
  [
    'number',
    /[€$£]?\b\d+(?:[.,]\d+)*\b%?|\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fifteen|twenty|thirty|forty|fifty|sixty|hundred)\b/gi,
  ],
];

const TITLE = /^(?:Mr|Mrs|Ms|Dr|Prof)$/;

/** A run of capitalised words, with the title before it. */
const nameSpans = (text: string, isTaken: (start: number) => boolean): ValueSpan[] => {
  const tokens = verbTokensOf(text);
  const isName = ({ word, start }: VerbToken): boolean =>
    !isTaken(start) &&
    (TITLE.test(word) || (isNameWord(word) && !/['’]s$/.test(word)) || /^\p{Lu}{2,}\d*$/u.test(word));
  const found: ValueSpan[] = [];
  for (let at = 0; at < tokens.length; at++) {
    const first = at;
    while (tokens[at] && isName(tokens[at] as VerbToken)) at++;
    const [start, end] = [tokens[first]?.start ?? 0, tokens[at - 1]?.end ?? 0];
    if (at > first) found.push({ kind: 'name', start, end, text: text.slice(start, end) });
  }
  return found;
};

export const valuesIn = (text: string): ValueSpan[] => {
  const found: ValueSpan[] = [];
  const isTaken = (start: number): boolean => found.some((one) => one.start <= start && start < one.end);
  for (const [kind, pattern] of PATTERNS)
    for (const { 0: value, index } of text.matchAll(pattern))
      if (!isTaken(index)) found.push({ kind, start: index, end: index + value.length, text: value });
  return [...found, ...nameSpans(text, isTaken)].sort((a, b) => a.start - b.start);
};
