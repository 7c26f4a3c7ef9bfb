// Finds documents and runs of connections whose worker ended without giving them back, where several processes work on one
// database.
import type { ClaimStore } from '../../../adapters/store/ports/ingestion/claims.ts';
import { failedRound } from '../../../core/job-failure.ts';
import type { Logger } from '../../../core/log.ts';
import { type BackgroundWorker, createWorker } from '../../../lib/async/background/worker.ts';

const LOOK_MS = 2000;
const WAITS = { firstWaitMs: LOOK_MS, longestWaitMs: LOOK_MS };

export interface LeaseWatchDeps {
  store: Pick<ClaimStore, 'voidFormerLeases'>;
  boot: string;
  /** Called when there is something to take over. */
  found: () => void;
  log: Pick<Logger, 'warn' | 'error'>;
}

export const createLeaseWatch = ({ store, boot, found, log }: LeaseWatchDeps): BackgroundWorker =>
  createWorker({
    async round() {
      const { resumed, runs } = await store.voidFormerLeases(boot);
      if (resumed > 0)
        log.warn(
          { documents: resumed },
          'A worker ended in the middle of documents; others read them again.',
        );
      if (runs > 0) log.warn({ runs }, 'A worker ended in the middle of a sync; another goes on with it.');
      if (resumed + runs > 0) found();
      return { sleepMs: LOOK_MS };
    },
    failed: failedRound(log, 'A look for leases of ended workers'),
    waits: WAITS,
  });
