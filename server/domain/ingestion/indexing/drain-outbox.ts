// Sends the outbox of a space to the vector index: in batches, in order, acknowledged only after the index has them.
import type { OutboxRow } from '../../../adapters/store/ports/ingestion/outbox.ts';
import type { FillSpace } from '../../../adapters/store/ports/spaces.ts';
import { containerOfNumber } from '../../../core/chunks/chunk-number.ts';
import { pause } from '../../../lib/async/wait.ts';
import { batchSize } from './batch-size.ts';
import { type IndexerContext, showState } from './context.ts';
import { enqueueGrowing, indexableOf, isGrowing } from './growing-containers.ts';

/**
 * A vector costs the index up to half as much again in small batches, and no search waits for it. So vectors are collected,
 * but only while more arrive.
 */
const LOOKS = 2;
const MORE_WITHIN_MS = 50;
/** After this many the index is checked again, and other spaces are served. */
const BATCHES_AT_ONCE = 10;

/** The last entry for a chunk counts. */
const coalesce = (rows: readonly OutboxRow[]): { upserts: number[]; removes: number[] } => {
  const last = new Map(rows.map((row) => [row.n, row.op]));
  const numbersWith = (wanted: OutboxRow['op']) =>
    [...last].filter(([, op]) => op === wanted).map(([n]) => n);
  return { upserts: numbersWith('upsert'), removes: numbersWith('remove') };
};

const sendRows = async (
  context: IndexerContext,
  space: FillSpace,
  rows: readonly OutboxRow[],
): Promise<void> => {
  const {
    deps: { store, index },
    removed,
  } = context;
  const indexable = await indexableOf(context, space, [...new Set(rows.map(({ n }) => n))]);
  const { upserts, removes } = coalesce(rows.filter(({ n }) => indexable.has(n)));
  const vectors = await store.vectorsOf(space, upserts);
  const gone = [...removes, ...upserts.filter((n) => !vectors.has(n))];
  if (gone.length > 0) {
    await index.remove(space.id, gone);
    removed.set(space.id, (removed.get(space.id) ?? 0) + gone.length);
  }
  if (vectors.size > 0)
    await index.upsert(
      space.id,
      space.dimensions,
      [...vectors].map(([n, vector]) => ({ n, container: containerOfNumber(n), vector })),
    );
  await store.acknowledge(
    space.id,
    rows.map((row) => row.seq),
  );
};

const gatherRows = async (
  { deps: { store, index, searchesFirst } }: IndexerContext,
  space: FillSpace,
  signal: AbortSignal,
): Promise<OutboxRow[]> => {
  const most = batchSize(index.batch, space.dimensions, searchesFirst.expected());
  let rows = await store.outbox(space.id, most);
  let before = 0;
  for (let looks = 0; looks < LOOKS && rows.length > before && rows.length < most; looks++) {
    before = rows.length;
    await pause(MORE_WITHIN_MS, signal);
    rows = await store.outbox(space.id, most);
  }
  return rows;
};

/** True: the outbox has more entries. */
export const drainOutbox = async (
  context: IndexerContext,
  space: FillSpace,
  signal: AbortSignal,
): Promise<boolean> => {
  await enqueueGrowing(context, space);
  for (let batch = 0; batch < BATCHES_AT_ONCE && !signal.aborted; batch++) {
    const rows = await gatherRows(context, space, signal);
    if (rows.length === 0 && isGrowing(context, space)) return true;
    if (rows.length === 0) {
      // A space that was filled again is compared once more.
      if (context.rebuilding.delete(space.id)) context.verdicts.forget(space.id);
      return false;
    }
    showState(context, true);
    const facts = { vectors: rows.length };
    const send = () => context.deps.watch('indexing', () => sendRows(context, space, rows), { facts });
    await context.deps.searchesFirst.run(send);
  }
  return true;
};
