// The child process that parses: one job at a time, killed by its parent when it goes wrong, gone when its parent is gone.
import { Worker } from 'node:worker_threads';
import { IngestError } from '../../errors.ts';
import { entry } from '../../lib/entry.ts';
import { extractors } from './extractors.ts';
import type { Answer, Failure, Order } from './protocol.ts';

const die = (): void => {
  process.kill(process.pid, 'SIGKILL');
};

const tell = (answer: Answer): void => {
  // The parent may be gone already; then `disconnect` follows.
  if (process.connected) process.send?.(answer);
};

const failureOf = (error: unknown): Failure => {
  if (error instanceof IngestError)
    return { code: error.code, message: error.message, retryable: error.retryable };
  return {
    code: 'extraction_failed',
    message:
      'This content could not be read: its parser gave up. Check that it is complete, or send its text instead.',
    retryable: false,
    detail:
      error instanceof Error ? `${error.name}: ${error.message}`.slice(0, 500) : String(error).slice(0, 500),
  };
};

const work = async ({ number, job }: Order): Promise<void> => {
  try {
    const extract = await extractors[job.kind]();
    tell({ number, value: await extract(job) });
  } catch (error) {
    tell({ number, failure: failureOf(error) });
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
process.on('message', (order: Order) => void work(order));
watchParent();
