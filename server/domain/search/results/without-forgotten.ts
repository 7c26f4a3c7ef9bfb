// Shows a passage without what was forgotten: sentences that state forgotten or expired memories are cut out of it.
import type { ChunkRecord } from '../../../adapters/store/ports/documents.ts';
import type { RecallStore } from '../../../adapters/store/ports/memories/recall.ts';
import type { Scope } from '../../../core/scope.ts';
import { sentencesWithRoots, statingSentences } from '../words/stating-sentences.ts';

/**
 * The text without the sentences that state what is forgotten; empty if they were all. What else such a sentence states is a
 * memory, which is found by itself.
 */
export const withoutForgotten = (text: string, forgotten: readonly string[]): string => {
  const passage = sentencesWithRoots(text);
  const gone = new Set(forgotten.flatMap((memory) => [...statingSentences(passage, memory)]));
  if (gone.size === 0) return text;
  return passage.sentences
    .filter((_, at) => !gone.has(at))
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
      const gone = memories.flatMap(({ memory, isForgotten }) => (isForgotten ? [memory] : []));
      if (gone.length === 0) return [chunk];
      if (gone.length === memories.length) return [];
      const text = withoutForgotten(chunk.text, gone);
      return text === '' ? [] : [{ ...chunk, text }];
    });
  };
