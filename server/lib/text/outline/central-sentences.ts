// Finds the sentences that say most of what the rest of a text says too, by their words alone.

import { hash32 } from '../../hash.ts';
import { countLanguages, hasLanguage } from '../language/function-words.ts';
import type { Word } from '../terms/analyse.ts';
import { createTermNumbers } from '../terms/terms.ts';
import type { ReadSentence } from './read-sentences.ts';

/** More sentences than a text of 10,000 characters usually has. */
const MOST_SENTENCES = 200;
/** The first sentences introduce the subject: the very first counts half as much again. */
const LEAD = 0.5;
/** A sentence with less of the best one's weight says something else. */
const LEAST_SHARE = 0.35;
/** The weight that a word keeps after a chosen sentence said it. */
const SAID_ALREADY = 0.3;
/** Long sentences hold more words; the weight counts for the room that they take. */
const LENGTH_POWER = 0.5;
const FEWEST_TERMS = 3;
/** "Wow, that's great, Mel!" holds the names of all speakers and says little. */
const EXCLAIMED = 0.4;

/** The terms of sentences by number, each once in a sentence. Lists of whole numbers alone, so that V8 compiles their code once. */
interface NumberedTerms {
  /** One sentence behind the other. */
  readonly terms: readonly number[];
  /** The end of each sentence among the terms. */
  readonly ends: readonly number[];
  /** By the number of a term: the number of sentences that hold it. */
  readonly holding: readonly number[];
}

/** The number of the language in which most of the text is; null for English, of whose words of grammar there are no terms. */
const languageOf = (sentences: readonly (readonly Word[])[]): number | null => {
  const { english, others } = countLanguages(sentences);
  const most = Math.max(...others.map(([, count]) => count));
  return most > english ? others.findIndex(([, count]) => count === most) : null;
};

const numbers = createTermNumbers();

/** Without the words of grammar. */
const numberTerms = (sentences: readonly ReadSentence[]): NumberedTerms => {
  const words = sentences.map((sentence) => sentence.words());
  const language = languageOf(words);
  numbers.clear();
  const terms: number[] = [];
  const ends: number[] = [];
  const holding: number[] = [];
  const lastIn: number[] = [];
  const add = (term: string, hash: number, sentence: number): void => {
    const number = numbers.of(term, hash);
    if (number === holding.length) {
      terms.push(number);
      holding.push(1);
      lastIn.push(sentence);
    } else if (lastIn[number] !== sentence) {
      terms.push(number);
      holding[number] = (holding[number] as number) + 1;
      lastIn[number] = sentence;
    }
  };
  for (const all of words) {
    const sentence = ends.length;
    const kept = language === null ? all : all.filter(({ languages }) => !hasLanguage(languages, language));
    for (const { terms: own, hash } of kept)
      if (typeof own === 'string') add(own, hash, sentence);
      else for (const term of own) add(term, hash32(term), sentence);
    ends.push(terms.length);
  }
  return { terms, ends, holding };
};

/** By the number of a term: its rarity among the sentences, times the number of other sentences that hold it. */
const sharedWeights = ({ ends, holding }: NumberedTerms): Float64Array => {
  const rarity = (count: number): number => Math.log(1 + (ends.length - count + 0.5) / (count + 0.5));
  const weights = new Float64Array(holding.length);
  // Most words stand in one sentence, and weigh nothing.
  for (const [number, count] of holding.entries())
    if (count > 1) weights[number] = (count - 1) * rarity(count);
  return weights;
};

/** A sentence while it may be chosen. */
interface Candidate {
  readonly at: number;
  readonly length: number;
  /** Its terms among those of all sentences. */
  readonly from: number;
  readonly to: number;
  /** The length of its list of terms counts so much. */
  readonly divisor: number;
  readonly lead: number;
  readonly weight: number;
}

const candidatesOf = (sentences: readonly ReadSentence[], ends: readonly number[]): Candidate[] => {
  const candidates: Candidate[] = [];
  let from = 0;
  for (const [at, { text }] of sentences.entries()) {
    const to = ends[at] as number;
    const weight = text.endsWith('!') || text.endsWith('！') ? EXCLAIMED : 1;
    const divisor = (to - from) ** LENGTH_POWER;
    // Others never score.
    if (to - from >= FEWEST_TERMS)
      candidates.push({ at, length: text.length, from, to, divisor, lead: 1 + LEAD / (1 + at), weight });
    from = to;
  }
  return candidates;
};

/** By what its words still weigh. */
const scoreOf = (
  { from, to, divisor, lead, weight }: Candidate,
  terms: readonly number[],
  weights: Float64Array,
): number => {
  let sum = 0;
  for (let place = from; place < to; place += 1) sum += weights[terms[place] as number] as number;
  return (sum / divisor) * lead * weight;
};

export interface SummaryRoom {
  /** The most characters of all chosen sentences together. */
  readonly characters: number;
  /** The characters between two sentences. */
  readonly gap: number;
}

/** The numbers of the most central sentences that fit, ascending; none where the sentences share no words. */
export const centralSentences = (
  all: readonly ReadSentence[],
  { characters, gap }: SummaryRoom,
): number[] => {
  const sentences = all.slice(0, MOST_SENTENCES);
  const numbered = numberTerms(sentences);
  const { terms, ends } = numbered;
  const weights = sharedWeights(numbered);
  const left = new Set(candidatesOf(sentences, ends));
  const chosen: number[] = [];
  let room = characters;
  let least = 0;
  for (;;) {
    let best: Candidate | null = null;
    let most = 0;
    for (const candidate of left) {
      if (candidate.length > room) continue;
      const score = scoreOf(candidate, terms, weights);
      if (score <= most) continue;
      most = score;
      best = candidate;
    }
    if (best === null || most < least) return chosen.sort((a, b) => a - b);
    least ||= most * LEAST_SHARE;
    left.delete(best);
    chosen.push(best.at);
    room -= best.length + gap;
    for (let place = best.from; place < best.to; place += 1)
      (weights[terms[place] as number] as number) *= SAID_ALREADY;
  }
};
