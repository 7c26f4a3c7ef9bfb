// Notices that the clock was set back: documents wait until a time of the clock, and would wait for the former time.
import type { ClaimStore } from '../../../adapters/store/ports/ingestion/claims.ts';
import { failedRound } from '../../../core/job-failure.ts';
import type { Logger } from '../../../core/log.ts';
import {
  type AfterRound,
  type BackgroundWorker,
  createWorker,
} from '../../../lib/async/background/worker.ts';
import { INGEST_RETRIES } from './retry-plan.ts';

const LOOK_MS = 5000;
/** A smaller step is a correction of the clock, which delays nothing for long. */
const SET_BACK_MS = 2000;
const WAITS = { firstWaitMs: LOOK_MS, longestWaitMs: LOOK_MS };

export interface ClockWatchDeps {
  store: Pick<ClaimStore, 'bringForward'>;
  now: () => number;
  /** A clock that nobody sets. */
  monotonic: () => number;
  /** Called when documents were brought forward. */
  brought: () => void;
  log: Pick<Logger, 'warn' | 'error'>;
}

export const createClockWatch = ({
  store,
  now,
  monotonic,
  brought,
  log,
}: ClockWatchDeps): BackgroundWorker => {
  /** The clock may have been set back before the start. */
  let former = Number.POSITIVE_INFINITY;

  const look = async (): Promise<AfterRound> => {
    const current = now() - monotonic();
    if (former - current >= SET_BACK_MS) {
      const documents = await store.bringForward(INGEST_RETRIES.longestWaitMs);
      if (documents > 0) {
        log.warn(
          { documents },
          'Documents waited for a time that is far ahead of the clock; they wait no longer.',
        );
        brought();
      }
    }
    former = current;
    return { sleepMs: LOOK_MS };
  };

  return createWorker({ round: look, failed: failedRound(log, 'A look at the clock'), waits: WAITS });
};
