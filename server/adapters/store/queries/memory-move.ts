// Memories follow their document to other tags: with versions, forgetting and judgement, under new numbers.
import { sql } from 'kysely';
import { newId } from '../../../lib/ids.ts';
import { analyse } from '../../../lib/text/analyse.ts';
import type { Db } from '../tables.ts';
import { insertRows } from './insert.ts';
import { replacedBy, settle } from './memory-chain.ts';
import { isLive, type MemoryRow } from './memory-rows.ts';
import { addSourcesTo, noteArrived } from './memory-unite.ts';
import { eraseMemories, indexWords, type Place, takeNumber } from './memory-write.ts';
import { replaceMetadata } from './metadata.ts';
import { run } from './raw.ts';
import { listSpaces } from './spaces.ts';
import { readVectors, writeVectors } from './vectors.ts';
import { inList } from './visible.ts';

export const placeOf = async (tx: Db, container: number): Promise<Place> => {
  const rows = await tx
    .selectFrom('container_tags')
    .select('tag')
    .where('container', '=', container)
    .execute();
  return { container, tagNumbers: rows.map((row) => row.tag) };
};

/** The same vector under another number; the former number keeps its own only where it stays in use. */
const carryVectors = async (tx: Db, from: number, to: number, keepFormer: boolean): Promise<void> => {
  for (const { id, dimensions } of await listSpaces(tx)) {
    const vector = (await readVectors(tx, { id, dimensions, keepExact: true }, [from])).get(from);
    if (vector === undefined) continue;
    const { rows } = await run(tx, 'select n from exact_vectors where space = ? and n = ?', [id, from]);
    const keepExact = rows.length > 0;
    await writeVectors(tx, { id, dimensions, keepExact }, [{ n: to, vector }]);
    if (!keepFormer) await writeVectors(tx, { id, dimensions, keepExact: true }, [{ n: from, vector: null }]);
  }
};

const metadataOf = (row: MemoryRow) => (row.metadata === null ? null : JSON.parse(row.metadata));

/** What stands beside the row is found by its number. */
const dress = async (tx: Db, place: Place, row: MemoryRow, n: number, keepFormer: boolean): Promise<void> => {
  await indexWords(tx, place, n, analyse(row.memory).join(' '));
  await replaceMetadata(tx, { n, container: place.container }, metadataOf(row));
  await carryVectors(tx, row.n, n, keepFormer);
};

/** One row gets a number of the other container, and so does everything that names it. */
const renumber = async (tx: Db, row: MemoryRow, place: Place): Promise<number> => {
  const n = await takeNumber(tx, place.container, row.body_tokens);
  const names = [
    'update memories set n = ?1, container = ?3 where n = ?2',
    'update memories set root = ?1 where root = ?2',
    'update memories set parent = ?1 where parent = ?2',
    'update memory_sources set memory = ?1 where memory = ?2',
    'update memory_relations set memory = ?1 where memory = ?2',
    'update memory_relations set other = ?1 where other = ?2',
  ];
  for (const [at, statement] of names.entries())
    await run(tx, statement, at === 0 ? [n, row.n, place.container] : [n, row.n]);
  await run(tx, 'delete from memory_words where rowid = ?', [row.n]);
  await run(tx, 'delete from document_meta where doc = ?', [row.n]);
  await run(
    tx,
    'update containers set memories = memories - 1, memory_tokens = memory_tokens - ? where n = ?',
    [row.body_tokens, row.container],
  );
  await dress(tx, place, row, n, false);
  return n;
};

const chainOf = (tx: Db, root: number): Promise<MemoryRow[]> =>
  tx.selectFrom('memories').selectAll().where('root', '=', root).orderBy('version').execute();

/** Whether a live memory over there says the same already. */
const twinOf = (tx: Db, row: MemoryRow, container: number, now: number): Promise<MemoryRow | undefined> =>
  tx
    .selectFrom('memories')
    .selectAll()
    .where('container', '=', container)
    .where('fact', '=', row.fact)
    .where(isLive(now))
    .executeTakeFirst();

const isLiveRow = (row: MemoryRow, now: number): boolean =>
  row.is_latest === 1 && row.is_forgotten === 0 && (row.forget_after === null || row.forget_after > now);

/** A statement without a history becomes one more source of its twin; any other keeps its chain. */
const moveChain = async (tx: Db, root: number, place: Place, now: number): Promise<void> => {
  const chain = await chainOf(tx, root);
  const [only, ...versions] = chain;
  const lone = only !== undefined && versions.length === 0 && isLiveRow(only, now) ? only : null;
  const twin = lone && (await twinOf(tx, lone, place.container, now));
  if (lone && twin) {
    await addSourcesTo(tx, twin.n, lone.n);
    if (lone.is_static === 1) await run(tx, 'update memories set is_static = 1 where n = ?', [twin.n]);
    await eraseMemories(tx, [lone.n]);
    return;
  }
  const moved: number[] = [];
  for (const row of chain) moved.push(await renumber(tx, row, place));
  // What replaces it from another chain may be left behind, and what it replaces may be here by now.
  await settle(tx, [...moved.slice(0, 1), ...(await replacedBy(tx, moved))]);
  for (const latest of moved.slice(-1)) await noteArrived(tx, latest);
};

/** What other documents state as well stays with them; this document takes along what it states itself. */
const copyOwn = async (tx: Db, root: number, doc: number, place: Place, now: number): Promise<void> => {
  const { rows: stated } = await run<{ memory: number }>(
    tx,
    `select distinct memory_sources.memory from memory_sources inner join memories on memories.n = memory_sources.memory
       where doc = ? and root = ?`,
    [doc, root],
  );
  const chain = await chainOf(tx, root);
  const own = chain.filter(({ n }) => stated.some(({ memory }) => memory === n));
  const row = own.at(-1);
  if (row === undefined) return;
  const twin = await twinOf(tx, row, place.container, now);
  const n = twin?.n ?? (await takeNumber(tx, place.container, row.body_tokens));
  if (twin === undefined) {
    const copy = { ...row, n, id: newId(), container: place.container, version: 1, root: n, parent: null };
    await insertRows(tx, 'memories', [{ ...copy, is_latest: 1 }]);
    await dress(tx, place, row, n, true);
    await noteArrived(tx, n);
  }
  for (const { memory } of stated)
    await run(tx, 'update or ignore memory_sources set memory = ?1 where memory = ?2 and doc = ?3', [
      n,
      memory,
      doc,
    ]);
  await run(tx, `delete from memory_sources where doc = ? and memory in (select value from json_each(?))`, [
    doc,
    JSON.stringify(own.map((each) => each.n)),
  ]);
  await eraseUnsupported(tx, own);
};

const eraseUnsupported = async (tx: Db, rows: readonly MemoryRow[]): Promise<void> => {
  const { rows: supported } = await run<{ memory: number }>(
    tx,
    `select distinct memory from memory_sources where memory in (select value from json_each(?))`,
    [JSON.stringify(rows.map(({ n }) => n))],
  );
  const held = new Set(supported.map(({ memory }) => memory));
  await eraseMemories(
    tx,
    rows.map(({ n }) => n).filter((n) => !held.has(n)),
  );
};

const rootsOf = async (tx: Db, doc: number, from: number): Promise<number[]> => {
  const rows = await tx
    .selectFrom('memories')
    .select('root')
    .distinct()
    .where('container', '=', from)
    .where('n', 'in', tx.selectFrom('memory_sources').select('memory').where('doc', '=', doc))
    .execute();
  return rows.map(({ root }) => root);
};

/** Those of these chains that a living document elsewhere than in `to` supports too. */
const sharedAmong = async (tx: Db, roots: readonly number[], to: number): Promise<Set<number>> => {
  const rows = await tx
    .selectFrom('memories')
    .innerJoin('memory_sources', 'memory_sources.memory', 'memories.n')
    .innerJoin('documents', 'documents.n', 'memory_sources.doc')
    .select('memories.root')
    .distinct()
    .where('memories.root', 'in', inList(roots))
    .where('documents.deleted', '=', sql.lit(0))
    .where('documents.container', '<>', to)
    .execute();
  return new Set(rows.map(({ root }) => root));
};

/**
 * Called when the document stands in `to` already. `everybodyMoves`: what it shares with others of its former
 * container waits for the last of them.
 */
export const moveMemories = async (
  tx: Db,
  move: { doc: number; from: number; to: number; everybodyMoves: boolean },
  now: number,
): Promise<void> => {
  const roots = await rootsOf(tx, move.doc, move.from);
  if (roots.length === 0) return;
  const place = await placeOf(tx, move.to);
  const shared = await sharedAmong(tx, roots, move.to);
  for (const root of roots)
    if (!shared.has(root)) await moveChain(tx, root, place, now);
    else if (!move.everybodyMoves) await copyOwn(tx, root, move.doc, place, now);
};
