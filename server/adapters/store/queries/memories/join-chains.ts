// Joins memories that moved to other tags with those stored there: two chains of one fact become one.
import { wasSaidBefore } from '../../../../core/statements/spoken-time.ts';
import { run } from '../../engine/run.ts';
import type { Relating, StoredMemory } from '../../ports/memories/remembering.ts';
import { isLive, type MemoryRow } from '../../statements/memory-rows.ts';
import type { Db } from '../../tables/tables.ts';
import { findComparableMemories } from './comparable.ts';
import { eraseMemories } from './erase.ts';
import { insertRelations } from './store.ts';
import {
  arrangeChain,
  type ChainVersion,
  chainVersions,
  memoryByNumber,
  mergeInSpokenOrder,
  settleChains,
  spokenTime,
} from './versions.ts';

export const addSourcesTo = (tx: Db, memory: number, former: number) =>
  run(
    tx,
    `insert into memory_sources (memory, doc, chunk, created_at)
       select cast($1 as bigint), doc, chunk, created_at from memory_sources where memory = $2 on conflict do nothing`,
    [memory, former],
  );

/** Two equal adjacent versions: the later one gets the sources of both. */
const dropRepeated = async (tx: Db, versions: readonly ChainVersion[]): Promise<void> => {
  const again = versions.filter((version, at) => {
    const next = versions[at + 1];
    return next?.fact === version.fact && version.is_forgotten === 0 && next.is_forgotten === 0;
  });
  for (const { n } of again) {
    const next = versions[versions.findIndex((version) => version.n === n) + 1];
    if (next) await addSourcesTo(tx, next.n, n);
  }
  await eraseMemories(
    tx,
    again.map(({ n }) => n),
  );
};

const joinChains = async (tx: Db, one: number, other: number): Promise<void> => {
  if (one === other) return;
  const versions = mergeInSpokenOrder(await chainVersions(tx, one), await chainVersions(tx, other));
  await arrangeChain(tx, versions);
  await dropRepeated(tx, versions);
};

/** Other live memories under the same tags: equal ones, and those about the same fact. */
const comparableNeighbours = async (
  tx: Db,
  row: MemoryRow,
  relating: Relating,
  now: number,
): Promise<{ twins: MemoryRow[]; others: StoredMemory[] }> => {
  const twins = await tx
    .selectFrom('memories')
    .selectAll()
    .where('container', '=', row.container)
    .where('fact', '=', row.fact)
    .where('n', '<>', row.n)
    .where(isLive(now))
    .execute();
  if (row.slot === null && row.about === null) return { twins, others: [] };
  const wanted = relating.wanted([relatedStatement(row)]);
  const others = await findComparableMemories(
    tx,
    { container: row.container, contextFilter: null, wanted },
    now,
  );
  return { twins, others: others.filter(({ n }) => n !== row.n && !twins.some((twin) => twin.n === n)) };
};

const relatedStatement = (row: MemoryRow) => ({
  memory: row.memory,
  isStatic: row.is_static === 1,
  slot: row.slot,
  about: row.about,
  ...spokenTime(row),
});

/** The later statement replaces the earlier one, and both keep chains of their own. */
const replaceEarlier = async (tx: Db, one: MemoryRow, other: MemoryRow, now: number): Promise<void> => {
  const [former, later] = wasSaidBefore(spokenTime(one), spokenTime(other)) ? [one, other] : [other, one];
  await insertRelations(tx, later.n, [{ other: former.n, kind: 'updates' }], now);
  await settleChains(tx, [former.root]);
};

const uniteOne = async (tx: Db, row: MemoryRow, relating: Relating, now: number): Promise<void> => {
  const { twins, others } = await comparableNeighbours(tx, row, relating, now);
  for (const twin of twins) await joinChains(tx, row.root, twin.root);
  let joined = twins.length > 0;
  for (const { kind, to } of relating.relate([relatedStatement(row)], others)[0] ?? []) {
    const known = 'known' in to ? others.find(({ id }) => id === to.known) : undefined;
    const own = await memoryByNumber(tx, row.n);
    const other = known && (await memoryByNumber(tx, known.n));
    if (!own || !other) continue;
    if (kind !== 'updates' && kind !== 'updatedBy' && kind !== 'replaces')
      await insertRelations(tx, own.n, [{ other: other.n, kind }], now);
    else if (joined) await replaceEarlier(tx, own, other, now);
    else await joinChains(tx, own.root, other.root);
    joined ||= kind === 'updates' || kind === 'updatedBy';
  }
};

export const noteArrived = (tx: Db, memory: number) =>
  run(tx, 'insert into memories_arrived (memory) values ($1) on conflict do nothing', [memory]);

/** Runs in the transaction that moved them; `relating` null: relations are unknown, and each memory is unchanged. */
export const uniteArrived = async (tx: Db, relating: Relating | null, now: number): Promise<void> => {
  const { rows } = await run<{ memory: number }>(tx, 'delete from memories_arrived returning memory', []);
  if (relating === null) return;
  for (const { memory } of rows) {
    const row = await tx
      .selectFrom('memories')
      .selectAll()
      .where('n', '=', memory)
      .where(isLive(now))
      .executeTakeFirst();
    if (row) await uniteOne(tx, row, relating, now);
  }
};
