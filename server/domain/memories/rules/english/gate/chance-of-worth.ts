// The chance that a sentence deserves a memory, by a model that learned it from labelled sentences (`scripts/worth/`). It decides on
// sentences in which the grammar finds no statement: fragments, open pronouns, unusual wording.

import { createRequire } from 'node:module';
import { createMemo } from '../../../../../lib/memo.ts';
import { once } from '../../../../../lib/once.ts';
import { likenessesTo } from '../../../../../lib/text/meanings/word-meanings.ts';
import { rootsOf } from '../../../../../lib/text/terms/derivations.ts';
import { type BoostedTrees, probabilityBy } from '../../boosted-trees.ts';
import type { BriefFact } from '../../language.ts';
import { evidenceInOrderBy } from '../../word-weights.ts';
import { pairsIn, wordingOf } from '../../wording.ts';
import { clauseOf } from '../grammar/clause.ts';
import { isPersonNoun, isPetNoun } from '../grammar/people.ts';
import { type VerbToken, verbTokensOf } from '../grammar/verbs.ts';
import { withoutOwner } from '../grammar/words.ts';
import { exclusionOf } from '../sentences/excluded.ts';
import { isVagueNoun, JUDGING, LIGHT, MENTAL, VAGUE_ACTS } from './vague-words.ts';
import { evidenceIn, isWorthKeeping, ownWords } from './worth.ts';

/** Loaded on first use. */
const learned = once(() => {
  const model = createRequire(import.meta.url)('./worth-model.json') as typeof import('./worth-model.json');
  const [evidence] = model.words.map(evidenceInOrderBy) as [(words: readonly string[]) => number];
  const trees: BoostedTrees = model.trees;
  return { trees, evidence };
});

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

const PLACE_OF_POS: ReadonlyMap<string, number> = new Map(POS.map((pos, at) => [pos, at]));

/** The number of words of each part of speech, and of some kinds. */
const countsOf = (tokens: readonly VerbToken[], own: ReadonlySet<string>): readonly number[] => {
  const parts = POS.map(() => 0);
  let [judging, vague, mental, people, unknown, capitals] = [0, 0, 0, 0, 0, 0];
  for (const { pos, word, lower, verb, isKnown } of tokens) {
    const plain = withoutOwner(lower);
    const place = PLACE_OF_POS.get(pos);
    if (place !== undefined) (parts[place] as number) += 1;
    if (JUDGING.has(plain)) judging += 1;
    if (isVagueNoun(plain)) vague += 1;
    if (verb !== undefined && MENTAL.has(verb.lemma)) mental += 1;
    if (isPersonNoun(plain) || isPetNoun(plain)) people += 1;
    if (!isKnown) unknown += 1;
    if (/^\p{Lu}/u.test(word) && !own.has(plain)) capitals += 1;
  }
  return [...parts, judging, vague, mental, people, unknown, capitals];
};

export const worthFeatures = ({ said, memory, fact, names, isDated, isConversation }: Weighed): number[] => {
  const tokens = verbTokensOf(memory);
  const own = ownWords(names);
  const clause = clauseOf(memory);
  const lemma = clause?.verb.lemma ?? '';
  const why = exclusionOf(said)?.why ?? '';
  const evidence = evidenceIn(tokens, own);
  const tense = { present: 0, past: 1, future: 2 }[clause?.verb.tense ?? 'present'];
  return [
    Math.min(40, tokens.length),
    evidence,
    evidence / Math.max(1, tokens.length),
    ...countsOf(tokens, own),
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

const isNameInside = (word: string, _root: string, at: number): boolean =>
  at > 0 && /^\p{Lu}\p{Ll}/u.test(word);

/** Its words between marks of its beginning and its end. */
const bounded = (said: string): string[] => ['^', ...wordingOf(said, isNameInside), '$'];

/** Its words, and those that begin and end it. */
export const worthWords = ({ said }: Pick<Weighed, 'said'>): string[] => {
  const words = bounded(said);
  return [...words.slice(1, -1), ...pairsIn(words)];
};

const remembered = createMemo<number>(64);
const evidenceOf = (said: string): number => remembered(said, () => learned().evidence(bounded(said)));

/** Words alone that tell of small talk, so that the sentence is not worth keeping as it was said. */
const IDLE = -0.8;
/** Of a greeting or a reaction, which mostly says nothing else. */
const IDLE_REACTION = 0.5;
export const isIdle = (said: string, isReaction: boolean): boolean =>
  evidenceOf(said) < (isReaction ? IDLE_REACTION : IDLE);

const OF_SPEAKER = /^(?:I|my|we|our)\b/i;
const NAMES_SOMETHING = /\d|\s\p{Lu}\p{Ll}/u;
const SMALL_TALK = -2;
/** Of the speaker, or of something with a name or a number. */
const SMALL_TALK_OF_SOMEBODY = -3;

/** By far: the grammar need not read it. Of the sentences of chats that give a memory, four in a thousand are below. */
export const isSmallTalk = (said: string): boolean => {
  const found = evidenceOf(said);
  if (found >= SMALL_TALK) return false;
  return found < SMALL_TALK_OF_SOMEBODY || !(OF_SPEAKER.test(said) || NAMES_SOMETHING.test(said));
};

/** Between 0 and 1. */
export const chanceOfWorth = (weighed: Weighed): number =>
  probabilityBy(learned().trees, [...worthFeatures(weighed), evidenceOf(weighed.said)]);

/** A statement that the grammar makes is kept unless the model doubts it by far. */
const DOUBTED = 0.4;
export const isDoubted = (weighed: Weighed): boolean => chanceOfWorth(weighed) < DOUBTED;
