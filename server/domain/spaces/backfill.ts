// Fills a space with vectors for what is already stored, while another may be serving.
import type { IngestStore } from '../../adapters/store/ingest-port.ts';
import { IngestError } from '../../errors.ts';
import type { Logger } from '../../lib/logger.ts';
import { nextTurn, pause } from '../../lib/wake.ts';
import type { StoredPassages } from '../pipeline/describe.ts';
import type { FilledSpace } from '../pipeline/reconcile.ts';

export interface BackfillDeps {
  store: IngestStore;
  log: Pick<Logger, 'warn'>;
  signal: AbortSignal;
  /** The pipeline's own view of a passage, so that both ways give the same vector. */
  describe: StoredPassages;
  /** Told of what it waits for; null: it goes on. */
  waits: (sentence: string | null) => void;
}

/** What is embedded is lost when it is interrupted, and one writing transaction takes it in. */
const MOST_AT_ONCE = 512;
const FIRST_RETRY_MS = 1000;
const LONGEST_RETRY_MS = 60_000;
/** What comes in behind a pass is found by the next; a chunk that never gets a vector must not be paid for again and again. */
const PASSES = 5;

/** As many as one round of parallel calls takes. */
const batchOf = ({ embedder: { limits } }: FilledSpace): number =>
  Math.min(MOST_AT_ONCE, limits.passagesPerCall * limits.parallelCalls);

const fill = async (deps: BackfillDeps, space: FilledSpace, ns: readonly number[]): Promise<void> => {
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

interface Step {
  missed: boolean;
  /** The last chunk that was looked at; null: the end. */
  last: number | null;
}

const step = async (deps: BackfillDeps, space: FilledSpace, after: number): Promise<Step> => {
  const { ns, last } = await deps.store.missing(space, after, batchOf(space));
  if (ns.length > 0) await fill(deps, space, ns);
  deps.waits(null);
  await nextTurn();
  return { missed: ns.length > 0, last };
};

/** One way through all chunks; an embedder that does not answer is waited for. Whether anything was missing. */
const pass = async (deps: BackfillDeps, space: FilledSpace): Promise<boolean> => {
  let at: Step = { missed: false, last: -1 };
  let missed = false;
  let retryMs = FIRST_RETRY_MS;
  while (at.last !== null && !deps.signal.aborted) {
    try {
      at = await step(deps, space, at.last);
      missed ||= at.missed;
      retryMs = FIRST_RETRY_MS;
    } catch (error) {
      if (deps.signal.aborted) return missed;
      if (error instanceof IngestError && !error.retryable) throw error;
      deps.waits(error instanceof Error ? error.message : String(error));
      deps.log.warn({ err: error, retryMs }, 'Embedding what is stored failed; trying again.');
      await pause(retryMs, deps.signal);
      retryMs = Math.min(retryMs * 2, LONGEST_RETRY_MS);
    }
  }
  return missed;
};

/** Until no chunk is without a vector. */
export const fillSpace = async (deps: BackfillDeps, space: FilledSpace): Promise<void> => {
  for (let made = 0; made < PASSES && !deps.signal.aborted; made++) if (!(await pass(deps, space))) return;
};
