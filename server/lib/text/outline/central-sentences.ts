// Finds the sentences that say most of what the rest of a text says too, by their words alone.

import { countFunctionWords, FUNCTION_WORDS } from '../language/function-words.ts';
import { splitWords, termsOfWords } from '../terms/analyse.ts';

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

/** The words of grammar of the language in which most of the text is; of English ones the analysis keeps none. */
const grammarOf = (words: readonly string[]): ReadonlySet<string> => {
  const { english, others } = countFunctionWords(words);
  const [language, count] = others.reduce((best, other) => (other[1] > best[1] ? other : best));
  return count > english ? FUNCTION_WORDS[language] : new Set();
};

const termSets = (sentences: readonly string[]): ReadonlySet<string>[] => {
  const words = sentences.map(splitWords);
  const grammar = grammarOf(words.flat());
  const kept = grammar.size === 0 ? words : words.map((all) => all.filter((word) => !grammar.has(word)));
  return kept.map((all) => new Set(termsOfWords(all)));
};

/** By word: its rarity among the sentences, times the number of other sentences that hold it; missing: no other does. */
const sharedWeights = (sets: readonly ReadonlySet<string>[]): Map<string, number> => {
  const holding = new Map<string, number>();
  for (const set of sets) for (const term of set) holding.set(term, (holding.get(term) ?? 0) + 1);
  const rarity = (count: number): number => Math.log(1 + (sets.length - count + 0.5) / (count + 0.5));
  const weights = new Map<string, number>();
  // Most words stand in one sentence, and weigh nothing.
  for (const [term, count] of holding) if (count > 1) weights.set(term, (count - 1) * rarity(count));
  return weights;
};

export interface SummaryRoom {
  /** The most characters of all chosen sentences together. */
  readonly characters: number;
  /** The characters between two sentences. */
  readonly gap: number;
}

/** The numbers of the most central sentences that fit, ascending; none where the sentences share no words. */
export const centralSentences = (all: readonly string[], { characters, gap }: SummaryRoom): number[] => {
  const sentences = all.slice(0, MOST_SENTENCES);
  const sets = termSets(sentences);
  const weights = sharedWeights(sets);
  const scoreOf = (at: number): number => {
    const terms = sets[at] ?? new Set();
    if (terms.size < FEWEST_TERMS) return 0;
    let sum = 0;
    for (const term of terms) sum += weights.get(term) ?? 0;
    const weight = /[!！]$/.test(sentences[at] ?? '') ? EXCLAIMED : 1;
    return (sum / terms.size ** LENGTH_POWER) * (1 + LEAD / (1 + at)) * weight;
  };
  const chosen = new Set<number>();
  let room = characters;
  let least = 0;
  for (;;) {
    const open = sentences.keys().filter((at) => !chosen.has(at) && (sentences[at]?.length ?? 0) <= room);
    const best = open
      .map((at) => ({ at, score: scoreOf(at) }))
      .reduce((a, b) => (b.score > a.score ? b : a), { at: -1, score: 0 });
    if (best.at < 0 || best.score < least) return [...chosen].sort((a, b) => a - b);
    least ||= best.score * LEAST_SHARE;
    chosen.add(best.at);
    room -= (sentences[best.at]?.length ?? 0) + gap;
    for (const term of sets[best.at] ?? []) {
      const weight = weights.get(term);
      if (weight !== undefined) weights.set(term, weight * SAID_ALREADY);
    }
  }
};
