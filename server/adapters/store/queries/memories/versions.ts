// The versions of one fact, in the order of their dates: the last one is valid, unless a memory of another chain
// has replaced it.
import { type SpokenTime, wasSaidBefore } from '../../../../core/statements/spoken-time.ts';
import { run } from '../../engine/run.ts';
import type { MemoryRow } from '../../statements/memory-rows.ts';
import { LIVING_TEXT } from '../../statements/scoped-views.ts';
import type { Db } from '../../tables/tables.ts';

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

export type ChainVersion = Pick<MemoryRow, (typeof COLUMNS)[number]>;

export const memoryById = (tx: Db, id: string): Promise<MemoryRow | undefined> =>
  tx.selectFrom('memories').selectAll().where('id', '=', id).executeTakeFirst();

export const memoryByNumber = (tx: Db, n: number): Promise<MemoryRow | undefined> =>
  tx.selectFrom('memories').selectAll().where('n', '=', n).executeTakeFirst();

export const chainVersions = (tx: Db, root: number): Promise<ChainVersion[]> =>
  tx.selectFrom('memories').select(COLUMNS).where('root', '=', root).orderBy('version').execute();

export const spokenTime = ({
  said_at,
  heard_at,
}: Pick<ChainVersion, 'said_at' | 'heard_at'>): SpokenTime => ({
  saidAt: said_at,
  heardAt: heard_at,
});

/** The number of versions that come before a new one; `isLater` is true for those that come after it. */
export const positionAmong = (
  versions: readonly ChainVersion[],
  isLater: (version: ChainVersion) => boolean,
): number => versions.findLastIndex((version) => !isLater(version)) + 1;

/** Two chains as one; each keeps its own order. */
export const mergeInSpokenOrder = (
  one: readonly ChainVersion[],
  other: readonly ChainVersion[],
): ChainVersion[] => {
  const [left, right] = [[...one], [...other]];
  const merged: ChainVersion[] = [];
  for (let next = right[0]; next !== undefined; next = right[0]) {
    const before = left[0];
    const isFirst = before === undefined || wasSaidBefore(spokenTime(next), spokenTime(before));
    merged.push(...(isFirst ? right : left).splice(0, 1));
  }
  return [...merged, ...left];
};

/** Relates a version to the one before it, and to no other of the chain. */
const relateToFormer = async (tx: Db, { n, parent }: ChainVersion, before: number | null): Promise<void> => {
  if (parent !== null)
    await run(tx, "delete from memory_relations where memory = $1 and other = $2 and kind = 'updates'", [
      n,
      parent,
    ]);
  if (before !== null)
    await run(
      tx,
      `insert into memory_relations (memory, other, kind, created_at)
         select n, cast($1 as bigint), 'updates', created_at from memories where n = $2
         on conflict (memory, other) do update set kind = excluded.kind`,
      [before, n],
    );
};

/** Only deleted documents support it: it is hidden, and will be erased. The sources of a new version follow later. */
const LOST = `exists (select 1 from memory_sources where memory_sources.memory = memories.n)
  and not exists (select 1 from memory_sources inner join documents on documents.n = memory_sources.doc
    where memory_sources.memory = memories.n and ${LIVING_TEXT})`;

/** Replaced by a memory of another chain: one memory may end several others. */
const isReplacedElsewhere = async (
  tx: Db,
  last: ChainVersion,
  chain: readonly ChainVersion[],
): Promise<boolean> => {
  const { rows } = await run<{ n: number }>(
    tx,
    `select memories.n from memory_relations inner join memories on memories.n = memory_relations.memory
       where memory_relations.other = $1 and memory_relations.kind = 'updates' and memories.container = $2
         and not (${LOST})`,
    [last.n, last.container],
  );
  const own = new Set(chain.map(({ n }) => n));
  return rows.some(({ n }) => !own.has(n));
};

/** The last version that is not lost; the very last one if all are. */
const lastStanding = async (tx: Db, versions: readonly ChainVersion[]): Promise<ChainVersion | undefined> => {
  if (versions.length < 2) return versions[0];
  const { rows } = await run<{ n: number }>(
    tx,
    `select n from memories where n in (select value from number_list($1)) and ${LOST}`,
    [JSON.stringify(versions.map(({ n }) => n))],
  );
  const lost = new Set(rows.map(({ n }) => n));
  return versions.findLast(({ n }) => !lost.has(n)) ?? versions.at(-1);
};

/** Stores these versions in this order. */
export const arrangeChain = async (tx: Db, versions: readonly ChainVersion[]): Promise<void> => {
  const [first, last] = [versions[0], await lastStanding(tx, versions)];
  if (!first || !last) return;
  const latest = (await isReplacedElsewhere(tx, last, versions)) ? null : last;
  for (const [at, each] of versions.entries()) {
    const parent = versions[at - 1]?.n ?? null;
    const wanted = { version: at + 1, root: first.n, parent, is_latest: each === latest ? 1 : 0 };
    if (each.parent !== parent) await relateToFormer(tx, each, parent);
    const stands =
      each.version === wanted.version &&
      each.root === wanted.root &&
      each.parent === parent &&
      each.is_latest === wanted.is_latest;
    if (!stands) await tx.updateTable('memories').set(wanted).where('n', '=', each.n).execute();
  }
};

/** Closes the gap after a version was removed; the one before may be valid again. */
export const settleChains = async (tx: Db, roots: Iterable<number>): Promise<void> => {
  for (const root of new Set(roots)) await arrangeChain(tx, await chainVersions(tx, root));
};

/** The chains of which these memories have replaced the last version, from outside. */
export const chainsReplacedBy = async (tx: Db, ns: readonly number[]): Promise<number[]> => {
  const { rows } = await run<{ root: number }>(
    tx,
    `select distinct replaced.root from memory_relations
       inner join memories as own on own.n = memory_relations.memory
       inner join memories as replaced on replaced.n = memory_relations.other
     where own.n in (select value from number_list($1)) and memory_relations.kind = 'updates'
       and replaced.root <> own.root`,
    [JSON.stringify(ns)],
  );
  return rows.map(({ root }) => root);
};

/**
 * Called when documents were deleted: the versions that they alone supported are hidden at once and erased later, so the
 * ones that they replaced are valid again at once.
 */
export const settleChainsWithout = async (tx: Db, documents: readonly number[]): Promise<void> => {
  const { rows } = await run<{ n: number; root: number }>(
    tx,
    `select distinct memories.n, memories.root from memory_sources
       inner join memories on memories.n = memory_sources.memory
     where memory_sources.doc in (select value from number_list($1)) and memories.is_latest = 1 and ${LOST}
       and exists (select 1 from memory_relations
         where memory_relations.memory = memories.n and memory_relations.kind = 'updates')`,
    [JSON.stringify(documents)],
  );
  const replaced = await chainsReplacedBy(
    tx,
    rows.map(({ n }) => n),
  );
  await settleChains(tx, [...rows.map(({ root }) => root), ...replaced]);
};
