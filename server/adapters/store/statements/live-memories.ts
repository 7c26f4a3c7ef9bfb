// The live memories of a scope, which every search of its memories compares. To read their numbers costs as much as to compare
// their vectors, so they are kept, with those that were read in full, until something under their tags changes.

import { LRUCache } from 'lru-cache';
import { sql } from '#kysely';
import type { Reach } from '../../../core/scope.ts';
import { engineOf } from '../engine/engine.ts';
import { keptByDatabase } from '../engine/kept-by-database.ts';
import { groupedNumbers } from '../engine/lists.ts';
import { run } from '../engine/run.ts';
import { scopedTemplate } from '../engine/template.ts';
import type { RecalledMemory } from '../ports/memories/recall.ts';
import type { Db } from '../tables/tables.ts';
import type { ScopedRead } from './contexts.ts';
import { unitsByContainer } from './units-by-number.ts';

interface KeptScope {
  /** The changes of its tags, read before its memories. */
  readonly mark: string;
  /** The first of its memories expires then. */
  readonly until: number;
  readonly ns: readonly number[];
  /** The memories that a search has read and that never expire. */
  readonly read: Map<number, RecalledMemory>;
}

/** About 15 MB if all of them are read. */
const MOST_MEMORIES = 16_000;
/** A larger scope would displace too many others. */
const LARGEST_SCOPE = 4_000;

const keptScopes = () =>
  new LRUCache<string, KeptScope>({
    maxSize: MOST_MEMORIES,
    maxEntrySize: LARGEST_SCOPE,
    sizeCalculation: ({ ns }) => ns.length + 1,
  });

/** By the tags of the reach. */
const keptOf = keptByDatabase(keptScopes);

/** Triggers count every change of memories, and of the documents that they are drawn from, for their tags. */
export const tagChanges = async (db: Db, tags: string): Promise<string> => {
  const { rows } = await run<{ n: number; created_at: number; changes: number }>(
    db,
    'select n, created_at, changes from tags where tag in (select value from text_list($1)) order by n',
    [tags],
  );
  return rows.map(({ n, created_at, changes }) => `${n}.${created_at}.${changes}`).join();
};

/** For a change of stored chunks, which no trigger sees. A database that is not asked at every search keeps none of them. */
export const countRewritten = async (tx: Db, tagNumbers: readonly number[]): Promise<void> => {
  if (engineOf(tx).isRemote) return;
  await run(tx, 'update tags set changes = changes + 1 where n in (select value from number_list($1))', [
    JSON.stringify(tagNumbers),
  ]);
};

const liveInContainers = scopedTemplate((db, reach, at: (name: 'now') => never) =>
  unitsByContainer(db, reach, { units: 'memories' }, { now: at('now') })
    .selectFrom('visible_units')
    .select([groupedNumbers(sql.ref('n')).as('ns'), sql<number | null>`min(forget_after)`.as('until')])
    // A table of which nothing but the number is read counts as read outside the view.
    .select(({ fn }) => fn.max('doc').as('doc')),
);

const readLive = async (db: Db, reach: Reach, now: number): Promise<Pick<KeptScope, 'ns' | 'until'>> => {
  const [row] = await liveInContainers(db, reach, { now });
  return { ns: JSON.parse(row?.ns ?? '[]'), until: row?.until ?? Number.POSITIVE_INFINITY };
};

/** The numbers of the live memories in the containers of the reach. The same list object while nothing changes. */
export const liveNumbers = async (db: Db, reach: Reach, now: number): Promise<readonly number[]> => {
  if (reach.reads === null) return (await readLive(db, reach, now)).ns;
  const scopes = keptOf(db);
  const tags = JSON.stringify(reach.reads);
  const mark = await tagChanges(db, tags);
  const known = scopes.get(tags);
  if (known?.mark === mark && now < known.until) return known.ns;
  const scope = { mark, ...(await readLive(db, reach, now)), read: new Map() };
  scopes.set(tags, scope);
  return scope.ns;
};

/** The memories of these numbers by `read`, which is asked for those alone that were not read since the last change. */
export const readOnce = async (
  { db, reach }: ScopedRead,
  ns: readonly number[],
  read: (ns: readonly number[]) => Promise<RecalledMemory[]>,
): Promise<RecalledMemory[]> => {
  if (reach.reads === null) return read(ns);
  const tags = JSON.stringify(reach.reads);
  const scope = keptOf(db).get(tags);
  if (scope === undefined || scope.mark !== (await tagChanges(db, tags))) return read(ns);
  const missing = ns.filter((n) => !scope.read.has(n));
  const known = ns.flatMap((n) => scope.read.get(n) ?? []);
  const fresh = missing.length === 0 ? [] : await read(missing);
  for (const memory of fresh) if (memory.forgetAfter === null) scope.read.set(memory.n, memory);
  return [...known, ...fresh].sort((a, b) => a.n - b.n);
};
