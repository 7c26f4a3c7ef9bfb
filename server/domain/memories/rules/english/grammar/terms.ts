// The terms for comparing values and things: stems with unified spelling.
import { analyse, analyseQuery } from '../../../../../lib/text/terms/analyse.ts';
import { isPersonNoun, isPetNoun } from './people.ts';
import { tokensOf, wordSet } from './words.ts';

const SPELLINGS: readonly (readonly [RegExp, string])[] = [
  [/\bfavourite/gi, 'favorite'],
  [/\bcolour/gi, 'color'],
  [/\b(?:tele)?phone\b/gi, 'phone'],
  [/\bmum(?:my)?\b|\bmommy\b/gi, 'mom'],
  [/\bdaddy\b/gi, 'dad'],
];
const ODD = /favour|colour|phone|mum|mommy|daddy/i;

const oneSpelling = (text: string): string =>
  ODD.test(text) ? SPELLINGS.reduce((spelt, [pattern, word]) => spelt.replace(pattern, word), text) : text;

/** The terms of a text in order; stop words count only if there is nothing else. */
export const ruleTerms = (text: string): string[] => {
  const found = analyse(oneSpelling(text));
  return found.length > 0 ? found : analyseQuery(text);
};

/** One key for a thing: "horror movi". */
export const termKey = (text: string): string => [...new Set(ruleTerms(text))].slice(0, 6).join(' ');

const BOUNDARIES = wordSet(
  'with for since because as where which who that and but so after before when while until although though during by from to if than every each instead or about whenever unless via',
);

const SOFT_END = /[,;:()—–]| - /;

/** The part of a text before the first boundary word or mark. */
export const cutAt = (text: string, boundaries: ReadonlySet<string> = BOUNDARIES): string => {
  const mark = SOFT_END.exec(text)?.index ?? text.length;
  const head = text.slice(0, mark);
  for (const { lower, start } of tokensOf(head))
    if (start > 0 && boundaries.has(lower)) return head.slice(0, start).trim();
  return head.trim();
};

const DATE = String.raw`(?:(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day )?\d{1,2}(?:st|nd|rd|th)? \p{Lu}\p{L}+(?: \d{4})?|\p{L}+ \d{1,2}(?:st|nd|rd|th)?,? \d{4}|(?:(?:spring|summer|autumn|fall|winter|\p{Lu}\p{L}+) )?\d{4}`;
const DATE_PHRASES = new RegExp(
  String.raw`\s*\b(?:on|in|around|since|from|until|by)\s(?:the (?:week|weekend|morning|afternoon|evening|night) of )?(?:${DATE})(?=\s|$|[,;.])`,
  'gu',
);

export const withoutDates = (text: string): string => text.replace(DATE_PHRASES, '');

const NAME = /\p{Lu}[\p{L}\p{N}'’&.-]*/gu;

/** The terms of the capitalised words. */
export const namesIn = (text: string): string[] => ruleTerms((text.match(NAME) ?? []).join(' '));

const NAMES_IN_A_ROW = /\p{Lu}[\p{L}'’-]*(?:, \p{Lu}[\p{L}'’-]*)*,? (?:and|&) \p{Lu}[\p{L}'’-]*/gu;

/** The terms of each of several names in a row: "Jools, Petra and Ike". */
export const listedNames = (text: string): string[] => (text.match(NAMES_IN_A_ROW) ?? []).flatMap(namesIn);

/** The terms of the capitalised words, else of all words before a boundary. */
export const nameTerms = (text: string): string[] => {
  const names = namesIn(text);
  return names.length > 0 ? names : ruleTerms(cutAt(text));
};

const HEAD_ENDS = wordSet(
  'named called who that which with from in at on of for since and but so because to near by where when while as about whose after before during until if or coming going up together too right just around myself themself themselves himself herself',
);

/** "red Toyota" for "a red Toyota in the garage": the noun with its adjectives. */
export const nounPhrase = (text: string): string =>
  cutAt(text, HEAD_ENDS).replace(
    /^(?:an?|the|their|his|her|its|my|our|some|any|no|another|new|own|lots? of|\d+|one|two|three|four|five|six|seven|eight|nine|ten|many|several|little|really|very)\s+(?:(?:new|own|very|really|of)\s+)*/i,
    '',
  );

/** The noun alone, in small letters: "toyota", "dog", "licence". */
export const headWord = (text: string): string => {
  const words = tokensOf(nounPhrase(text));
  // "a dog Rex": the name after a noun is not the noun.
  const first = words[0]?.lower ?? '';
  const isNamed =
    words.length === 2 &&
    /^\p{Lu}\p{Ll}/u.test(words[1]?.word ?? '') &&
    (isPetNoun(first) || isPersonNoun(first));
  return (isNamed ? words[0] : words.at(-1))?.lower ?? '';
};

/** The stem of the noun, for comparing things. */
export const headKey = (text: string): string => {
  const head = headWord(text);
  return head === '' ? '' : termKey(head);
};
