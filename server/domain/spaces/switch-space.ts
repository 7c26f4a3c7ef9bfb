// Fills every space that takes new content, and activates a new space when it is full.
import type { SpaceRecord } from '../../adapters/store/ports/spaces.ts';
import { pause } from '../../lib/async/wait.ts';
import type { FilledSpace } from '../ingestion/reconcile.ts';
import { fillSpace } from './backfill.ts';
import { type FillingContext, refreshSpaces } from './filled-spaces.ts';

/** The longest wait for the index to take the last vectors; searches compare the rest exactly. */
const INDEX_WAIT_MS = 60_000;
const POLL_MS = 100;
const SWITCH_WAIT_MS = 10_000;

const waitForIndex = async ({ deps, signal }: FillingContext, space: number): Promise<void> => {
  const end = performance.now() + INDEX_WAIT_MS;
  while (!signal.aborted && performance.now() < end) {
    if ((await deps.store.outbox(space, 1)).length === 0) return;
    await pause(POLL_MS, signal);
  }
};

const fill = (context: FillingContext, space: FilledSpace): Promise<void> => {
  const { store, log, describe } = context.deps;
  const waits = (trouble: string | null): void => {
    context.state = { trouble, stopped: false };
  };
  return fillSpace({ store, log, describe, signal: context.signal, waits }, space);
};

const missingModel = ({ embedder, model }: SpaceRecord): string =>
  `This process cannot run the chosen embedding model ${embedder} ${model}. Make the model available to it (MEMOIR_MODELS_DIR, MEMOIR_LOCAL_SERVERS) and restart it, or choose another one.`;

/** Documents that the pipeline planned before the space existed are filled after the switch. */
const completeSpace = async (context: FillingContext, record: SpaceRecord): Promise<void> => {
  const { deps, signal } = context;
  const space = context.spaces.find((each) => each.id === record.id);
  if (!space) {
    if (record.state === 'filling') context.state = { trouble: missingModel(record), stopped: false };
    return;
  }
  await fill(context, space);
  if (record.state !== 'filling' || signal.aborted) return;
  deps.filled();
  await waitForIndex(context, space.id);
  if (signal.aborted) return;
  const switched = await deps.store.switchTo(space.id);
  if (switched === null) return;
  deps.log.info({ space: space.id, retired: switched.retired }, 'Searches use the new embedding space.');
  await refreshSpaces(context);
  await deps.store.releaseRefused();
  // This comes before the former space is erased, because a search that began with it checks again at its end.
  await Promise.race([deps.switched(), pause(SWITCH_WAIT_MS, signal)]);
  await fill(context, space);
};

/** New spaces come first, because the embedder of the active space may be broken. */
export const completeSpaces = async (context: FillingContext): Promise<void> => {
  for (const record of (await refreshSpaces(context)).toReversed()) await completeSpace(context, record);
};
