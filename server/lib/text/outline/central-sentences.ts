// Finds the sentences that say most of what the rest of a text says too, by their words alone.

import { countLanguages } from '../language/function-words.ts';
import { termsOfWords, type Word } from '../terms/analyse.ts';
import type { ReadSentence } from './read-sentences.ts';

/** More sentences than a text of 10,000 characters usually has. */
const MOST_SENTENCES = 200;
/** The first sentences introduce the subject: the very first counts half as much again. */
const LEAD = 0.5;
/** A sentence with less of the best one's weight says something else. */
const LEAST_SHARE = 0.35;
/** What a word still weighs after a chosen sentence said it. */
const SAID_ALREADY = 0.3;
/** Long sentences hold more words; the weight counts for the room that they take. */
const LENGTH_POWER = 0.5;
const FEWEST_TERMS = 3;
/** "Wow, that's great, Mel!" holds the names of all speakers and says little. */
const EXCLAIMED = 0.4;

/** The terms of sentences by number, each once in a sentence. */
interface NumberedTerms {
  readonly bySentence: readonly (readonly number[])[];
  /** By the number of a term: the number of sentences that hold it. */
  readonly holding: readonly number[];
}

/** The number of the language in which most of the text is; null for English, of whose words of grammar there are no terms. */
const languageOf = (words: readonly Word[]): number | null => {
  const { english, others } = countLanguages(words);
  const most = Math.max(...others.map(([, count]) => count));
  return most > english ? others.findIndex(([, count]) => count === most) : null;
};

/** Without the words of grammar. */
const numberTerms = (sentences: readonly ReadSentence[]): NumberedTerms => {
  const words = sentences.map((sentence) => sentence.words());
  const language = languageOf(words.flat());
  const numbers = new Map<string, number>();
  const holding: number[] = [];
  const lastIn: number[] = [];
  const bySentence = words.map((all, at) => {
    const kept = language === null ? all : all.filter(({ languages }) => !languages.includes(language));
    return termsOfWords(kept).flatMap((term) => {
      const number = numbers.get(term) ?? numbers.size;
      if (number === numbers.size) numbers.set(term, number);
      if (lastIn[number] === at) return [];
      lastIn[number] = at;
      holding[number] = (holding[number] ?? 0) + 1;
      return [number];
    });
  });
  return { bySentence, holding };
};

/** By the number of a term: its rarity among the sentences, times the number of other sentences that hold it. */
const sharedWeights = ({ bySentence, holding }: NumberedTerms): number[] => {
  const rarity = (count: number): number => Math.log(1 + (bySentence.length - count + 0.5) / (count + 0.5));
  // Most words stand in one sentence, and weigh nothing.
  return holding.map((count) => (count > 1 ? (count - 1) * rarity(count) : 0));
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
  const terms = numberTerms(sentences);
  const weights = sharedWeights(terms);
  const scoreOf = (at: number): number => {
    const own = terms.bySentence[at] ?? [];
    if (own.length < FEWEST_TERMS) return 0;
    let sum = 0;
    for (const number of own) sum += weights[number] ?? 0;
    const weight = /[!！]$/.test(sentences[at]?.text ?? '') ? EXCLAIMED : 1;
    return (sum / own.length ** LENGTH_POWER) * (1 + LEAD / (1 + at)) * weight;
  };
  const chosen = new Set<number>();
  let room = characters;
  let least = 0;
  for (;;) {
    let best = { at: -1, score: 0 };
    for (const [at, { text }] of sentences.entries()) {
      if (chosen.has(at) || text.length > room) continue;
      const score = scoreOf(at);
      if (score > best.score) best = { at, score };
    }
    if (best.at < 0 || best.score < least) return [...chosen].sort((a, b) => a - b);
    least ||= best.score * LEAST_SHARE;
    chosen.add(best.at);
    room -= (sentences[best.at]?.text.length ?? 0) + gap;
    for (const number of terms.bySentence[best.at] ?? [])
      weights[number] = (weights[number] ?? 0) * SAID_ALREADY;
  }
};
