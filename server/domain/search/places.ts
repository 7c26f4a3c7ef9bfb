// Where passages stand in their documents, counted as the list of a document's chunks counts.
import type { ChunkRecord, SearchStore } from '../../adapters/store/port.ts';
import type { Scope } from '../../lib/scope.ts';

/** By number. Before the pieces of a document's first text stand only its other pieces: they need not be counted. */
export async function placesOf(
  store: SearchStore,
  scope: Scope,
  chunks: readonly ChunkRecord[],
): Promise<Map<number, number>> {
  const later = chunks.filter(({ position }) => position > 0).map(({ n }) => n);
  const places = later.length === 0 ? new Map<number, number>() : await store.places(scope, later);
  for (const { n, position, part } of chunks) if (position === 0) places.set(n, part);
  return places;
}
