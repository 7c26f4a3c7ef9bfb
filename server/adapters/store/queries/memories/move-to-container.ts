// Moves memories with their document to other tags: with versions, forgetting and judgement, under new numbers.
import { newId } from '../../../../lib/ids.ts';
import { indexedText, statementTerms } from '../../../../lib/text/terms/statement-terms.ts';
import { engineOf } from '../../engine/engine.ts';
import { numberList } from '../../engine/lists.ts';
import { run } from '../../engine/run.ts';
import type { WriteContext } from '../../statements/contexts.ts';
import { insertRows } from '../../statements/insert.ts';
import { isLive, type MemoryRow } from '../../statements/memory-rows.ts';
import { replaceMetadata } from '../../statements/metadata.ts';
import { LIVING } from '../../statements/scoped-views.ts';
import type { Db } from '../../tables/tables.ts';
import { listSpaces } from '../spaces/spaces.ts';
import { hasExactVector, readVectors, writeVectors } from '../spaces/vectors.ts';
import { eraseMemories, leaveContainer } from './erase.ts';
import { addSourcesTo, noteArrived } from './join-chains.ts';
import { type MemoryContainer, takeNumber } from './store.ts';
import { chainsReplacedBy, settleChains } from './versions.ts';

const containerWithTagNumbers = async (tx: Db, container: number): Promise<MemoryContainer> => {
  const rows = await tx
    .selectFrom('container_tags')
    .select('tag')
    .where('container', '=', container)
    .execute();
  return { container, tagNumbers: rows.map((row) => row.tag) };
};

/** Copies the vector to another number; the former number keeps its vector only if it stays in use. */
const carryVectors = async (tx: Db, from: number, to: number, keepFormer: boolean): Promise<void> => {
  for (const { id, dimensions } of await listSpaces(tx)) {
    const vector = (await readVectors(tx, { id, dimensions, keepExact: true }, [from])).get(from);
    if (vector === undefined) continue;
    const keepExact = await hasExactVector(tx, id, from);
    await writeVectors(tx, { id, dimensions, keepExact }, [{ n: to, vector }]);
    if (!keepFormer) await writeVectors(tx, { id, dimensions, keepExact: true }, [{ n: from, vector: null }]);
  }
};

const rowMetadata = (row: MemoryRow) => (row.metadata === null ? null : JSON.parse(row.metadata));

/** A move of memories to another container, in one transaction. */
interface MoveContext extends WriteContext {
  readonly to: MemoryContainer;
}

/** Words, metadata and vectors are found by the number of the row. */
const indexUnderNumber = async (
  { tx, to }: MoveContext,
  row: MemoryRow,
  { n, keepFormer }: { n: number; keepFormer: boolean },
): Promise<void> => {
  const body = indexedText(statementTerms(row.memory));
  await engineOf(tx).words.write(tx, 'memories', [{ n, tagNumbers: to.tagNumbers, body, extra: '' }]);
  await replaceMetadata(tx, { n, container: to.container }, rowMetadata(row));
  await carryVectors(tx, row.n, n, keepFormer);
};

/** Gives one row a number of the other container, and updates all references to it. */
const renumber = async (move: MoveContext, row: MemoryRow): Promise<number> => {
  const { tx, to } = move;
  const n = await takeNumber(tx, to.container, row.body_tokens);
  const names = [
    'update memories set n = $1, container = $3 where n = $2',
    'update memories set root = $1 where root = $2',
    'update memories set parent = $1 where parent = $2',
    'update memory_sources set memory = $1 where memory = $2',
    'update memory_relations set memory = $1 where memory = $2',
    'update memory_relations set other = $1 where other = $2',
  ];
  for (const [at, statement] of names.entries())
    await run(tx, statement, at === 0 ? [n, row.n, to.container] : [n, row.n]);
  await leaveContainer(tx, row);
  await indexUnderNumber(move, row, { n, keepFormer: false });
  return n;
};

const chainRows = (tx: Db, root: number): Promise<MemoryRow[]> =>
  tx.selectFrom('memories').selectAll().where('root', '=', root).orderBy('version').execute();

/** A live memory of the other container with the same fact. */
const liveTwin = (tx: Db, row: MemoryRow, container: number, now: number): Promise<MemoryRow | undefined> =>
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
const moveChain = async (move: MoveContext, root: number): Promise<void> => {
  const { tx, now, to } = move;
  const chain = await chainRows(tx, root);
  const [only, ...versions] = chain;
  const lone = only !== undefined && versions.length === 0 && isLiveRow(only, now) ? only : null;
  const twin = lone && (await liveTwin(tx, lone, to.container, now));
  if (lone && twin) {
    await addSourcesTo(tx, twin.n, lone.n);
    if (lone.is_static === 1) await run(tx, 'update memories set is_static = 1 where n = $1', [twin.n]);
    await eraseMemories(tx, [lone.n]);
    return;
  }
  const moved: number[] = [];
  for (const row of chain) moved.push(await renumber(move, row));
  // A memory of another chain that replaces it may not have moved, and memories that it replaces may already be here.
  await settleChains(tx, [...moved.slice(0, 1), ...(await chainsReplacedBy(tx, moved))]);
  for (const latest of moved.slice(-1)) await noteArrived(tx, latest);
};

/** Sources that the other memory has already stay where they are. */
const TAKE_SOURCES = `update memory_sources set memory = $1 where memory = $2 and doc = $3
  and not exists (select 1 from memory_sources as own
    where own.memory = $1 and own.doc = $3 and own.chunk = memory_sources.chunk)`;

/** Memories that other documents state as well stay there; this document takes copies of those that it states. */
const copyOwn = async (move: MoveContext, root: number, doc: number): Promise<void> => {
  const { tx, now, to } = move;
  const { rows: stated } = await run<{ memory: number }>(
    tx,
    `select distinct memory_sources.memory from memory_sources inner join memories on memories.n = memory_sources.memory
       where doc = $1 and root = $2`,
    [doc, root],
  );
  const chain = await chainRows(tx, root);
  const own = chain.filter(({ n }) => stated.some(({ memory }) => memory === n));
  const row = own.at(-1);
  if (row === undefined) return;
  const twin = await liveTwin(tx, row, to.container, now);
  const n = twin?.n ?? (await takeNumber(tx, to.container, row.body_tokens));
  if (twin === undefined) {
    const copy = { ...row, n, id: newId(), container: to.container, version: 1, root: n, parent: null };
    await insertRows(tx, 'memories', [{ ...copy, is_latest: 1 }]);
    await indexUnderNumber(move, row, { n, keepFormer: true });
    await noteArrived(tx, n);
  }
  for (const { memory } of stated) await run(tx, TAKE_SOURCES, [n, memory, doc]);
  await run(
    tx,
    `delete from memory_sources where doc = $1 and memory in (select value from number_list($2))`,
    [doc, JSON.stringify(own.map((each) => each.n))],
  );
  await eraseUnsupported(tx, own);
};

const eraseUnsupported = async (tx: Db, rows: readonly MemoryRow[]): Promise<void> => {
  const { rows: supported } = await run<{ memory: number }>(
    tx,
    `select distinct memory from memory_sources where memory in (select value from number_list($1))`,
    [JSON.stringify(rows.map(({ n }) => n))],
  );
  const held = new Set(supported.map(({ memory }) => memory));
  await eraseMemories(
    tx,
    rows.map(({ n }) => n).filter((n) => !held.has(n)),
  );
};

const rootsOfDocument = async (tx: Db, doc: number, from: number): Promise<number[]> => {
  const rows = await tx
    .selectFrom('memories')
    .select('root')
    .distinct()
    .where('container', '=', from)
    .where('n', 'in', tx.selectFrom('memory_sources').select('memory').where('doc', '=', doc))
    .execute();
  return rows.map(({ root }) => root);
};

/** The chains among these that also have a source document outside `to`. */
const sharedChains = async (tx: Db, roots: readonly number[], to: number): Promise<Set<number>> => {
  const rows = await tx
    .selectFrom('memories')
    .innerJoin('memory_sources', 'memory_sources.memory', 'memories.n')
    .innerJoin('documents', 'documents.n', 'memory_sources.doc')
    .select('memories.root')
    .distinct()
    .where('memories.root', 'in', numberList(roots))
    .where(LIVING)
    .where('documents.container', '<>', to)
    .execute();
  return new Set(rows.map(({ root }) => root));
};

/**
 * Called after the document has moved to `to`. `everybodyMoves`: memories that it shares with others of its former
 * container wait for the last of them.
 */
export const moveMemories = async (
  tx: Db,
  move: { doc: number; from: number; to: number; everybodyMoves: boolean },
  now: number,
): Promise<void> => {
  const roots = await rootsOfDocument(tx, move.doc, move.from);
  if (roots.length === 0) return;
  const context: MoveContext = { tx, now, to: await containerWithTagNumbers(tx, move.to) };
  const shared = await sharedChains(tx, roots, move.to);
  for (const root of roots)
    if (!shared.has(root)) await moveChain(context, root);
    else if (!move.everybodyMoves) await copyOwn(context, root, move.doc);
};
