// The versions of one fact, in the order in which they were said: the last one holds, unless a memory of another chain
// has replaced it.
import { type Said, wasSaidBefore } from '../../../lib/said.ts';
import type { Db } from '../tables.ts';
import type { MemoryRow } from './memory-rows.ts';
import { run } from './raw.ts';

const COLUMNS = [
  'n',
  'container',
  'fact',
  'slot',
  'version',
  'root',
  'parent',
  'is_latest',
  'is_forgotten',
  'said_at',
  'heard_at',
] as const;

export type Version = Pick<MemoryRow, (typeof COLUMNS)[number]>;

export const memoryById = (tx: Db, id: string): Promise<MemoryRow | undefined> =>
  tx.selectFrom('memories').selectAll().where('id', '=', id).executeTakeFirst();

export const memoryByNumber = (tx: Db, n: number): Promise<MemoryRow | undefined> =>
  tx.selectFrom('memories').selectAll().where('n', '=', n).executeTakeFirst();

export const versionsOf = (tx: Db, root: number): Promise<Version[]> =>
  tx.selectFrom('memories').select(COLUMNS).where('root', '=', root).orderBy('version').execute();

export const saidOf = ({ said_at, heard_at }: Pick<Version, 'said_at' | 'heard_at'>): Said => ({
  saidAt: said_at,
  heardAt: heard_at,
});

/** How many of them come before something new; `isLater` tells which ones come after it. */
export const placeAmong = (versions: readonly Version[], isLater: (version: Version) => boolean): number =>
  versions.findLastIndex((version) => !isLater(version)) + 1;

/** Two chains as one; each keeps its own order. */
export const inOrder = (one: readonly Version[], other: readonly Version[]): Version[] => {
  const [left, right] = [[...one], [...other]];
  const merged: Version[] = [];
  for (let next = right[0]; next !== undefined; next = right[0]) {
    const before = left[0];
    const isFirst = before === undefined || wasSaidBefore(saidOf(next), saidOf(before));
    merged.push(...(isFirst ? right : left).splice(0, 1));
  }
  return [...merged, ...left];
};

/** A relation to the version before, and to no other of the chain. */
const follow = async (tx: Db, { n, parent }: Version, before: number | null): Promise<void> => {
  if (parent !== null)
    await run(tx, "delete from memory_relations where memory = ? and other = ? and kind = 'updates'", [
      n,
      parent,
    ]);
  if (before !== null)
    await run(
      tx,
      `insert into memory_relations (memory, other, kind, created_at)
         select n, ?, 'updates', created_at from memories where n = ?
         on conflict do update set kind = excluded.kind`,
      [before, n],
    );
};

/** Replaced by one of another chain: what a memory says may make several others untrue. */
const isReplaced = async (tx: Db, last: Version, chain: readonly Version[]): Promise<boolean> => {
  const { rows } = await run<{ n: number }>(
    tx,
    `select memories.n from memory_relations inner join memories on memories.n = memory_relations.memory
       where memory_relations.other = ? and memory_relations.kind = 'updates' and memories.container = ?`,
    [last.n, last.container],
  );
  const own = new Set(chain.map(({ n }) => n));
  return rows.some(({ n }) => !own.has(n));
};

/** Writes down that these are the versions, in this order. */
export const arrange = async (tx: Db, versions: readonly Version[]): Promise<void> => {
  const [first, last] = [versions[0], versions.at(-1)];
  if (!first || !last) return;
  const latest = (await isReplaced(tx, last, versions)) ? null : last;
  for (const [at, each] of versions.entries()) {
    const parent = versions[at - 1]?.n ?? null;
    const wanted = { version: at + 1, root: first.n, parent, is_latest: each === latest ? 1 : 0 };
    if (each.parent !== parent) await follow(tx, each, parent);
    const stands =
      each.version === wanted.version &&
      each.root === wanted.root &&
      each.parent === parent &&
      each.is_latest === wanted.is_latest;
    if (!stands) await tx.updateTable('memories').set(wanted).where('n', '=', each.n).execute();
  }
};

/** After one was taken out: the gap closes, and the one before may hold again. */
export const settle = async (tx: Db, roots: Iterable<number>): Promise<void> => {
  for (const root of new Set(roots)) await arrange(tx, await versionsOf(tx, root));
};

/** The chains of which these memories have replaced the last version, from outside. */
export const replacedBy = async (tx: Db, ns: readonly number[]): Promise<number[]> => {
  const { rows } = await run<{ root: number }>(
    tx,
    `select distinct replaced.root from memory_relations
       inner join memories as own on own.n = memory_relations.memory
       inner join memories as replaced on replaced.n = memory_relations.other
     where own.n in (select value from json_each(?)) and memory_relations.kind = 'updates'
       and replaced.root <> own.root`,
    [JSON.stringify(ns)],
  );
  return rows.map(({ root }) => root);
};
