// Recognises that a sentence corrects the one before: "no, Wednesday", "scratch that", "make that four".
import { clauseOf } from '../grammar/clause.ts';
import { isNameWord } from '../grammar/names.ts';
import { verbTokensOf } from '../grammar/verbs.ts';
import { numberOf } from '../grammar/words.ts';
import { deniedIn } from '../sentences/denials.ts';
import { exclusionOf } from '../sentences/excluded.ts';

export interface Correction {
  /** The statement before no longer holds, whether or not another takes its place. */
  readonly withdraws: boolean;
  /** True if the sentence says that it corrects; "It was in Birch Road" does not. */
  readonly isMarked: boolean;
  /** The words that take the place of the wrong ones; "" if none do. */
  readonly value: string;
  /** The wrong words, where the sentence repeats them: "Tuesday, not Monday". */
  readonly wrong: string | null;
}

const END = String.raw`(?=$|[\s,.:;!–—-])[\s,.:;!–—-]*`;

/** A closed class of editing phrases, which no part of speech tells from other words. */
const WITHDRAWS = new RegExp(
  `^(?:(?:scratch|strike|ignore|disregard|cancel|delete|forget) (?:that|it|this|what I (?:just )?(?:said|wrote))|never ?mind(?: that| what I (?:just )?said)?|I take (?:that|it) back|I (?:just )?(?:mixed|got|had|have|messed) (?:that|it|this|them|the two) (?:up|wrong|mixed up|backwards|the wrong way round)|(?:that|this|it) (?:is|was) (?:wrong|not (?:right|true|correct)|incorrect|a (?:mistake|joke|lie)|nonsense)|I (?:was|am) (?:wrong|joking|kidding|mistaken)|(?:just |only )?kidding)${END}`,
  'i',
);
const MARKS = new RegExp(
  `^(?:(?:no|nope|wrong)(?=\\s*[,.:;!–—-]|\\s+(?:wait|sorry|actually|I meant?|it|that|the|at|on|in|not|\\d|\\p{Lu}\\p{Ll}+[.!]?$))|sorry(?! (?:to|for|about|that|if|but)\\b)|oops|whoops|actually|correction|edit|typo|(?:or )?rather|I meant?(?: to (?:say|write|type))?|make (?:that|it)|(?:that |it |this )?should (?:be|say|read|have been)|my (?:mistake|bad|error|fault)|(?:my )?apologies|pardon|I misspoke|I should have (?:said|written)|(?:let me|to) correct (?:that|myself)|er+m?|um+|uh)${END}`,
  'iu',
);
const FILLERS =
  /^(?:oh|ah|hm+|well|wait|hang on|hold on|so|and|but|ok|okay|yes|yeah|ugh|argh|damn|more exactly|to be (?:exact|precise))\b[\s,.:;!–—-]*/i;

/** "It is at five": what comes behind the verb is the value. */
const COPULA =
  /^(?:it|that|this|he|she|they|there|which) (?:is|was|are|were|will be|has to be)(?: (?:actually|really|in fact|supposed to be|only))*\s+/i;
/** "This is Max" shows somebody. */
const INTRODUCES = /^this (?:is|was) \p{Lu}/u;
/** "…, my parents are coming too": a comment on the correction. */
const COMMENT = /(?:[,;(]|\s[–—-]\s|\.\s|\s(?:because|since|instead|as|like I said)\b).*$/iu;

const CONTRASTS: readonly RegExp[] = [
  /^(?<value>(?!(?:I|we|he|she|they|it) )[^,;]+?)(?:,| and|,? -)? not (?:on |in |at |with )?(?<wrong>[^,;]+)$/i,
  /^not (?:on |in |at |with )?(?<wrong>[^,;]+?)(?:, but| but|,) (?<value>.+)$/i,
];

/** "I like tea, not coffee" contrasts within a sentence of its own. */
const contrastIn = (text: string): Pick<Correction, 'value' | 'wrong'> | null => {
  const said = text.replace(COPULA, '');
  for (const pattern of CONTRASTS) {
    const { value, wrong } = pattern.exec(said)?.groups ?? {};
    if (value && wrong && !clauseOf(value)) return { value, wrong };
  }
  return null;
};

/** Null if the sentence corrects nothing. `goesOn`: the sentence before was a mark alone, "My mistake." */
export const correctionIn = (sentence: string, goesOn: boolean): Correction | null => {
  let rest = sentence.trim();
  let [withdraws, isMarked] = [false, goesOn];
  for (let before = ''; before !== rest; ) {
    before = rest;
    if (WITHDRAWS.test(rest)) withdraws = true;
    if (MARKS.test(rest)) isMarked = true;
    rest = rest.replace(WITHDRAWS, '').replace(MARKS, '').replace(FILLERS, '');
  }
  rest = rest.replace(/[\s.!]+$/, '');
  const contrast = deniedIn(rest) ?? contrastIn(rest);
  if (
    !withdraws &&
    !isMarked &&
    !contrast &&
    (!COPULA.test(rest) || INTRODUCES.test(rest.replace(/^T/, 't')))
  )
    return null;
  // "No worries", and "Cheers!" behind "Sorry, got to go", give no value.
  if (!withdraws && !contrast && exclusionOf(sentence.trim())?.why === 'greeting') return null;
  return { withdraws, isMarked: withdraws || isMarked, ...(contrast ?? { value: rest, wrong: null }) };
};

/** "Four." begins a sentence, and stands inside another. */
const inside = (value: string): string => {
  if (!/^\p{Lu}/u.test(value)) return value;
  const [first] = verbTokensOf(value);
  const isCount = first !== undefined && !Number.isNaN(numberOf(first.lower));
  const isPlain = isCount || /^(?:half|quarter|noon|midnight)$/.test(first?.lower ?? '');
  const isName = isNameWord(first?.word ?? '') || first?.pos === 'PROPN';
  return isName && !isPlain ? value : value.charAt(0).toLowerCase() + value.slice(1);
};

/** The value alone, as the words that may stand in another sentence. */
export const bareValue = (value: string): string =>
  inside(value.replace(COPULA, '').replace(COMMENT, '').trim());

/** "three cats, no wait, four": the sentence and its repair. */
const REPAIR =
  /(?:,|\s[–—-]|\.{2,}|…)\s*(?=(?:no,? (?:wait|sorry)|I mean|sorry|scratch that|make that|or rather|rather|correction|oops)\b)/i;

/** "My favourite film is Arrival these days, sorry Ripley": what has changed is no slip of the tongue. */
const EXCUSES =
  /\b(?:now|these days|nowadays|any ?more)[,.…–— -]+sorry,? (?!no\b|I mean|not\b)\p{L}+[.!]*$/iu;

export const repairParts = (sentence: string): string[] => {
  const at = EXCUSES.test(sentence) ? null : REPAIR.exec(sentence);
  return at && at.index > 0
    ? [sentence.slice(0, at.index), sentence.slice(at.index + at[0].length)]
    : [sentence];
};

/** A star before the right word corrects the message before: "*Sunday". */
export const withMark = (message: string): string => message.replace(/^\*(?=[^\s*][^*]*$)/, 'Correction: ');
