// Chunks and memories as searches weigh them, in the memory of this process. Each statement that finds them tells the
// transaction that last wrote the row, so that nothing that changed is taken from here.
import { LRUCache } from 'lru-cache';
import type { RankedUnit, UnitCache } from '../engine/engine.ts';
import { keptByDatabase } from '../engine/kept-by-database.ts';

const MOST_BYTES = 64 * 1024 * 1024;
/** For the objects, and the place in the cache. */
const BYTES_OF_A_UNIT = 400;

interface KeptUnit {
  readonly version: number;
  readonly unit: RankedUnit;
}

/** Of all scopes together. */
const unitsInMemory = keptByDatabase(
  () =>
    new LRUCache<number, KeptUnit>({
      maxSize: MOST_BYTES,
      sizeCalculation: ({ unit }) => unit.terms.byteLength + BYTES_OF_A_UNIT,
    }),
);

export const postgresUnitCache: UnitCache = {
  find(db, n, version) {
    const kept = unitsInMemory(db).get(n);
    return kept?.version === version ? kept.unit : undefined;
  },
  keep(db, version, unit) {
    // The terms of all units that were read together share their memory.
    const own = { ...unit, terms: unit.terms.slice() };
    unitsInMemory(db).set(own.n, { version, unit: own });
    return own;
  },
};
