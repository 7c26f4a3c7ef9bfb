// The background work on spaces: it fills a new space, makes it active, and erases former ones.

import { failedRound } from '../../core/job-failure.ts';
import { DUTIES } from '../../core/processes/duties.ts';
import { onDuty } from '../../lib/async/background/duties.ts';
import { type AfterRound, createWorker } from '../../lib/async/background/worker.ts';
import { messageOf } from '../../lib/failures.ts';
import type { FilledSpace } from '../ingestion/reconcile.ts';
import { eraseObsoleteSpaces } from './erase-spaces.ts';
import { type FillingContext, type FillingDeps, type FillingState, refreshSpaces } from './filled-spaces.ts';
import { completeSpaces } from './switch-space.ts';

export interface Filling {
  /** The active space first. */
  spaces(): readonly FilledSpace[];
  /** Reads the spaces again and continues unfinished work. */
  load(): Promise<void>;
  state(): FillingState;
  stop(): Promise<void>;
}

const RESTING: FillingState = { trouble: null, stopped: false };
const WAITS = { firstWaitMs: 1000, longestWaitMs: 60_000 };

/** A failure ends the work until the next request, because each retry could cost money. */
const fillRound = async (context: FillingContext): Promise<AfterRound> => {
  try {
    await completeSpaces(context);
  } catch (error) {
    context.state = { trouble: messageOf(error), stopped: true };
    context.deps.log.error(
      { err: error },
      'Filling the embedding space stopped; memoir reindex starts it again.',
    );
  }
  return 'rest';
};

const eraseRound = async (context: FillingContext): Promise<AfterRound> => {
  try {
    await eraseObsoleteSpaces(context);
  } catch (error) {
    context.deps.log.warn(
      { err: error },
      'Former embedding spaces could not be erased; the next start will erase them.',
    );
  }
  return 'rest';
};

export const createFilling = (deps: FillingDeps): Filling => {
  const stopping = new AbortController();
  const context: FillingContext = { deps, signal: stopping.signal, spaces: [], state: RESTING };
  const common = { waits: WAITS, stopping };
  const filler = createWorker({
    ...common,
    round: onDuty(deps.duties, DUTIES.spaces, () => fillRound(context).finally(() => eraser.wake())),
    failed: failedRound(deps.log, 'Filling embedding spaces'),
  });
  /** Runs in parallel to the other work, because the index may be unavailable for long. */
  const eraser = createWorker({
    ...common,
    round: onDuty(deps.duties, DUTIES.spaces, () => eraseRound(context)),
    failed: failedRound(deps.log, 'Erasing former embedding spaces'),
  });
  let loaded = false;

  return {
    spaces: () => context.spaces,
    state: () => context.state,
    async load() {
      await refreshSpaces(context);
      context.state = RESTING;
      for (const worker of [eraser, filler]) {
        if (loaded) worker.wake();
        else worker.start();
      }
      loaded = true;
    },
    async stop() {
      await Promise.all([filler.stop(), eraser.stop()]);
    },
  };
};
