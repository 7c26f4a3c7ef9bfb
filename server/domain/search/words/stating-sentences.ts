// Finds the sentences of a passage that state a memory, by the roots of their words.
import { createMemo } from '../../../lib/memo.ts';
import { rootsOf } from '../../../lib/text/derivations.ts';
import { sentenceRanges } from '../../../lib/text/sentences/sentence-ranges.ts';
import { memoryWords } from './memory-words.ts';

/** Less than this share of the words is chance. */
const STATES = 0.34;
/** This share states a memory also where another sentence states it better. */
const STATES_AGAIN = 0.75;
/** A shorter sentence counts as one of this many words: "Ida rows." states nothing about her bees. */
const SHORT = 3;

export interface SentenceWithRoots {
  start: number;
  end: number;
  roots: ReadonlySet<string>;
}

const readSentences = (text: string): readonly SentenceWithRoots[] =>
  sentenceRanges(text).map(({ start, end }) => ({
    start,
    end,
    roots: new Set(rootsOf(text.slice(start, end))),
  }));

/** In characters; about 12 MB, with those of the generation before: the searches of a tag find the same passages again. */
const MOST_CHARACTERS = 600_000;

const kept = createMemo<readonly SentenceWithRoots[]>(MOST_CHARACTERS, (text) => Math.max(1, text.length));

export const sentencesWithRoots = (text: string): readonly SentenceWithRoots[] =>
  kept(text, () => readSentences(text));

/** Memories name the speaker and the day where the sentence says "I" and "yesterday", so the shorter of both is whole. */
const shareIn = (sentence: ReadonlySet<string>, memory: ReadonlySet<string>): number => {
  let held = 0;
  for (const root of memory) if (sentence.has(root)) held += 1;
  if (held === 0) return 0;
  return held / (held > 1 ? Math.min(Math.max(sentence.size, SHORT), memory.size) : memory.size);
};

/** The places of the sentences that state the memory: those that hold most of its words. */
export const statingSentences = (
  sentences: readonly SentenceWithRoots[],
  memory: string,
): ReadonlySet<number> => {
  const roots = memoryWords(memory).englishRoots();
  const shares = sentences.map((sentence) => shareIn(sentence.roots, roots));
  const best = Math.max(0, ...shares);
  return new Set(
    shares.flatMap((share, at) => (share >= STATES_AGAIN || (share === best && share >= STATES) ? [at] : [])),
  );
};
