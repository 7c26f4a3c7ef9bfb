// The parts of a statement that the model of replacement compares: its words, names and measures, its verb, and its signs of
// change. They are read once, with the statement.

import { attributesIn } from '../../../../lib/text/attributes.ts';
import { analyse } from '../../../../lib/text/terms/analyse.ts';
import { rootOf } from '../../../../lib/text/terms/derivations.ts';
import type { Sketch } from '../language.ts';
import { wordingOf } from '../wording.ts';
import { isInVain, isWish } from './proposals.ts';

/** The signs in the words of a statement, each a feature of the model. */
const SIGNS: readonly RegExp[] = [
  /\b(?:now|nowadays|these days|currently|from now on|at the moment|as of|since|from next|this year)\b/i,
  /\b(?:no longer|any ?more|not any longer|any longer|stopped|gave up|given up|quit|ended|ceased|used to)\b/i,
  /\b(?:switch|chang|mov|migrat|replac|swap|convert|relocat|transfer|upgrad|renam|port|rewritten|rewrote|reschedul|postpon|extend|rais|lower|cut|bump)(?:e|es|ed|ing|s|d)?\b|\bput (?:off|back|forward|up)\b/i,
  /\b(?:new|first time|latest|freshly)\b/i,
  /\b(?:again|back|recovered|outgrown|outgrew|healed|fixed|repaired|mended|gone|better|fine)\b/i,
  /\b(?:also|too|as well|another|additionally|in addition|besides|other|second|both)\b/i,
  /\b(?:instead|rather than|in place of|from .+ to|took over|takes over|taken over|in favou?r of)\b/i,
  /\b(?:sold|cancel\w*|left|lost|died|dead|passed away|finished|completed|closed|dropped|ditched|resigned|retired|divorced|broke up|split up|dumped|fired|redundant|let .+ go|notice|stepped down|gave .+ away|terminated|expired|stolen|returned|removed|deleted|ripped out|paid off|goodbye|over|(?:is|are|was|were|came|comes) (?:off|out))\b/i,
  /\b(?:bought|got|started|starts|joined|began|found|hired|adopted|married|signed|moved in|opened|launched|picked up|appointed|elected|promoted|enrolled)\b/i,
  /\b(?:passed|submitted|handed in|won|delivered|born|gave birth|went well|done|arrived|accepted|approved|granted)\b/i,
  /\b(?:wrong|mistake|meant|correction|correct|actually|typo|turns out|in fact)\b/i,
  /\b(?:will|going to|plan\w*|wants?|would like|hopes?|might|applied|looking for|waiting for|expecting|pregnant|trying)\b/i,
  /\b(?:went|was|were|had|saw|visited|met|ran|did|ate|drank|attended|watched|paid)\b/i,
  /\b(?:every|each|daily|weekly|usually|always|often|(?:mon|tues|wednes|thurs|fri|satur|sun)days)\b/i,
  /\b(?:on|in the week of) (?:the \w+ of )?(?:\w+ )?\d{1,2} (?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)\w* \d{4}\b/i,
  /\b(?:since|from|as of|starting|until|till)\b/i,
  /\b(?:(?:until|till) (?:s?he|they|it|the|then|\p{Lu}\p{Ll}+ (?:is|are|has|comes|gets))\b|for (?:now|the (?:moment|time being)|(?:a|two|three|four|five|six|\d+) (?:days?|weeks?|nights?|months?)(?! (?:now|already)))|temporar\w*|meanwhile|in the meantime|this (?:once|time)|in the week of|only (?:on|this|today|for)|while)\b/iu,
];

export const SIGN_COUNT = SIGNS.length;
/** "Change", "move", "replace", in the table of signs. */
const CHANGING = 2;

const NAME = /(?<![.!?:] |^)\p{Lu}[\p{L}\p{N}'’&-]*/gu;
/** "Team A": the words of a text are longer. */
const LETTER = /(?<=\p{L} )\p{Lu}(?![\p{L}\p{N}'’.])/gu;
/** Words for the speaker, and words that only place a statement in time. */
const FRAME =
  /^(?:user|other|januari|februari|march|april|june|juli|august|septemb|octob|novemb|decemb|monday|tuesday|wednesday|thursday|friday|saturday|sunday|morn|even|yesterday|today|tomorrow|week|month|year|(?:19|20)\d\d)$/;

const rootsIn = (text: string): string[] =>
  analyse(text)
    .map(rootOf)
    .filter((root) => !FRAME.test(root));

/** The verb and subject of the main clause, as the grammar read them. */
export interface SketchedClause {
  readonly lemma: string;
  readonly tense: 'present' | 'past' | 'future';
  readonly perfect: boolean;
  readonly progressive: boolean;
  readonly negated: boolean;
  readonly modal: string | null;
  readonly isPerson: boolean;
  readonly key: string;
  readonly owner: string | null;
  readonly noun: string | null;
  /** The first word is a name where it is a person of that name. */
  readonly subject: string;
}

/** One clause that says of something that it goes on: "is still Mr Tran's supervisor", "boots 44 as ever". */
const GOES_ON =
  /^(?!.*(?:[,;]| but | and )).*(?:\bstill\b|\bremains? (?!of\b)|\brenewed$|\b(?:is|are|stays?|staying) put\b|\b(?:has|have) kept\b|\b(?:same as|as) (?:ever|before|always|usual|planned|agreed)$|\bunchanged(?: at\b|$)|\bstays?$|\b(?:do(?:es)? not|doesn't|don't|did not|didn't|has not|hasn't|have not|haven't) change)/iu;
/** ", naturally": a word or two behind the clause tell nothing of their own. */
const AFTERTHOUGHT = /,(?: (?!now\b|new\b|only\b)[\p{L}'’]+){1,3}$/u;
/** "hasn't retired"; but "hasn't smoked for a year" tells of a change. */
const NOT_YET = /^(?!.*\b(?:for|in|since|any ?more|any longer)\b)/i;

/** "También hemos adoptado un gato": the model knows the words of English alone. */
const ALSO =
  /(?<!\p{L})(?:auch|ebenfalls|außerdem|también|además|aussi|également|anche|inoltre|também)(?!\p{L})|[也又还](?=\p{Script=Han})/iu;

const goesOn = (memory: string, { negated, perfect }: SketchedClause): boolean =>
  GOES_ON.test(memory.replace(AFTERTHOUGHT, '')) ||
  ALSO.test(memory) ||
  (negated && perfect && NOT_YET.test(memory));

const CAN = /^(?:can|could)$/;

/** "can't change his week". */
const cannotChange = ({ lemma, negated, modal }: SketchedClause): boolean =>
  negated && CAN.test(modal ?? '') && SIGNS[CHANGING]?.test(lemma) === true;

/** "lives in Leeds, works at a bank and rides a moped". */
const BETWEEN_PARTS = /[,;] |: | and (?!others\b)| but | so | because /u;
const MOST_PARTS = 6;

const partsOf = (memory: string): string[][] => {
  const parts = memory
    .split(BETWEEN_PARTS)
    .map(rootsIn)
    .filter(({ length }) => length > 0);
  return parts.length > 1 ? parts.slice(0, MOST_PARTS) : [];
};

/** "Luca and the user are engaged" concerns both. */
const JOINED = /^(the user|\p{Lu}[\p{L}-]+) and (the user|\p{Lu}[\p{L}-]+)(?!['’\p{L}-])/iu;
const CONCERNS_USER = /\bthe user\b(?!['’])/i;

const keyOfPerson = (words: string): string => words.toLowerCase().replace(/^the /, '');

const othersIn = (memory: string): string[] => {
  const joined =
    JOINED.exec(memory)
      ?.slice(1)
      .filter((one) => /^\p{Lu}/u.test(one) || /^the user$/i.test(one)) ?? [];
  const keys = joined.length === 2 ? joined.map(keyOfPerson) : [];
  return [...new Set(CONCERNS_USER.test(memory) ? ['user', ...keys] : keys)];
};

/** They have features of their own. */
const DAY_OR_TIME =
  /\b\d{1,2} (?:january|february|march|april|may|june|july|august|september|october|november|december)(?: \d{4})?|\b(?:19|20)\d\d\b|\b\d{1,2}:\d\d\b/giu;
const NUMBERS = /(?<![\p{L}\p{N}.,])\d+(?:,\d{3})*(?:\.\d+)?(?![\p{N}])/gu;

const numbersIn = (memory: string): number[] =>
  (memory.replace(DAY_OR_TIME, ' ').match(NUMBERS) ?? []).map((one) => Number(one.replaceAll(',', '')));

export const FUTURE = 3;
const TENSES = { present: 0, past: 2, future: FUTURE } as const;

const LABEL = /^[^:]{2,40}(?=: )/;

/** The clause of a statement without a verb, or with one that the grammar does not know. */
export const NO_VERB = {
  lemma: 'be',
  tense: 'present',
  perfect: false,
  progressive: false,
  negated: false,
  modal: null,
} as const;

/** A line without a verb is about its label: "Monthly pass: 49 euros". */
const labelled = (memory: string): SketchedClause => {
  const [label = ''] = LABEL.exec(memory) ?? [];
  const noun = /^(?:the user|\p{Lu}\p{Ll}+)$/iu.test(label) ? '' : label;
  const name = noun === '' ? label.toLowerCase().replace(/^the /, '') : '';
  return {
    ...NO_VERB,
    isPerson: name !== '',
    key: name || noun.toLowerCase(),
    owner: null,
    noun: noun || null,
    subject: label,
  };
};

/** `read`: null for a statement without a verb. */
export const sketchOf = (memory: string, read: SketchedClause | null): Sketch => {
  const clause = read ?? labelled(memory);
  const own = clause.isPerson && /^\p{Lu}/u.test(clause.subject) ? clause.subject.split(/['’\s]/)[0] : '';
  const names = new Set([
    ...rootsIn(`${own} ${(memory.match(NAME) ?? []).join(' ')}`),
    ...(memory.match(LETTER) ?? []),
  ]);
  const words = new Set(rootsIn(memory).filter((root) => !names.has(root)));
  return {
    about: clause.isPerson ? clause.key : (clause.owner ?? clause.key),
    wording: wordingOf(memory, (word, root, at) => names.has(root) || (at > 0 && /^\p{Lu}/u.test(word))),
    parts: partsOf(memory),
    label: rootsIn(LABEL.exec(memory)?.[0] ?? ''),
    others: othersIn(memory),
    numbers: numbersIn(memory),
    words: [...words],
    names: [...names],
    attributes: attributesIn(memory),
    signs: SIGNS.flatMap((sign, place) => (sign.test(memory) ? [place] : [])),
    verb: rootsIn(clause.lemma)[0] ?? clause.lemma,
    tense: clause.perfect ? 1 : TENSES[clause.tense],
    isNegated: clause.negated,
    leavesAll: goesOn(memory, clause) || cannotChange(clause) || isInVain(memory),
    isWish: isWish(memory),
    // "Piotr can't come" is so, and no supposition.
    isModal: clause.modal !== null && !(clause.negated && CAN.test(clause.modal)),
    isProgressive: clause.progressive,
    isPerson: clause.isPerson,
    noun: clause.noun === null ? [] : rootsIn(clause.noun),
  };
};
