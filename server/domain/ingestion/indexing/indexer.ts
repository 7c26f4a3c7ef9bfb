// Keeps the vector index up to date with SQL: drains the outbox and compares the two, because
// searches may rely on the index only while it is complete.

import { DUTIES } from '../../../core/processes/duties.ts';
import { onDuty } from '../../../lib/async/background/duties.ts';
import { type AfterRound, createWorker } from '../../../lib/async/background/worker.ts';
import { messageOf } from '../../../lib/failures.ts';
import { compareIfDue, fillIfBoundChanged, rebuildIfWorn } from './compare-index.ts';
import { type IndexerContext, type IndexerDeps, type IndexerState, showState } from './context.ts';
import { drainOutbox } from './drain-outbox.ts';
import { createVerdicts } from './index-verdicts.ts';

export interface Indexer {
  start(): void;
  wake(): void;
  /** The index was restarted, perhaps over an empty folder: its content is compared again. */
  restarted(): void;
  /** Drops a retired space as soon as the index answers and no vector for the space is pending. */
  drop(space: number): Promise<void>;
  state(): IndexerState;
  stop(): Promise<void>;
}

const WAITS = { firstWaitMs: 250, longestWaitMs: 15_000 };
const IDLE_MS = 30_000;

/** Runs between batches, because a pending upsert would create the space again. */
const dropFormer = async ({
  deps,
  rebuilding,
  removed,
  doubtful,
  dropping,
  growing,
}: IndexerContext): Promise<void> => {
  for (const [space, asked] of dropping) {
    await deps.index.drop(space);
    rebuilding.delete(space);
    removed.delete(space);
    doubtful.delete(space);
    growing.delete(space);
    dropping.delete(space);
    deps.dropped();
    asked.resolve();
  }
};

/** Collections of another number of shards would go stale, so they are dropped before anything is written. */
const dropOtherLayouts = async (context: IndexerContext): Promise<void> => {
  if (context.hasDroppedOtherLayouts) return;
  const { index, log, dropped } = context.deps;
  if (await index.dropOtherLayouts()) {
    log.info({}, 'The number of shards was changed: the vector index of the former number was dropped.');
    dropped();
  }
  context.hasDroppedOtherLayouts = true;
};

const indexRound = async (context: IndexerContext, signal: AbortSignal): Promise<AfterRound> => {
  await context.deps.index.ready(signal);
  await dropOtherLayouts(context);
  await dropFormer(context);
  let more = false;
  for (const space of context.deps.spaces()) {
    await fillIfBoundChanged(context, space, signal);
    await compareIfDue(context, space, signal);
    if (await drainOutbox(context, space, signal)) more = true;
    else if (await rebuildIfWorn(context, space, signal)) more = true;
    else await compareIfDue(context, space, signal);
  }
  showState(context, more);
  return more ? 'again' : { sleepMs: IDLE_MS };
};

/** The other process may change the index unseen, so nothing that is known of it counts any more. */
const leaveToOther = (context: IndexerContext): void => {
  context.verdicts.forgetAll();
  context.hasDroppedOtherLayouts = false;
  context.growing.clear();
  context.state = { status: 'elsewhere' };
};

const reportFailure = (context: IndexerContext, error: unknown, waitMs: number): void => {
  context.verdicts.forgetAll();
  context.state = { status: 'waiting', detail: messageOf(error) };
  context.deps.log.warn(
    { err: error, waitMs },
    'The vector index does not take vectors. The next attempt follows after a wait.',
  );
};

export const createIndexer = (deps: IndexerDeps): Indexer => {
  const stopping = new AbortController();
  const context: IndexerContext = {
    deps,
    verdicts: createVerdicts({ now: deps.now, whole: deps.whole }),
    state: { status: 'waiting' },
    rebuilding: new Map(),
    doubtful: new Set(),
    removed: new Map(),
    dropping: new Map(),
    hasDroppedOtherLayouts: false,
    growing: new Map(),
  };
  const { dropping } = context;
  const worker = createWorker({
    round: onDuty(deps.duties, DUTIES.spaces, (signal) => indexRound(context, signal), {
      off: () => leaveToOther(context),
    }),
    failed: (error, waitMs) => reportFailure(context, error, waitMs),
    waits: WAITS,
    stopping,
  });
  return {
    start: worker.start,
    wake: worker.wake,
    restarted() {
      context.verdicts.forgetAll();
      worker.wake();
    },
    drop(space) {
      if (stopping.signal.aborted) return Promise.reject(stopping.signal.reason);
      const asked = dropping.get(space) ?? Promise.withResolvers<void>();
      dropping.set(space, asked);
      worker.wake();
      return asked.promise;
    },
    state: () => context.state,
    async stop() {
      await worker.stop();
      for (const asked of dropping.values()) asked.reject(stopping.signal.reason);
    },
  };
};
