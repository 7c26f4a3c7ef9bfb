// Finds the sentences of a passage that state a memory, by the roots of their words.
import { createMemo } from '../../../lib/memo.ts';
import { sentenceRanges } from '../../../lib/text/sentences/sentence-ranges.ts';
import { rootsOf } from '../../../lib/text/terms/derivations.ts';
import { memoryWords } from './memory-words.ts';

/** Less than this share of the words is chance. */
const STATES = 0.34;
/** A sentence with this share of the words states a memory even where another one states it better. */
const STATES_AGAIN = 0.75;
/** A shorter sentence counts as one of this many words: "Ida rows." states nothing about her bees. */
const SHORT = 3;

export interface SentenceWithRoots {
  readonly start: number;
  readonly end: number;
  /** The number of its roots. */
  readonly size: number;
}

/** The sentences of a passage, and those that hold a root by their places: a search compares each with hundreds of roots. */
export interface PassageSentences {
  readonly sentences: readonly SentenceWithRoots[];
  readonly holding: ReadonlyMap<string, readonly number[]>;
}

const readSentences = (text: string): PassageSentences => {
  const holding = new Map<string, number[]>();
  const sentences = sentenceRanges(text).map(({ start, end }, at) => {
    const roots = new Set(rootsOf(text.slice(start, end)));
    for (const root of roots) {
      const places = holding.get(root);
      if (places) places.push(at);
      else holding.set(root, [at]);
    }
    return { start, end, size: roots.size };
  });
  return { sentences, holding };
};

/** In characters; about 12 MB, with those of the generation before: the searches of a tag find the same passages again. */
const MOST_CHARACTERS = 600_000;

const kept = createMemo<PassageSentences>(MOST_CHARACTERS, (text) => Math.max(1, text.length));

export const sentencesWithRoots = (text: string): PassageSentences => kept(text, () => readSentences(text));

/** For each sentence, the number of these roots that it holds. */
export const countHeldRoots = (
  { sentences, holding }: PassageSentences,
  roots: Iterable<string>,
): readonly number[] => {
  const counts = sentences.map(() => 0);
  for (const root of roots) for (const at of holding.get(root) ?? []) counts[at] = (counts[at] ?? 0) + 1;
  return counts;
};

/** Memories name the speaker and the day where the sentence says "I" and "yesterday", so the shorter of both is whole. */
const shareIn = (held: number, sentence: number, memory: number): number => {
  if (held === 0) return 0;
  return held / (held > 1 ? Math.min(Math.max(sentence, SHORT), memory) : memory);
};

/** The places of the sentences that state the memory: those that hold most of its words. */
export const statingSentences = (passage: PassageSentences, memory: string): ReadonlySet<number> => {
  const roots = memoryWords(memory).englishRoots();
  const shares = countHeldRoots(passage, roots).map((held, at) =>
    shareIn(held, passage.sentences[at]?.size ?? 0, roots.size),
  );
  const best = Math.max(0, ...shares);
  return new Set(
    shares.flatMap((share, at) => (share >= STATES_AGAIN || (share === best && share >= STATES) ? [at] : [])),
  );
};
