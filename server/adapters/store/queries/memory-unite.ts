// Memories that came under other tags meet those that are there: two chains of one fact become one.
import { wasSaidBefore } from '../../../lib/said.ts';
import type { Relating, StoredMemory } from '../memory-port.ts';
import type { Db } from '../tables.ts';
import {
  arrange,
  inOrder,
  memoryByNumber,
  saidOf,
  settle,
  type Version,
  versionsOf,
} from './memory-chain.ts';
import { known } from './memory-known.ts';
import { isLive, type MemoryRow } from './memory-rows.ts';
import { eraseMemories, relate } from './memory-write.ts';
import { run } from './raw.ts';

export const addSourcesTo = (tx: Db, memory: number, former: number) =>
  run(
    tx,
    `insert into memory_sources (memory, doc, chunk, created_at)
       select ?1, doc, chunk, created_at from memory_sources where memory = ?2 on conflict do nothing`,
    [memory, former],
  );

/** Said twice with nothing else between: the later one has the sources of both. */
const fold = async (tx: Db, versions: readonly Version[]): Promise<void> => {
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

const join = async (tx: Db, one: number, other: number): Promise<void> => {
  if (one === other) return;
  const versions = inOrder(await versionsOf(tx, one), await versionsOf(tx, other));
  await arrange(tx, versions);
  await fold(tx, versions);
};

/** Live ones beside it under the same tags: those that say the same, and those about the same. */
const beside = async (
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
  const wanted = relating.wanted([statementOf(row)]);
  const others = await known(tx, { container: row.container, contextFilter: null }, wanted, null, now);
  return { twins, others: others.filter(({ n }) => n !== row.n && !twins.some((twin) => twin.n === n)) };
};

const statementOf = (row: MemoryRow) => ({
  memory: row.memory,
  isStatic: row.is_static === 1,
  slot: row.slot,
  about: row.about,
  ...saidOf(row),
});

/** What was said later of several things replaces each of them, and they stay things of their own. */
const replace = async (tx: Db, one: MemoryRow, other: MemoryRow, now: number): Promise<void> => {
  const [former, later] = wasSaidBefore(saidOf(one), saidOf(other)) ? [one, other] : [other, one];
  await relate(tx, later.n, [{ other: former.n, kind: 'updates' }], now);
  await settle(tx, [former.root]);
};

const uniteOne = async (tx: Db, row: MemoryRow, relating: Relating, now: number): Promise<void> => {
  const { twins, others } = await beside(tx, row, relating, now);
  for (const twin of twins) await join(tx, row.root, twin.root);
  let joined = twins.length > 0;
  for (const { kind, to } of relating.relate([statementOf(row)], others)[0] ?? []) {
    const known = 'known' in to ? others.find(({ id }) => id === to.known) : undefined;
    const own = await memoryByNumber(tx, row.n);
    const other = known && (await memoryByNumber(tx, known.n));
    if (!own || !other) continue;
    if (kind === 'extends' || kind === 'derives') await relate(tx, own.n, [{ other: other.n, kind }], now);
    else if (joined) await replace(tx, own, other, now);
    else await join(tx, own.root, other.root);
    joined ||= kind === 'updates' || kind === 'updatedBy';
  }
};

export const noteArrived = (tx: Db, memory: number) =>
  run(tx, 'insert into memories_arrived (memory) values (?) on conflict do nothing', [memory]);

/** In the transaction that moved them; `relating` null: nobody can tell, and each stays as it is. */
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
