// Shows a passage without what was forgotten: sentences that state only forgotten or expired memories are cut out of it.
import type { ChunkRecord } from '../../../adapters/store/ports/documents.ts';
import type { RecallStore, StatedMemory } from '../../../adapters/store/ports/recall.ts';
import type { Scope } from '../../../core/scope.ts';
import { rootsOf } from '../../../lib/text/derivations.ts';
import { sentenceRanges } from '../../../lib/text/sentences/sentence-ranges.ts';

/** Less than this share of the words is chance. */
const STATES = 0.34;
/** This share states a memory also where another sentence states it better. */
const STATES_AGAIN = 0.75;
/** A shorter sentence counts as one of this many words: "Ida rows." states nothing about her bees. */
const SHORT = 3;

/** Memories name the speaker and the day where the sentence says "I" and "yesterday", so the shorter of both is whole. */
const shareIn = (sentence: ReadonlySet<string>, memory: ReadonlySet<string>): number => {
  const held = [...memory].filter((root) => sentence.has(root)).length;
  if (held === 0) return 0;
  return held / (held > 1 ? Math.min(Math.max(sentence.size, SHORT), memory.size) : memory.size);
};

/** The sentences that state the memory: those that hold most of its words. */
const statingSentences = (sentences: readonly ReadonlySet<string>[], memory: string): ReadonlySet<number> => {
  const roots = new Set(rootsOf(memory));
  const shares = sentences.map((sentence) => shareIn(sentence, roots));
  const best = Math.max(0, ...shares);
  return new Set(
    shares.flatMap((share, at) => (share >= STATES_AGAIN || (share === best && share >= STATES) ? [at] : [])),
  );
};

/** The text without the sentences that state only what is forgotten; empty if they were all. */
export const withoutForgotten = (text: string, drawn: readonly StatedMemory[]): string => {
  const ranges = sentenceRanges(text);
  const sentences = ranges.map(({ start, end }) => new Set(rootsOf(text.slice(start, end))));
  const stating = (forgotten: boolean) =>
    new Set(
      drawn
        .filter(({ isForgotten }) => isForgotten === forgotten)
        .flatMap(({ memory }) => [...statingSentences(sentences, memory)]),
    );
  const gone = stating(true);
  if (gone.size === 0) return text;
  const live = stating(false);
  return ranges
    .filter((_, at) => !gone.has(at) || live.has(at))
    .map(({ start, end }) => text.slice(start, end))
    .join('')
    .trimEnd();
};

/** Chunks as they may be shown: without those whose memories are all forgotten, and without what is forgotten in others. */
export type Conceal = <Chunk extends ChunkRecord>(chunks: readonly Chunk[]) => Promise<Chunk[]>;

export const concealNothing: Conceal = async (chunks) => [...chunks];

export const concealForgotten =
  ({ recall, scope }: { readonly recall: RecallStore; readonly scope: Scope }): Conceal =>
  async (chunks) => {
    const drawn = await recall.drawn(scope, [...new Set(chunks.map(({ n }) => n))]);
    return chunks.flatMap((chunk) => {
      const memories = drawn.get(chunk.n) ?? [];
      if (!memories.some(({ isForgotten }) => isForgotten)) return [chunk];
      if (memories.every(({ isForgotten }) => isForgotten)) return [];
      const text = withoutForgotten(chunk.text, memories);
      return text === '' ? [] : [{ ...chunk, text }];
    });
  };
