// Puts the subject first: "Yesterday I met Tom" → "I met Tom yesterday".

import { isNameWord, NAMES_AND_WORDS } from '../grammar/names.ts';
import { isPersonNoun } from '../grammar/people.ts';
import { verbTokensOf } from '../grammar/verbs.ts';

const SUBJECT = String.raw`(?=(?:I|we|my|our|he|she|his|her|they|their|the|there|an?|\p{Lu}\p{L}+(?:'s)?)\s)`;
/** Without a comma, only the speaker follows: "In this repo we use pnpm". */
const SPEAKER = '(?=(?:I|we)\\s)';

interface Row {
  readonly pattern: RegExp;
  readonly example: readonly [string, string];
}

const TIME =
  '(?:the day before yesterday|yesterday(?: morning| afternoon| evening| night)?|today|tonight|tomorrow(?: morning| afternoon| evening| night)?|(?:last|next|this) (?:night|week|weekend|month|year|spring|summer|autumn|fall|winter|morning|afternoon|evening|\\p{L}+day|\\p{Lu}\\p{L}+)|earlier (?:today|this week|this month|this year)|(?:an?|one|two|three|four|five|six|seven|eight|nine|ten|\\d{1,3}|a few|a couple of|several) (?:day|week|month|year)s? ago|(?:on|every|each) \\p{L}+days?(?: (?:morning|afternoon|evening|night)s?)?|every (?:day|morning|evening|night|week|weekend|month|year|summer|winter)|(?:in|since) (?:\\p{Lu}\\p{L}+ )?\\d{4}|(?:in|since|from) \\p{Lu}\\p{L}+(?: (?:on|onwards))?|for (?:the )?(?:next |past |last )?(?:\\d+|an?|one|two|three|four|five|six|few|couple of) ?(?:day|week|month|year)s?|at night|in the (?:morning|evening|afternoon)s?)';

const ROWS: readonly Row[] = [
  {
    pattern: new RegExp(String.raw`^(?<front>${TIME}),?\s+${SUBJECT}(?<rest>.+)$`, 'u'),
    example: ['Last Friday I met my manager', 'I met my manager last Friday'],
  },
  {
    pattern:
      /^(?<front>(?:on|in|at|after|before|during|since|for|most|by) [^,]{2,40}),\s+(?<rest>(?:I|we|my|our|he|she|they|the) .+)$/u,
    example: ['After work, I go to the gym', 'I go to the gym after work'],
  },
  {
    pattern: new RegExp(
      String.raw`^(?<front>(?:on|in|at|for|by) (?:this|my|our|the) (?:\p{L}+ )?\p{L}+)\s+${SPEAKER}(?<rest>[^,]+(?:, .+)?)$`,
      'u',
    ),
    example: ['In this repo we use pnpm', 'we use pnpm in this repo'],
  },
];

const lowered = (clause: string): string => clause.charAt(0).toLowerCase() + clause.slice(1);

export const subjectFirst = (clause: string): string => {
  const text = lowered(clause);
  for (const { pattern } of ROWS) {
    const { front, rest } = pattern.exec(text)?.groups ?? {};
    if (!front || !rest) continue;
    const stated = rest.replace(/[\s.!]+$/, '');
    return `${stated}${stated.includes(',') ? ',' : ''} ${front}`;
  }
  return clause;
};

const WHEN = '(?:(?:on|in|at|next|this|last) .+|tomorrow|today|yesterday|tonight)';
const IT_IS = new RegExp(
  String.raw`^it (?<is>is|was) (?<what>(?:my|our|\p{Lu}\p{L}+'s) .+?) (?<when>${WHEN})$`,
  'u',
);

/** There is one of its kind where it is said. */
const PRESENT =
  /^this (?=(?:project|repository|repo|codebase|app|application|service|website|package|library|product|company|team|office|department|workspace)\b)/i;

/** "My cousin Ana she paints", "Ronja, she is twenty": the subject stands twice. */
const TWICE =
  /^(?<who>(?:(?:[Mm]y|[Oo]ur) (?:\p{Ll}+ )?(?<kin>\p{Ll}+)(?: \p{Lu}\p{Ll}+)?|(?<name>\p{Lu}\p{Ll}+)),?) (?:he|she) (?<rest>(?!and\b|who\b)\p{L}.*)$/u;

/** No word of the language: "Luckily, she …" begins with no name. */
const isBareName = (word: string): boolean =>
  isNameWord(word) &&
  (NAMES_AND_WORDS.has(word.toLowerCase()) || verbTokensOf(word.toLowerCase())[0]?.isKnown === false);

const subjectOnce = (sentence: string): string => {
  const { who = '', kin, name = '', rest } = TWICE.exec(sentence)?.groups ?? {};
  if (rest === undefined) return sentence;
  const isKnown = kin === undefined ? isBareName(name) : isPersonNoun(kin);
  return isKnown ? `${who.replace(/,$/, '')} ${rest}` : sentence;
};

/** "It is my mother's birthday on Sunday" → "my mother's birthday is on Sunday"; "This project uses …" → "The project uses …". */
export const realSubject = (sentence: string): string => {
  if (PRESENT.test(sentence)) return sentence.replace(PRESENT, 'The ');
  const { is, what, when } = IT_IS.exec(lowered(sentence.replace(/[\s.!]+$/, '')))?.groups ?? {};
  return is && what && when ? `${what} ${is} ${when}` : subjectOnce(sentence);
};

export const realSubjectExamples: readonly (readonly [string, string])[] = [
  ["It is my mother's birthday on Sunday", "my mother's birthday is on Sunday"],
  ['It is raining in Graz', 'It is raining in Graz'],
  ['Ronja, she is twenty', 'Ronja is twenty'],
  ['my cousin Ana she paints', 'my cousin Ana paints'],
  ['Luckily, she paints', 'Luckily, she paints'],
  ['This project uses pnpm', 'The project uses pnpm'],
];

export const frontExamples = ROWS.map(({ example }) => example);
