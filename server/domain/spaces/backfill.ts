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
}

const BATCH = 64;
const FIRST_RETRY_MS = 1000;
const LONGEST_RETRY_MS = 60_000;

/** One batch; the last chunk number that was looked at, or null at the end. */
const fillBatch = async (deps: BackfillDeps, space: FilledSpace, after: number): Promise<number | null> => {
  const { store, signal } = deps;
  const ns = await store.missing(space, after, BATCH);
  const last = ns.at(-1);
  if (last === undefined) return null;
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
  return last;
};

/** Until no chunk is without a vector; an embedder that does not answer is waited for. */
export const fillSpace = async (deps: BackfillDeps, space: FilledSpace): Promise<void> => {
  let after: number | null = -1;
  let retryMs = FIRST_RETRY_MS;
  while (after !== null && !deps.signal.aborted) {
    try {
      after = await fillBatch(deps, space, after);
      retryMs = FIRST_RETRY_MS;
      await nextTurn();
    } catch (error) {
      if (deps.signal.aborted) return;
      if (error instanceof IngestError && !error.retryable) throw error;
      deps.log.warn({ err: error, retryMs }, 'Embedding what is stored failed; trying again.');
      await pause(retryMs, deps.signal);
      retryMs = Math.min(retryMs * 2, LONGEST_RETRY_MS);
    }
  }
};
