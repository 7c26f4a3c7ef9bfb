// The child process that parses: one job at a time, killed by its parent when it goes wrong, gone when its parent is gone.
import { Worker } from 'node:worker_threads';
import { IngestError } from '../../errors.ts';
import { entry } from '../../lib/entry.ts';
import { readContent } from './child/read.ts';
import { FAILURES } from './failures.ts';
import type { Answer, Failure, Message } from './protocol.ts';

const die = (): void => {
  process.kill(process.pid, 'SIGKILL');
};

const tell = (answer: Answer): void => {
  // The parent may be gone already; then `disconnect` follows.
  if (process.connected) process.send?.(answer);
};

const LONGEST_DETAIL = 500;
const detailOf = (error: unknown): string =>
  (error instanceof Error ? `${error.name}: ${error.message}` : String(error)).slice(0, LONGEST_DETAIL);

const failureOf = (error: unknown): Failure => {
  if (error instanceof IngestError) {
    const { code, message, retryable, cause } = error;
    return { code, message, retryable, ...(cause === undefined ? {} : { detail: detailOf(cause) }) };
  }
  const { what, next } = FAILURES.extraction_failed;
  return { code: 'extraction_failed', message: `${what} ${next}`, retryable: false, detail: detailOf(error) };
};

/** Resolved by the parent when it has taken a batch. */
let taken: () => void = () => undefined;

const work = async ({ number, job, scratch, ocrMs }: Extract<Message, { event: 'read' }>): Promise<void> => {
  try {
    const done = await readContent(
      job,
      { scratch, ocrMs },
      (told) => tell({ ...told, number }),
      (parts) =>
        new Promise((resolve) => {
          taken = resolve;
          tell({ event: 'parts', parts, number });
        }),
    );
    tell({ event: 'done', done, number });
  } catch (error) {
    tell({ event: 'failure', failure: failureOf(error), number });
  }
};

/** While a parser holds the main thread no event arrives there, so a thread watches for the end of the parent. */
const watchParent = (): void => {
  const thread = new Worker(entry('./guard', import.meta.url), {
    workerData: { parent: process.ppid },
    resourceLimits: { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 4 },
  });
  thread.unref();
};

process.on('disconnect', die);
if (!process.connected) die();
process.on('message', (message: Message) => {
  if (message.event === 'taken') taken();
  else void work(message);
});
watchParent();
