// Rewrites the database: makes a copy without free pages and leftovers, and takes it over in one transaction.
import { backup, DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';
import type { CompactionStep } from '../../ports/ingestion/erasing.ts';

const PAGES_AT_ONCE = 500;

const port = parentPort;
if (!port) throw new Error('compact-thread is started by compact.ts, not by hand');
const { file, copy } = workerData as { file: string; copy: string };

const database = new DatabaseSync(file, { timeout: 10_000 });
// Takes effect in the copy: from then on the file gives its free pages back.
database.exec('pragma auto_vacuum = incremental');
database.prepare('vacuum into ?').run(copy);
database.close();

const compacted = new DatabaseSync(copy, { readOnly: true });
const tell = (done: number, total: number): void => {
  const step: CompactionStep = { step: 'replacing', done, total };
  port.postMessage(step);
};
tell(0, 1);
await backup(compacted, file, {
  rate: PAGES_AT_ONCE,
  progress: ({ totalPages, remainingPages }) => tell(totalPages - remainingPages, totalPages),
});
compacted.close();
