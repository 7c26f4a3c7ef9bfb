// Profiles in a model's words: asked for in the background, waited for no longer than a reader can bear, and left alone
// for a while when the model does not answer.
import type { Spending } from '../../adapters/model/port.ts';
import type { Summariser } from '../../adapters/model/summary-port.ts';
import type { Logger } from '../../lib/logger.ts';
import { pause } from '../../lib/wake.ts';
import type { Section } from './sections.ts';
import { questionOf, summaryOf } from './summary.ts';

export type Summed =
  /** By the name of their section. */
  | { lines: ReadonlyMap<string, readonly string[]> }
  /** None for now; from this moment on it may be asked for again. */
  | { again: number };

export interface Summaries {
  /** Never fails. What has the same id is asked for once. */
  of(id: string, sections: readonly Section[], spending: Spending): Promise<Summed>;
  /** The result, unless it takes longer than a reader can wait; nobody waits for a model that was slower lately. */
  inTime<T>(work: Promise<T>): Promise<T | null>;
  close(): void;
}

export interface SummariesDeps {
  summariser: Summariser;
  now: () => number;
  log: Pick<Logger, 'warn'>;
}

/** What a reader waits at the most. */
const PATIENCE_MS = 1_500;
const AT_ONCE = 4;
/** When as many as that are under way. */
const BUSY_MS = 5_000;
/** After a failure; twice as long after each that follows. */
const REST_MS = 60_000;
const LONGEST_REST_MS = 3_600_000;

const NEVER = Number.POSITIVE_INFINITY;

export function createSummaries({ summariser, now, log }: SummariesDeps): Summaries {
  const running = new Map<string, Promise<Summed>>();
  const stopping = new AbortController();
  let failures = 0;
  let restUntil = 0;
  let lastMs = 0;

  const failed = (err: unknown): Summed => {
    if (stopping.signal.aborted) return { again: NEVER };
    restUntil = now() + Math.min(LONGEST_REST_MS, REST_MS * 2 ** failures);
    failures += 1;
    log.warn({ err, model: summariser.name }, 'A profile could not be summarised; it is given as it stands.');
    return { again: restUntil };
  };

  async function ask(sections: readonly Section[], spending: Spending): Promise<Summed> {
    const question = questionOf(sections);
    if (question === null) return { again: NEVER };
    const start = performance.now();
    try {
      const written = await summariser.summarise(question.request, stopping.signal, spending);
      failures = 0;
      return { lines: summaryOf(sections, written, question) };
    } catch (error) {
      return failed(error);
    } finally {
      lastMs = performance.now() - start;
    }
  }

  return {
    async of(id, sections, spending) {
      const known = running.get(id);
      if (known) return known;
      if (restUntil > now()) return { again: restUntil };
      if (running.size >= AT_ONCE) return { again: now() + BUSY_MS };
      const work = ask(sections, spending).finally(() => running.delete(id));
      running.set(id, work);
      return work;
    },

    async inTime(work) {
      const over = new AbortController();
      const late = pause(lastMs > PATIENCE_MS ? 0 : PATIENCE_MS, over.signal).then(() => null);
      try {
        return await Promise.race([work, late]);
      } finally {
        over.abort();
      }
    },

    close: () => stopping.abort(new Error('The server is stopping')),
  };
}
