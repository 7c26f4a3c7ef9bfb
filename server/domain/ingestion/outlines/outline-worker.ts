// Draws the titles and summaries of documents that an earlier release stored, in slices, until each has them.
import type { OutlineStore } from '../../../adapters/store/ports/ingestion/outlines.ts';
import { failedRound } from '../../../core/job-failure.ts';
import type { Logger } from '../../../core/log.ts';
import { DUTIES } from '../../../core/processes/duties.ts';
import { type Duties, onDuty } from '../../../lib/async/background/duties.ts';
import {
  type AfterRound,
  type BackgroundWorker,
  createWorker,
} from '../../../lib/async/background/worker.ts';
import { nextTurn } from '../../../lib/async/wait.ts';
import { outlineStored } from './outline-document.ts';

const AT_ONCE = 16;
const WAITS = { firstWaitMs: 5000, longestWaitMs: 60_000 };

export interface OutlineWorkerDeps {
  store: OutlineStore;
  duties: Duties;
  log: Pick<Logger, 'error'>;
}

const outlineRound = async ({ store }: OutlineWorkerDeps): Promise<AfterRound> => {
  const jobs = await store.withoutOutline(AT_ONCE);
  if (jobs.length === 0) return 'rest';
  const outlines = [];
  for (const job of jobs) {
    outlines.push({ n: job.n, revision: job.revision, outline: outlineStored(job) });
    await nextTurn();
  }
  await store.storeOutlines(outlines);
  return 'again';
};

export const createOutlineWorker = (deps: OutlineWorkerDeps): BackgroundWorker =>
  createWorker({
    round: onDuty(deps.duties, DUTIES.outlines, () => outlineRound(deps)),
    failed: failedRound(deps.log, 'Drawing titles and summaries'),
    waits: WAITS,
  });
