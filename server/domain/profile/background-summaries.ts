// Summarises profiles with a model in the background. A reader waits a bounded time, and after a failure the model is not
// called for a while.
import type { ReportTokens } from '../../adapters/language-model/ports/memory-reader.ts';
import type { Summariser } from '../../adapters/language-model/ports/summariser.ts';
import type { Logger } from '../../core/log.ts';
import { pause } from '../../lib/async/wait.ts';
import type { ProfileSection } from './sections.ts';
import { planSummary, summarisedSections } from './summary-request.ts';

export type SummaryOutcome =
  /** By section name. */
  | { lines: ReadonlyMap<string, readonly string[]> }
  /** No summary now; the time from which the next attempt may start. */
  | { retryAt: number };

export interface BackgroundSummaries {
  /** Never fails. Concurrent calls with the same id share one summary. */
  summarise(
    id: string,
    sections: readonly ProfileSection[],
    reportTokens: ReportTokens,
  ): Promise<SummaryOutcome>;
  /** The result, or null after the longest wait. There is no wait if the previous summary took longer than that. */
  withinWait<T>(work: Promise<T>): Promise<T | null>;
  close(): void;
}

export interface BackgroundSummariesDeps {
  summariser: Summariser;
  now: () => number;
  log: Pick<Logger, 'warn'>;
}

/** The longest wait of a reader. */
const LONGEST_WAIT_MS = 1_500;
const MOST_RUNNING = 4;
/** The delay of the next attempt when that many summaries are running. */
const BUSY_DELAY_MS = 5_000;
/** The pause after a failure; it doubles with each further one. */
const FAILURE_PAUSE_MS = 60_000;
const LONGEST_PAUSE_MS = 3_600_000;

const NEVER = Number.POSITIVE_INFINITY;

/** Counts failures, and decides how long the model is left alone after one. */
const createFailurePause = (now: () => number) => {
  let failures = 0;
  let until = 0;
  return {
    until: () => until,
    failed(): number {
      until = now() + Math.min(LONGEST_PAUSE_MS, FAILURE_PAUSE_MS * 2 ** failures);
      failures += 1;
      return until;
    },
    succeeded() {
      failures = 0;
    },
  };
};

/** The result, or null after the wait. */
const withinMs = async <T>(work: Promise<T>, waitMs: number): Promise<T | null> => {
  const over = new AbortController();
  const late = pause(waitMs, over.signal).then(() => null);
  try {
    return await Promise.race([work, late]);
  } finally {
    over.abort();
  }
};

export const createBackgroundSummaries = (deps: BackgroundSummariesDeps): BackgroundSummaries => {
  const { summariser, now, log } = deps;
  const running = new Map<string, Promise<SummaryOutcome>>();
  const stopping = new AbortController();
  const failurePause = createFailurePause(now);
  let lastMs = 0;

  const failed = (err: unknown): SummaryOutcome => {
    if (stopping.signal.aborted) return { retryAt: NEVER };
    const retryAt = failurePause.failed();
    log.warn(
      { err, model: summariser.name },
      'A profile could not be summarised; it is returned without a summary.',
    );
    return { retryAt };
  };

  const ask = async (
    sections: readonly ProfileSection[],
    reportTokens: ReportTokens,
  ): Promise<SummaryOutcome> => {
    const question = planSummary(sections);
    if (question === null) return { retryAt: NEVER };
    const start = performance.now();
    try {
      const written = await summariser.summarise(question.request, stopping.signal, reportTokens);
      failurePause.succeeded();
      return { lines: summarisedSections(sections, written, question) };
    } catch (error) {
      return failed(error);
    } finally {
      lastMs = performance.now() - start;
    }
  };

  return {
    async summarise(id, sections, reportTokens) {
      const known = running.get(id);
      if (known) return known;
      if (failurePause.until() > now()) return { retryAt: failurePause.until() };
      if (running.size >= MOST_RUNNING) return { retryAt: now() + BUSY_DELAY_MS };
      const work = ask(sections, reportTokens).finally(() => running.delete(id));
      running.set(id, work);
      return work;
    },

    withinWait: (work) => withinMs(work, lastMs > LONGEST_WAIT_MS ? 0 : LONGEST_WAIT_MS),

    close: () => stopping.abort(new Error('The server is stopping')),
  };
};
