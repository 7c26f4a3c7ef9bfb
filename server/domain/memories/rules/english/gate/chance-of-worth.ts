// How likely a sentence deserves a memory, by a model that learned it from labelled sentences (`scripts/worth/`). It decides on
// sentences in which the grammar finds no statement: fragments, open pronouns, unusual wording.

import { rootsOf } from '../../../../../lib/text/derivations.ts';
import { likenessesTo } from '../../../../../lib/text/meanings/word-meanings.ts';
import { type BoostedTrees, probabilityBy } from '../../boosted-trees.ts';
import type { BriefFact } from '../../language.ts';
import { evidenceBy, type WordEvidence } from '../../word-weights.ts';
import { pairsIn, wordingOf } from '../../wording.ts';
import { clauseOf } from '../grammar/clause.ts';
import { isPersonNoun, isPetNoun } from '../grammar/people.ts';
import { verbTokensOf } from '../grammar/verbs.ts';
import { withoutOwner } from '../grammar/words.ts';
import { exclusionOf } from '../sentences/excluded.ts';
import { isVagueNoun, JUDGING, LIGHT, MENTAL, VAGUE_ACTS } from './vague-words.ts';
import { evidenceIn, isWorthKeeping, ownWords } from './worth.ts';
import model from './worth-model.json' with { type: 'json' };

const trees: BoostedTrees = model.trees;
const [evidence] = model.words.map(evidenceBy) as [WordEvidence];

export interface Weighed {
  /** As it was said, without openers. */
  readonly said: string;
  /** In the third person, with its days written out. */
  readonly memory: string;
  readonly fact: BriefFact | null;
  readonly names: readonly string[];
  readonly isDated: boolean;
  readonly isConversation: boolean;
}

const POS = [
  'NOUN',
  'PROPN',
  'VERB',
  'ADJ',
  'ADV',
  'PRON',
  'NUM',
  'INTJ',
  'DET',
  'ADP',
  'AUX',
  'CCONJ',
  'SCONJ',
];
const WHY = ['question', 'request', 'supposition', 'greeting', 'reaction'];

const FIELDS = [
  ['amazing wonderful beautiful', 'inspiring passion dream'],
  ['thanks proud happy glad', 'support encourage believe'],
  ['important life people world', 'journey challenge growth'],
  ['house flat city street', 'job company salary'],
  ['doctor illness allergy medicine', 'wife son daughter mother'],
  ['dog cat car bicycle', 'guitar football gym'],
  ['server database version software', 'price euro dollar'],
  ['meeting appointment monday', 'school exam teacher'],
];
const FIELD_OF = FIELDS.flatMap((words, field) => words.map(() => field));
const likenessToWords = likenessesTo(() => FIELDS.flat().map((words) => rootsOf(words)));

/** The likeness to the nearest words of each field. */
const likenessToFields = (memory: string): number[] => {
  const most = FIELDS.map(() => -1);
  for (const [at, likeness] of likenessToWords(rootsOf(memory)).entries()) {
    const field = FIELD_OF[at] ?? 0;
    most[field] = Math.max(most[field] ?? -1, likeness);
  }
  return most;
};

/** Signs in the words as they were said. */
const SIGNS: readonly RegExp[] = [
  /\b(?:I|my|me|mine|I'm|we|our|us)\b/i,
  /\b(?:you|your|yours|you're)\b/i,
  /^(?:it|that|this|these|those|there|what|which)\b/i,
  /^(?:he|she|they|him|her|them)\b/i,
  /!/,
  /…|\.\.\./,
  /\p{Extended_Pictographic}/u,
  /\b(?:so|really|very|such|too|totally|absolutely)\b/i,
  /\b(?:should|could|would|might|must|may|can)\b/i,
  /\b(?:hope|wish|wonder|guess|think|feel|know|believe|sure|maybe|perhaps)\b/i,
  /\b(?:not|no|never|n't)\b|n't\b/i,
  /\b(?:now|since|any ?more|no longer|instead|again|today|tomorrow|yesterday|last|next)\b/i,
  /\d/,
  /\d\s*(?:kg|g|km|m|cm|mg|ml|l|euros?|dollars?|pounds?|%|percent|am|pm|years?|months?|weeks?|days?|hours?|minutes?)\b|[€$£]|\d:\d\d/i,
  /:/,
  /^(?:if|when|while|because|although|since|as|unless|once)\b/i,
  /\b(?:please|let's|let us|try|don't forget|make sure|click|add|use|remember)\b/i,
  /\b(?:always|usually|every|never|only|prefer|favou?rite|allergic|hate|love|like|can't stand)\b/i,
  /\b(?:haha|lol|omg|wow|yay|ugh|oh|hm+|ha)\b/i,
];

const countOf = <T>(items: readonly T[], test: (item: T) => boolean): number => items.filter(test).length;

export const worthFeatures = ({ said, memory, fact, names, isDated, isConversation }: Weighed): number[] => {
  const tokens = verbTokensOf(memory);
  const own = ownWords(names);
  const clause = clauseOf(memory);
  const lemma = clause?.verb.lemma ?? '';
  const why = exclusionOf(said)?.why ?? '';
  const lowers = tokens.map(({ lower }) => withoutOwner(lower));
  const evidence = evidenceIn(tokens, own);
  const tense = { present: 0, past: 1, future: 2 }[clause?.verb.tense ?? 'present'];
  return [
    Math.min(40, tokens.length),
    evidence,
    evidence / Math.max(1, tokens.length),
    ...POS.map((pos) => countOf(tokens, (token) => token.pos === pos)),
    countOf(lowers, (lower) => JUDGING.has(lower)),
    countOf(lowers, isVagueNoun),
    countOf(tokens, ({ verb }) => verb !== undefined && MENTAL.has(verb.lemma)),
    countOf(lowers, (lower) => isPersonNoun(lower) || isPetNoun(lower)),
    countOf(tokens, ({ isKnown }) => !isKnown),
    countOf(tokens, ({ word, lower }) => /^\p{Lu}/u.test(word) && !own.has(withoutOwner(lower))),
    Number(clause !== null),
    Number(lemma === 'be'),
    Number(lemma === 'have'),
    Number(LIGHT.has(lemma)),
    Number(MENTAL.has(lemma)),
    Number(VAGUE_ACTS.has(lemma)),
    tense,
    Number(clause?.verb.perfect ?? false),
    Number(clause?.verb.progressive ?? false),
    Number(clause?.verb.negated ?? false),
    Number((clause?.verb.modal ?? null) !== null),
    Number(own.has(withoutOwner(verbTokensOf(clause?.subject ?? '')[0]?.lower ?? ''))),
    Number((fact?.slot ?? null) !== null),
    Number(fact?.isStatic ?? false),
    Number(fact?.introduces ?? false),
    Math.min(4, fact?.measures.length ?? 0),
    Number((fact?.ends.length ?? 0) > 0),
    Number(isDated),
    Number(isConversation),
    ...WHY.map((reason) => Number(why === reason)),
    Number(isWorthKeeping({ memory, fact, names, isDated, isConversation })),
    ...SIGNS.map((sign) => Number(sign.test(said))),
    ...likenessToFields(memory),
  ];
};

/** Its words, and those that begin and end it. */
export const worthWords = ({ said }: Pick<Weighed, 'said'>): string[] => {
  const words = wordingOf(said, (word, _root, at) => at > 0 && /^\p{Lu}\p{Ll}/u.test(word));
  return [...words, ...pairsIn(['^', ...words, '$'])];
};

/** Words alone that tell of small talk by far: nothing else is worth reading. */
const IDLE = -2;
export const isIdle = (said: string): boolean => evidence(worthWords({ said })) < IDLE;

/** Between 0 and 1. */
export const chanceOfWorth = (weighed: Weighed): number =>
  probabilityBy(trees, [...worthFeatures(weighed), evidence(worthWords(weighed))]);
