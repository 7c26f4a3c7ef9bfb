// The positions of passages in their documents, as the list of a document's chunks counts them.
import type { ChunkRecord } from '../../../adapters/store/ports/documents.ts';
import type { ScopedStore } from '../scoped-store.ts';

/** By chunk number. Only pieces of the same text precede the pieces of a document's first text: `part` is their position. */
export const chunkPositions = async (
  { store, scope }: ScopedStore,
  chunks: readonly ChunkRecord[],
): Promise<Map<number, number>> => {
  const later = chunks.filter(({ position }) => position > 0).map(({ n }) => n);
  const positions = later.length === 0 ? new Map<number, number>() : await store.places(scope, later);
  for (const { n, position, part } of chunks) if (position === 0) positions.set(n, part);
  return positions;
};
