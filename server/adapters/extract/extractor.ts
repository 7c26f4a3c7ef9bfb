// The extractor: hands jobs to one or two child processes, so that hostile content costs one failed document and never the server.
import { IngestError } from '../../errors.ts';
import { stopped } from './ask.ts';
import type { Extracted, ExtractJob, ExtractLimits, Extractor } from './port.ts';
import { createSlot, type Slot } from './slot.ts';

/** What the log needs to do; pino's does. */
export interface ExtractLog {
  warn(details: object, message: string): void;
}

export interface ExtractorOptions {
  readonly limits: ExtractLimits;
  readonly children: 1 | 2;
  readonly log: ExtractLog;
  readonly jobsPerChild?: number;
  readonly idleMs?: number;
}

const JOBS_PER_CHILD = 50;
const IDLE_MS = 60_000;
/** A machine may have been busy: what was too slow once is tried a second time, behind all that waits. */
const TRIES = 2;

/** Nothing went wrong: the document says so itself. */
const OF_THE_CONTENT = new Set(['empty_file', 'no_text_found', 'text_too_large']);

export function createExtractor(options: ExtractorOptions): Extractor {
  const { limits, log, jobsPerChild = JOBS_PER_CHILD, idleMs = IDLE_MS } = options;
  const slots = Array.from({ length: options.children }, () => createSlot({ limits, jobsPerChild, idleMs }));
  const queue = createQueue(slots);

  const attempt = async (job: ExtractJob, signal?: AbortSignal): Promise<Extracted> => {
    const slot = await queue.take(signal);
    try {
      return await slot.run(job, signal);
    } finally {
      queue.giveBack(slot);
    }
  };

  return {
    async extract(job, signal) {
      for (let tries = 1; ; tries++) {
        try {
          return await attempt(job, signal);
        } catch (error) {
          if (!(error instanceof IngestError)) throw error;
          if (!OF_THE_CONTENT.has(error.code))
            log.warn(
              { code: error.code, kind: job.kind, length: job.text.length, tries, cause: error.cause },
              error.message,
            );
          if (error.code !== 'extraction_timeout' || tries >= TRIES) throw error;
        }
      }
    },

    async close() {
      queue.close();
      await Promise.all(slots.map((slot) => slot.close()));
    },
  };
}

interface Queue {
  take(signal?: AbortSignal): Promise<Slot>;
  giveBack(slot: Slot): void;
  close(): void;
}

interface Waiting {
  readonly go: (slot: Slot) => void;
  readonly refuse: (reason: unknown) => void;
}

/** First come, first served. */
function createQueue(slots: readonly Slot[]): Queue {
  const free = [...slots];
  const waiting = new Set<Waiting>();
  let closed = false;
  const closing = () => stopped(new Error('The extractor is closed.'));

  return {
    take(signal) {
      if (closed) return Promise.reject(closing());
      if (signal?.aborted) return Promise.reject(stopped(signal.reason));
      const slot = free.pop();
      if (slot !== undefined) return Promise.resolve(slot);
      return new Promise((resolve, reject) => {
        const abort = () => one.refuse(stopped(signal?.reason));
        const leave = () => {
          waiting.delete(one);
          signal?.removeEventListener('abort', abort);
        };
        const one: Waiting = {
          go(given) {
            leave();
            resolve(given);
          },
          refuse(reason) {
            leave();
            reject(reason);
          },
        };
        waiting.add(one);
        signal?.addEventListener('abort', abort, { once: true });
      });
    },

    giveBack(slot) {
      const [next] = waiting;
      if (next === undefined) free.push(slot);
      else next.go(slot);
    },

    close() {
      closed = true;
      for (const one of waiting) one.refuse(closing());
    },
  };
}
