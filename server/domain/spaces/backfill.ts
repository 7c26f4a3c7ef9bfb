// Fills a space with vectors for the stored chunks, while another space may be in use.
import type { IngestStore } from '../../adapters/store/ports/ingestion/ingest.ts';
import { IngestError } from '../../core/errors.ts';
import type { Logger } from '../../core/log.ts';
import { growingWait } from '../../lib/async/retry.ts';
import { nextTurn, pause } from '../../lib/async/wait.ts';
import { messageOf } from '../../lib/failures.ts';
import type { StoredPassages } from '../ingestion/chunking/describe-chunks.ts';
import type { FilledSpace } from '../ingestion/reconcile.ts';

export interface BackfillDeps {
  store: IngestStore;
  log: Pick<Logger, 'warn'>;
  signal: AbortSignal;
  /** The pipeline's own form of a passage, so that both give the same vector. */
  describe: StoredPassages;
  /** Called with the reason of a wait; null: the work goes on. */
  waits: (sentence: string | null) => void;
}

/** The size of one writing transaction, and the most that an interruption can lose. */
const MOST_AT_ONCE = 512;
const QUESTION = 'Does this service answer?';
const WAITS = { firstWaitMs: 1000, longestWaitMs: 60_000 };
/** The next pass finds chunks that were added meanwhile; a chunk that never gets a vector must not cost money for ever. */
const PASSES = 5;

/** The number of chunks in one round of parallel calls. */
const batchOf = ({ embedder: { limits } }: FilledSpace): number =>
  Math.min(MOST_AT_ONCE, limits.passagesPerCall * limits.parallelCalls);

const fillChunks = async (deps: BackfillDeps, space: FilledSpace, ns: readonly number[]): Promise<void> => {
  const { store, signal } = deps;
  const targets = deps.describe(await store.storedPassages(ns), new Set(ns), space.embedder.context);
  const vectors = await space.embedder.embed(
    targets.map((target) => target.passage),
    signal,
  );
  await store.fillVectors(
    space,
    targets.flatMap(({ n }, index) => {
      const vector = vectors[index];
      return vector ? [{ n, vector }] : [];
    }),
  );
};

interface FillStep {
  missed: boolean;
  /** The last chunk that was looked at; null: the end. */
  last: number | null;
}

const fillStep = async (deps: BackfillDeps, space: FilledSpace, after: number): Promise<FillStep> => {
  const { ns, last } = await deps.store.missing(space, after, batchOf(space));
  if (ns.length > 0) await fillChunks(deps, space, ns);
  deps.waits(null);
  await nextTurn();
  return { missed: ns.length > 0, last };
};

/** One pass over all chunks; it waits for an embedder that is at fault, a refused key included. True: vectors were missing. */
const fillPass = async (deps: BackfillDeps, space: FilledSpace): Promise<boolean> => {
  let at: FillStep = { missed: false, last: -1 };
  let missed = false;
  let failures = 0;
  while (at.last !== null && !deps.signal.aborted) {
    try {
      // A short call shows whether it is well again; the whole batch could cost money each time.
      if (failures > 0) await space.embedder.embedQuery(QUESTION, undefined, deps.signal);
      at = await fillStep(deps, space, at.last);
      missed ||= at.missed;
      failures = 0;
    } catch (error) {
      if (deps.signal.aborted) return missed;
      if (error instanceof IngestError && !error.retryable && !error.byProvider) throw error;
      const waitMs = growingWait(WAITS, ++failures);
      deps.waits(messageOf(error));
      deps.log.warn(
        { err: error, waitMs },
        'Embedding stored chunks failed. The next attempt follows after a wait.',
      );
      await pause(waitMs, deps.signal);
    }
  }
  return missed;
};

/** Repeats passes until every chunk has a vector. */
export const fillSpace = async (deps: BackfillDeps, space: FilledSpace): Promise<void> => {
  for (let made = 0; made < PASSES && !deps.signal.aborted; made++)
    if (!(await fillPass(deps, space))) return;
};
