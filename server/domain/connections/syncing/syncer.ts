// The runs of connections in the background: one at a time for each connection, several connections at once.
import type { LeasedRun, RunEnd } from '../../../adapters/store/ports/connections/connections.ts';
import { type BackgroundWorker, createWorker } from '../../../lib/async/background/worker.ts';
import { growingWait, type RetryWaits } from '../../../lib/async/retry.ts';
import {
  internalFailure,
  LEASE_MS,
  LeaseLostError,
  ledgerRulesOf,
  lookEvery,
  type RunContext,
  type SourceFailure,
  type SyncDeps,
} from './context.ts';
import { lookForChanges } from './look.ts';
import { removeWhatIsGone, takeWanted } from './take.ts';

const RUNS_AT_ONCE = 4;
const RENEW_MS = 30_000;
/** Another process may have made a connection due. */
const LONGEST_REST_MS = 15_000;
const RUN_WAITS: RetryWaits = { firstWaitMs: 60_000, longestWaitMs: 60 * 60_000 };
const WORKER_WAITS: RetryWaits = { firstWaitMs: 1_000, longestWaitMs: 60_000 };

/** The published codes of failed runs. */
const PUBLISHED: Readonly<Record<string, string>> = {
  auth_expired: 'auth_expired',
  rate_limited: 'rate_limited',
  provider_unavailable: 'provider_unavailable',
};

/** A source that calls is looked at for what it did not tell, unless the time was set. */
const WATCHED_LOOK_MS = 60 * 60_000;

/** Null: it never looks by itself. */
const nextLook = ({ deps, opened, run }: RunContext): number | null => {
  const every = lookEvery(deps, opened.kind);
  if (every === null || deps.lookMinutes !== null) return every === null ? null : deps.now() + every;
  const { made, heardAt } = run.record.watch;
  return deps.now() + Math.max(every, made && heardAt !== null ? WATCHED_LOOK_MS : 0);
};

const earlier = (one: number | null, other: number | null): number | null =>
  one === null || other === null ? (one ?? other) : Math.min(one, other);

const completedRun = (nextLookAt: number | null): RunEnd => ({
  ...{ status: 'completed', errorCode: null, error: null, nextLookAt },
});

const failedRun = (deps: SyncDeps, run: LeasedRun, failure: SourceFailure): RunEnd => {
  const wait = growingWait(RUN_WAITS, run.failures + 1);
  const until = failure.retryAfterMs === null ? null : deps.now() + failure.retryAfterMs;
  return {
    status: 'failed',
    errorCode: PUBLISHED[failure.code] ?? 'internal',
    error: failure.message,
    nextLookAt: until ?? deps.now() + wait,
    ...(until === null ? {} : { notBefore: until }),
    ...(failure.code === 'auth_expired' ? { signedOut: true } : {}),
  };
};

const followRun = async (context: RunContext): Promise<RunEnd> => {
  const end = await lookForChanges(context);
  if (end === 'held') return completedRun(null);
  await removeWhatIsGone(context);
  const wantedAt = await takeWanted(context);
  await removeWhatIsGone(context);
  return completedRun(earlier(nextLook(context), wantedAt));
};

/** Renews the lease, and stores what the run has cost, until it is stopped. */
const keepLease = ({ deps, run, opened }: RunContext, lost: () => void): (() => Promise<void>) => {
  const renew = async (): Promise<void> => {
    try {
      if (!(await deps.store.renew(run, LEASE_MS, opened.counted()))) lost();
    } catch (error) {
      deps.log.warn({ err: error }, 'The lease of a connection could not be renewed.');
    }
  };
  const timer = setInterval(() => void renew(), RENEW_MS);
  return async () => {
    clearInterval(timer);
    await renew();
  };
};

const runOpened = async (deps: SyncDeps, run: LeasedRun, stopping: AbortSignal): Promise<RunEnd> => {
  const opened = await deps.open(run);
  const losing = new AbortController();
  const context: RunContext = {
    ...{ deps, run, opened },
    rules: ledgerRulesOf(opened.kind, run.record.metadata),
    signal: AbortSignal.any([stopping, losing.signal]),
  };
  const stopRenewing = keepLease(context, () => losing.abort(new LeaseLostError()));
  try {
    return await followRun(context);
  } finally {
    await stopRenewing();
  }
};

/** A run that is cut off by a stop goes on under its id after the next start. */
const runConnection = async (deps: SyncDeps, run: LeasedRun, stopping: AbortSignal): Promise<void> => {
  let end: RunEnd;
  try {
    const facts = { connection: run.connection, provider: run.record.provider };
    end = await deps.watch('syncing', () => runOpened(deps, run, stopping), { facts });
  } catch (error) {
    if (error instanceof LeaseLostError || stopping.aborted) return;
    const failure = deps.failureOf(error);
    if (failure === null)
      deps.log.error({ err: error, connection: run.connection }, 'A connection could not be synced.');
    end = failedRun(deps, run, failure ?? internalFailure(error));
  }
  await deps.store.endRun(run, end);
};

export const createSyncer = (deps: SyncDeps): BackgroundWorker => {
  const active = new Set<Promise<void>>();

  const start = (begun: Promise<void>): void => {
    const work = begun
      .catch((error) => deps.log.error({ err: error }, 'The end of a run could not be stored.'))
      .finally(() => {
        active.delete(work);
        worker.wake();
      });
    active.add(work);
  };

  const worker = createWorker({
    async round(signal) {
      while (await deps.store.finishRemovals()) deps.removed();
      while (active.size < RUNS_AT_ONCE && !signal.aborted) {
        const run = await deps.store.leaseRun(LEASE_MS);
        if (run === null) break;
        start(runConnection(deps, run, signal));
      }
      while (active.size < RUNS_AT_ONCE && !signal.aborted) {
        const work = await deps.hookDuty.next(signal);
        if (work === null) break;
        start(work());
      }
      const due = active.size < RUNS_AT_ONCE ? await deps.store.nextRunAt() : null;
      const wait = due === null ? LONGEST_REST_MS : Math.max(50, due - deps.now());
      return { sleepMs: Math.min(wait, LONGEST_REST_MS) };
    },
    failed: (error, waitMs) =>
      deps.log.warn(
        { err: error },
        `Connections are not synced at the moment; next try in ${waitMs / 1000} s.`,
      ),
    waits: WORKER_WAITS,
  });

  return {
    start: worker.start,
    wake: worker.wake,
    async stop() {
      await worker.stop();
      await Promise.allSettled(active);
    },
  };
};
