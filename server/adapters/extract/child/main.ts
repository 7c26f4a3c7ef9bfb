// The child process that parses: one job at a time. Its parent kills it when a job goes wrong; it ends with its parent.
import { Worker } from 'node:worker_threads';
import { IngestError } from '../../../core/errors.ts';
import { entry } from '../../../lib/threads/entry.ts';
import { FAILURES } from '../failures.ts';
import type { Answer, Failure, ParentMessage, RecognisedText } from '../protocol.ts';
import { readContent } from './read.ts';

const die = (): void => {
  process.kill(process.pid, 'SIGKILL');
};

const answerParent = (message: Answer): void => {
  // The parent may be gone already; then `disconnect` follows.
  if (process.connected) process.send?.(message);
};

const LONGEST_DETAIL = 500;
const detailOf = (error: unknown): string =>
  (error instanceof Error ? `${error.name}: ${error.message}` : String(error)).slice(0, LONGEST_DETAIL);

const failureMessage = (error: unknown): Failure => {
  if (error instanceof IngestError) {
    const { code, message, retryable, cause } = error;
    return { code, message, retryable, ...(cause === undefined ? {} : { detail: detailOf(cause) }) };
  }
  const { what, next } = FAILURES.extraction_failed;
  return { code: 'extraction_failed', message: `${what} ${next}`, retryable: false, detail: detailOf(error) };
};

/** Called when the parent has taken a batch. */
let batchTaken: () => void = () => undefined;
/** Called when the parent has recognised the page with this number. */
const pageRecognised = new Map<number, (recognised: RecognisedText | null) => void>();

const work = async ({ number, job, ...place }: Extract<ParentMessage, { event: 'read' }>): Promise<void> => {
  try {
    const done = await readContent(job, {
      place,
      tell: (event) => answerParent({ ...event, number }),
      recognise: (asked) =>
        new Promise((resolve) => {
          pageRecognised.set(asked.page, resolve);
          answerParent({ event: 'recognise', asked, number });
        }),
      send: (parts) =>
        new Promise((resolve) => {
          batchTaken = resolve;
          answerParent({ event: 'parts', parts, number });
        }),
    });
    answerParent({ event: 'done', done, number });
  } catch (error) {
    answerParent({ event: 'failure', failure: failureMessage(error), number });
  }
};

/** A parser that blocks the main thread blocks its events too, so a thread of its own watches the parent. */
const watchParent = (): void => {
  const thread = new Worker(entry('./parent-guard', import.meta.url), {
    workerData: { parent: process.ppid },
    resourceLimits: { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 4 },
  });
  thread.unref();
};

process.on('disconnect', die);
if (!process.connected) die();
process.on('message', (message: ParentMessage) => {
  if (message.event === 'taken') batchTaken();
  else if (message.event === 'recognised') {
    pageRecognised.get(message.page)?.(message.recognised);
    pageRecognised.delete(message.page);
  } else void work(message);
});
watchParent();
