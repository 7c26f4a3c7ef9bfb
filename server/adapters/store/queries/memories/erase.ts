// Erases memories: those that lose their last source, with their words, vectors and relations.
import { countInContainer } from '../../engine/counts.ts';
import { engineOf } from '../../engine/engine.ts';
import { numberList } from '../../engine/lists.ts';
import { run } from '../../engine/run.ts';
import type { MemoryRow } from '../../statements/memory-rows.ts';
import type { Db } from '../../tables/tables.ts';
import { listSpaces } from '../spaces/spaces.ts';
import { writeVectors } from '../spaces/vectors.ts';
import { chainsReplacedBy, settleChains } from './versions.ts';

/** Takes the memory out of the words, metadata and counts under its number. */
export const leaveContainer = async (tx: Db, row: MemoryRow): Promise<void> => {
  await engineOf(tx).words.erase(tx, 'memories', [row.n]);
  await run(tx, 'delete from document_meta where doc = $1', [row.n]);
  await countInContainer(tx, row.container, { memories: -1, memory_tokens: -row.body_tokens });
};

const eraseMemory = async (tx: Db, row: MemoryRow): Promise<void> => {
  await run(tx, 'delete from memories where n = $1', [row.n]);
  await run(tx, 'delete from memory_sources where memory = $1', [row.n]);
  await run(tx, 'delete from memory_relations where memory = $1 or other = $1', [row.n]);
  await leaveContainer(tx, row);
};

export const eraseMemories = async (tx: Db, ns: readonly number[]): Promise<void> => {
  if (ns.length === 0) return;
  const rows = await tx.selectFrom('memories').selectAll().where('n', 'in', numberList(ns)).execute();
  const roots = [...rows.map(({ root }) => root), ...(await chainsReplacedBy(tx, ns))];
  for (const row of rows) await eraseMemory(tx, row);
  await settleChains(tx, roots);
  for (const space of await listSpaces(tx))
    await writeVectors(
      tx,
      { id: space.id, dimensions: space.dimensions, keepExact: true },
      rows.map(({ n }) => ({ n, vector: null })),
    );
};

/** Erases the memories among these that have no source any more; returns their number. */
export const eraseUnsupported = async (tx: Db, memories: readonly number[]): Promise<number> => {
  const { rows: orphans } = await run<{ n: number }>(
    tx,
    `select value as n from number_list($1) where not exists
       (select 1 from memory_sources where memory_sources.memory = value)`,
    [JSON.stringify(memories)],
  );
  await eraseMemories(
    tx,
    orphans.map((row) => row.n),
  );
  return orphans.length;
};

/** The removed chunks of the document; null: all of them. */
export const dropSources = async (tx: Db, doc: number, chunks: readonly string[] | null): Promise<void> => {
  const gone =
    chunks === null
      ? await run<{ memory: number }>(tx, 'delete from memory_sources where doc = $1 returning memory', [doc])
      : await run<{ memory: number }>(
          tx,
          `delete from memory_sources where doc = $1 and chunk in (select value from text_list($2)) returning memory`,
          [doc, JSON.stringify(chunks)],
        );
  if (gone.rows.length > 0) await eraseUnsupported(tx, [...new Set(gone.rows.map((row) => row.memory))]);
};
