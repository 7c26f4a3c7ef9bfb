// Erases the rows of deleted documents and replaced texts in slices, then scrubs the database files, and compacts them on request.
import type { Room } from '../../../adapters/store/ports/ingestion/erasing.ts';
import type { IngestStore } from '../../../adapters/store/ports/ingestion/ingest.ts';
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
import { createCompaction, type SpaceState } from './compaction.ts';

const SLICE = 500;
const FILES = 100;
const IDLE_MS = 60_000;
/** Scrubbing rewrites the keyword index, so it waits for a pause in deletions. */
const CALM_MS = 2000;
/** The longest wait for such a pause. */
const LONGEST_MS = 5 * 60_000;
/** A large index takes long to rewrite: the rest until the next scrub is so many times as long, within an hour. */
const REST_AFTER_SCRUB = 30;
const LONGEST_REST_MS = 60 * 60_000;
const WAITS = { firstWaitMs: 5000, longestWaitMs: 5000 };

export interface PurgerDeps {
  store: IngestStore;
  duties: Duties;
  erased: () => void;
  /** Erases an original; a missing one is not an error. */
  eraseFile: (key: string) => Promise<void>;
  log: Pick<Logger, 'error'>;
}

/** The times of the first and last erasure that was not scrubbed yet; first null: none. */
interface Erased {
  first: number | null;
  last: number;
}

const eraseRows = async ({ store, erased }: PurgerDeps, signal: AbortSignal): Promise<boolean> => {
  let any = false;
  while (!signal.aborted && (await store.purge(SLICE))) {
    any = true;
    erased();
    await nextTurn();
  }
  return any;
};

/** Rows are deleted last, so that after a crash the files are erased again. */
const eraseFiles = async ({ store, eraseFile }: PurgerDeps, signal: AbortSignal): Promise<void> => {
  while (!signal.aborted) {
    const keys = await store.filesToErase(FILES);
    for (const key of keys) await eraseFile(key);
    if (keys.length === 0) return;
    await store.forgetFiles(keys);
  }
};

/** False: nothing is left that an earlier release kept. */
const eraseAllFormerlyKept = async ({ store }: PurgerDeps, signal: AbortSignal): Promise<boolean> => {
  while (await store.eraseFormerlyKept()) {
    if (signal.aborted) return true;
    await nextTurn();
  }
  return false;
};

/** Erased content that waits for its scrub, and the time at which that is due. */
const createScrubbing = ({ store }: PurgerDeps) => {
  const erased: Erased = { first: null, last: 0 };
  let restUntil = 0;
  return {
    async noteErasure(anyRows: boolean): Promise<void> {
      if (!anyRows && (erased.first !== null || !(await store.needsScrub()))) return;
      erased.last = performance.now();
      erased.first ??= erased.last;
    },
    /** Null: nothing waits. */
    waitMs(): number | null {
      if (erased.first === null) return null;
      const due = Math.max(Math.min(erased.last + CALM_MS, erased.first + LONGEST_MS), restUntil);
      return due - performance.now();
    },
    async scrub(signal: AbortSignal): Promise<void> {
      const began = performance.now();
      await store.scrub(signal);
      erased.first = null;
      const ended = performance.now();
      restUntil = ended + Math.min((ended - began) * REST_AFTER_SCRUB, LONGEST_REST_MS);
    },
  };
};

export interface Purger extends BackgroundWorker {
  /** Asks for a compaction. Null: it follows, or is under way; else the disk has not enough room. */
  compact(): Promise<Room | null>;
  space(): Promise<SpaceState>;
}

export const createPurger = (deps: PurgerDeps): Purger => {
  const scrubbing = createScrubbing(deps);
  const compaction = createCompaction(deps.store, deps.log);
  let formerlyKept = true;

  const round = async (signal: AbortSignal): Promise<AfterRound> => {
    formerlyKept = formerlyKept && (await eraseAllFormerlyKept(deps, signal));
    await scrubbing.noteErasure(await eraseRows(deps, signal));
    await eraseFiles(deps, signal);
    if (compaction.isAsked()) {
      await scrubbing.scrub(signal);
      await compaction.run(signal);
      return 'again';
    }
    const waitMs = scrubbing.waitMs();
    if (waitMs === null) return { sleepMs: IDLE_MS };
    if (waitMs > 0) return { sleepMs: waitMs };
    await scrubbing.scrub(signal);
    return 'again';
  };

  const worker = createWorker({
    round: onDuty(deps.duties, DUTIES.erasing, round),
    waits: WAITS,
    failed: failedRound(deps.log, 'Erasing deleted documents'),
  });
  return {
    ...worker,
    async compact() {
      const short = await compaction.ask();
      worker.wake();
      return short;
    },
    space: compaction.state,
  };
};
