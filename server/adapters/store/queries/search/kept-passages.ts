// The passages that searches of tags have read, until anything is written: to read those of one search is a third of its work.
import type { Reach } from '../../../../core/scope.ts';
import { engineOf } from '../../engine/engine.ts';
import { keptByDatabase } from '../../engine/kept-by-database.ts';
import type { ChunkWithDocument } from '../../ports/search.ts';
import type { Db } from '../../tables/tables.ts';

interface KeptPassages {
  /** The state of the database in which they were read; null: of none. */
  state: number | null;
  count: number;
  /** By the tags of a reach, and by number. */
  readonly scopes: Map<string, Map<number, ChunkWithDocument>>;
}

/** About 5 MB of ordinary passages, for each thread that searches. */
const MOST_PASSAGES = 2_000;

const keptOf = keptByDatabase((): KeptPassages => ({ state: null, count: 0, scopes: new Map() }));

const inState = (kept: KeptPassages, tags: string, state: number): Map<number, ChunkWithDocument> => {
  if (kept.state !== state || kept.count > MOST_PASSAGES) {
    kept.scopes.clear();
    kept.count = 0;
  }
  kept.state = state;
  const scope = kept.scopes.get(tags) ?? new Map();
  kept.scopes.set(tags, scope);
  return scope;
};

/** Those of a few tags, on a database that says cheaply whether anything was written. */
export const mayKeepPassages = (db: Db, { reads }: Reach): boolean =>
  reads !== null && engineOf(db).stateOf !== null;

/** The passages of these numbers, by number, from `read`, which is asked for those alone that are not kept. */
export const keptPassages = async (
  { db, reach }: { readonly db: Db; readonly reach: Reach },
  ns: readonly number[],
  read: (ns: readonly number[]) => Promise<ChunkWithDocument[]>,
): Promise<ChunkWithDocument[]> => {
  const state = await engineOf(db).stateOf?.(db);
  if (state === undefined) return read(ns);
  const kept = keptOf(db);
  const scope = inState(kept, JSON.stringify(reach.reads), state);
  const missing = ns.filter((n) => !scope.has(n));
  const fresh = missing.length === 0 ? [] : await read(missing);
  kept.count += fresh.length;
  for (const passage of fresh) scope.set(passage.n, passage);
  return ns.flatMap((n) => scope.get(n) ?? []).sort((a, b) => a.n - b.n);
};
