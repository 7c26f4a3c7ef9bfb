// Shows a passage without what was forgotten: sentences that state only forgotten or expired memories are cut out of it.
import type { ChunkRecord } from '../../../adapters/store/ports/documents.ts';
import type { RecallStore, StatedMemory } from '../../../adapters/store/ports/memories/recall.ts';
import type { Scope } from '../../../core/scope.ts';
import { sentencesWithRoots, statingSentences } from '../words/stating-sentences.ts';

/** The text without the sentences that state only what is forgotten; empty if they were all. */
export const withoutForgotten = (text: string, drawn: readonly StatedMemory[]): string => {
  const passage = sentencesWithRoots(text);
  const stating = (forgotten: boolean) =>
    new Set(
      drawn
        .filter(({ isForgotten }) => isForgotten === forgotten)
        .flatMap(({ memory }) => [...statingSentences(passage, memory)]),
    );
  const gone = stating(true);
  if (gone.size === 0) return text;
  const live = stating(false);
  return passage.sentences
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
