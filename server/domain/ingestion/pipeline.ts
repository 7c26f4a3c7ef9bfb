// The loop that takes documents from queued to done. Every step can be run again; nothing is lost on the way.
import type { Claim } from '../../adapters/store/ports/ingestion/claims.ts';
import { failedRound } from '../../core/job-failure.ts';
import { type AfterRound, createWorker } from '../../lib/async/background/worker.ts';
import { backgroundPause, nextTurn } from '../../lib/async/wait.ts';
import { createBursts } from './bursts.ts';
import { completeDocuments, SLICE_MS } from './complete-documents.ts';
import { needsExtraction } from './content/describe-document.ts';
import type { IngestContext, PipelineDeps } from './context.ts';
import { createFillingVectors } from './filling-vectors.ts';
import type { Prepared } from './prepare.ts';
import { fullShares, readDocument, readInBackground, readingShare, roomToExtract } from './read-documents.ts';
import { createReports } from './reports.ts';
import { releaseStranded, retryOrFail } from './settle-claims.ts';

export interface Pipeline {
  start(): void;
  /** There may be something to do. */
  wake(): void;
  /** Several writes of callers waited at once a moment ago: they go first for a while. */
  giveWay(): void;
  /** Asks the embedder at once during an outage: a caller wants a document that waits for it. */
  retryNow(): void;
  /** Finishes active claims within the time and releases the others. */
  stop(graceMs: number): Promise<void>;
}

/** A share of small documents is one commit. */
const SHARE = { documents: 64, containers: 16 };
const SMALL_SHARE = { documents: 32, containers: 16 };
/** The most shares that a service embeds at once; a slow request holds up no other share. */
const EMBEDDED_AT_ONCE = 4;
/** The same for an embedder on this machine: one share waits for its commit while the next one is computed. */
const COMPUTED_AT_ONCE = 2;
const IDLE_MS = 30_000;
const SHORTEST_SLEEP_MS = 20;
const ROUND_WAITS = { firstWaitMs: 1000, longestWaitMs: 1000 };

/** Reads the setting after the claim, so that content sent after a change is cut by the new value. Undefined: reading failed. */
const readChunkSize = async (
  context: IngestContext,
  claims: readonly Claim[],
): Promise<number | null | undefined> => {
  try {
    return (await context.deps.chunkSize?.()) ?? null;
  } catch (error) {
    for (const claim of claims) await retryOrFail(context, claim, error);
    return undefined;
  }
};

const sharesAtOnce = ({ deps }: IngestContext): number => {
  const embedder = deps.spaces().find(({ serves }) => serves)?.embedder;
  return embedder === undefined || embedder.limits.parallelCalls === 1 ? COMPUTED_AT_ONCE : EMBEDDED_AT_ONCE;
};

/** Embeds and commits in the background, so that the next share is read meanwhile. */
const completeInBackground = (context: IngestContext, prepared: readonly Prepared[]): void => {
  const { embedding } = context;
  const work = completeDocuments(context, prepared)
    .catch(async (error) => {
      for (const { claim } of prepared)
        if (context.inHand.has(claim)) await retryOrFail(context, claim, error);
    })
    .finally(() => {
      embedding.delete(work);
      context.wake();
    });
  embedding.add(work);
};

/** Documents that are not claimed stay queued, and may be changed or deleted meanwhile. */
const claimShare = async (context: IngestContext): Promise<readonly Claim[]> => {
  const { store, boot } = context.deps;
  const share = store.crowded() ? SMALL_SHARE : SHARE;
  const claims = await store.claim(boot, { ...share, ...readingShare(context) });
  for (const claim of claims) context.inHand.add(claim);
  return claims;
};

/** Claims the next share early. Files of this one are in the background by now, so the limits of the claim count them. */
const claimAhead = (context: IngestContext, claims: readonly Claim[]): void => {
  if (claims.length < SMALL_SHARE.documents || context.signal.aborted) return;
  context.ahead = claimShare(context);
  // A failure reaches the round that awaits this claim; here it must only not count as unhandled.
  context.ahead.catch(() => undefined);
};

const readPlain = async (
  context: IngestContext,
  claims: readonly Claim[],
  chunkSize: number | null,
): Promise<Prepared[]> => {
  const prepared: Prepared[] = [];
  let since = performance.now();
  for (const claim of claims) {
    prepared.push(...(await readDocument(context, claim, chunkSize)));
    if (performance.now() - since > SLICE_MS) {
      await nextTurn();
      since = performance.now();
    }
  }
  return prepared;
};

const processClaims = async (context: IngestContext, claims: readonly Claim[]): Promise<void> => {
  context.reports.begin(claims);
  const chunkSize = await readChunkSize(context, claims);
  if (chunkSize === undefined) return;
  for (const claim of claims.filter(needsExtraction))
    await readInBackground(context, claim, async () =>
      completeDocuments(context, await readDocument(context, claim, chunkSize)),
    );
  const plain = claims.filter((claim) => !needsExtraction(claim));
  const prepared = await context.deps.searchesFirst.run(() => readPlain(context, plain, chunkSize));
  claimAhead(context, claims);
  completeInBackground(context, prepared);
};

const sleepUntilDue = async (context: IngestContext): Promise<AfterRound> => {
  const { store, now } = context.deps;
  const due = await store.nextDue(roomToExtract(context) > 0, fullShares(context));
  return { sleepMs: due === null ? IDLE_MS : Math.min(IDLE_MS, Math.max(SHORTEST_SLEEP_MS, due - now())) };
};

/** The reason to claim nothing now; null: there is none. */
const pauseOf = async (context: IngestContext): Promise<AfterRound | null> => {
  const burstMs = context.bursts.waitMs();
  if (burstMs > 0) return { sleepMs: burstMs };
  await releaseStranded(context);
  return context.deps.outage.round(context.signal);
};

const ingestRound = async (context: IngestContext): Promise<AfterRound> => {
  const { ahead } = context;
  context.ahead = null;
  const paused = ahead === null ? await pauseOf(context) : null;
  if (paused !== null) return paused;
  while (context.embedding.size >= sharesAtOnce(context)) await Promise.race(context.embedding);
  const claims = await (ahead ?? claimShare(context));
  if (claims.length === 0) return sleepUntilDue(context);
  await processClaims(context, claims);
  return 'again';
};

/** Intervals are measured by a clock that nobody sets. */
const elapsed = (): number => performance.now();

export const createPipeline = (deps: PipelineDeps): Pipeline => {
  const stopping = new AbortController();
  const worker = createWorker({
    round: () => ingestRound(context),
    failed: failedRound(deps.log, 'A round of ingestion'),
    waits: ROUND_WAITS,
    retriesOnWake: true,
    stopping,
  });
  const context: IngestContext = {
    deps,
    signal: stopping.signal,
    inHand: new Set(),
    ahead: null,
    stranded: new Set(),
    extracting: new Map(),
    embedding: new Set(),
    reports: createReports({ ...deps, now: elapsed }),
    bursts: createBursts(elapsed),
    fillingVectors: createFillingVectors({ ...deps, now: elapsed }, stopping.signal),
    wake: worker.wake,
  };
  return {
    start: worker.start,
    wake: worker.wake,
    giveWay: context.bursts.seen,
    retryNow() {
      deps.outage.askNow();
      worker.wake();
    },
    async stop(graceMs) {
      const working = [...context.extracting.keys(), ...context.embedding];
      const settled = Promise.all([worker.stop(), ...working]).then(() =>
        context.ahead?.catch(() => undefined),
      );
      await Promise.race([settled, backgroundPause(graceMs)]);
      await deps.store.release([...context.inHand]);
    },
  };
};
