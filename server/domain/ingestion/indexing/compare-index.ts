// Compares the vector index with SQL, and fills a space again if vectors were lost or most of them were removed.
import type { FillSpace } from '../../../adapters/store/ports/spaces.ts';
import { DOUBT, type IndexerContext, showState } from './context.ts';
import { findGrowing } from './growing-containers.ts';

const ENQUEUED_AT_ONCE = 5000;
/** An index only marks removed vectors, and the marks slow down every insert: three times, measured. */
const WORN_AFTER = 5000;
const WORN_TIMES = 2;

const rebuild = async (
  context: IndexerContext,
  space: FillSpace,
  why: string,
  signal: AbortSignal,
): Promise<void> => {
  const { store, index, log, indexFrom } = context.deps;
  log.warn({ space: space.id, why }, 'The vector index is filled again from SQL.');
  context.rebuilding.set(space.id, `filling the vector index again: ${why}`);
  showState(context, true);
  context.growing.delete(space.id);
  // Marked before anything is dropped, so that searches compare exactly what the index is about to lack.
  await store.indexAnew(space.id, indexFrom);
  await index.drop(space.id);
  context.removed.delete(space.id);
  context.deps.dropped();
  await findGrowing(context, space);
  if (indexFrom > 0) return;
  let after: number | null = -1;
  while (after !== null && !signal.aborted) after = await store.enqueueAll(space.id, after, ENQUEUED_AT_ONCE);
};

/** Fills the index anew if CHROMA_INDEX_FROM was changed, because it then holds other containers than it should. */
export const fillIfBoundChanged = async (
  context: IndexerContext,
  space: FillSpace,
  signal: AbortSignal,
): Promise<void> => {
  const { store, indexFrom } = context.deps;
  if (context.growing.has(space.id)) return;
  const former = await store.indexedFrom(space.id);
  if (former === indexFrom) await findGrowing(context, space);
  else await rebuild(context, space, `CHROMA_INDEX_FROM was ${former} and is ${indexFrom}`, signal);
};

/** A difference that the outbox does not explain is a loss: the space is filled again. */
export const compareIfDue = async (
  context: IndexerContext,
  space: FillSpace,
  signal: AbortSignal,
): Promise<void> => {
  const { deps, verdicts, doubtful } = context;
  if (!verdicts.isDue(space.id)) return;
  const judge = verdicts.look(space.id);
  const held = (await deps.index.count(space.id)) ?? 0;
  const vectors = await deps.store.countVectors(space.id);
  const pending = await deps.store.countOutbox(space.id);
  const verdict = judge({ held, vectors, pending });
  if (verdict === 'lost') await rebuild(context, space, `it held ${held} of ${vectors} vectors`, signal);
  if (verdict === 'whole') doubtful.delete(space.id);
  if (verdict !== 'hopeless') return;
  doubtful.add(space.id);
  deps.log.warn({ space: space.id, held, expected: vectors }, DOUBT);
};

/** True: most of the space had been removed, and it is filled again. */
export const rebuildIfWorn = async (
  context: IndexerContext,
  space: FillSpace,
  signal: AbortSignal,
): Promise<boolean> => {
  const marks = context.removed.get(space.id) ?? 0;
  if (marks < WORN_AFTER) return false;
  if (marks < WORN_TIMES * (await context.deps.store.countVectors(space.id))) return false;
  await rebuild(context, space, 'most of it had been deleted', signal);
  return true;
};
