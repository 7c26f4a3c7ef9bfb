// Chunks, memories and documents as searches read them, in the memory of this process. Each statement that finds them tells the
// transaction that last wrote the row, so that nothing that changed is taken from here.
import { LRUCache } from 'lru-cache';
import type { RowCache, RowCaches } from '../engine/engine.ts';
import { keptByDatabase } from '../engine/kept-by-database.ts';

const MB = 1024 * 1024;
/** For the objects, and the place in the cache. */
const BYTES_OF_A_ROW = 400;
const BYTES_OF_A_CHARACTER = 2;

interface KeptRow<Kept> {
  readonly version: number;
  readonly row: Kept;
}

interface CacheOptions<Kept> {
  readonly mostBytes: number;
  /** Beside the object itself. */
  readonly bytes: (row: Kept) => number;
  /** A row that shares nothing with what was read together with it. */
  readonly own?: (row: Kept) => Kept;
}

/** Of all scopes together. */
const createRowCache = <Kept extends { readonly n: number }>({
  mostBytes,
  bytes,
  own = (row) => row,
}: CacheOptions<Kept>): RowCache<Kept> => {
  const rowsInMemory = keptByDatabase(
    () =>
      new LRUCache<number, KeptRow<Kept>>({
        maxSize: mostBytes,
        sizeCalculation: ({ row }) => BYTES_OF_A_ROW + Math.ceil(bytes(row)),
      }),
  );
  return {
    holds: (db, n) => rowsInMemory(db).has(n),
    find(db, n, version) {
      const kept = rowsInMemory(db).get(n);
      return kept?.version === version ? kept.row : undefined;
    },
    keep(db, version, read) {
      const row = own(read);
      rowsInMemory(db).set(row.n, { version, row });
      return row;
    },
  };
};

const inMemory = (...texts: readonly (string | null)[]): number =>
  BYTES_OF_A_CHARACTER * texts.reduce((sum, text) => sum + (text?.length ?? 0), 0);

const metadataText = (metadata: object | null): string | null =>
  metadata === null ? null : JSON.stringify(metadata);

export const postgresRowCaches: RowCaches = {
  units: createRowCache({
    mostBytes: 64 * MB,
    bytes: ({ terms }) => terms.byteLength,
    own: (unit) => ({ ...unit, terms: unit.terms.slice() }),
  }),
  chunks: createRowCache({
    mostBytes: 64 * MB,
    bytes: ({ text, title, metadata }) => inMemory(text, title, metadataText(metadata)),
  }),
  sources: createRowCache({
    mostBytes: 16 * MB,
    bytes: ({ title, summary, metadata }) => inMemory(title, summary, metadataText(metadata)),
  }),
};
