// The upkeep of the file on the writer thread: giving back what was erased, and compacting.

import { createWake } from '../../../../lib/async/background/wake.ts';
import { pause } from '../../../../lib/async/wait.ts';
import type { CompactionStep } from '../../ports/ingestion/erasing.ts';
import { forgetUnscrubbed } from '../../queries/ingestion/unscrubbed.ts';
import type { SqliteConnection } from '../connection.ts';
import type { SqliteWriter } from '../writer.ts';
import { compactFile } from './compact.ts';
import { mergeWordSegments } from './scrub.ts';
import { fileSpace, giveBackPages } from './space.ts';

/** False: it is being read. Without waiting for the readers, because every write would wait as well. */
const emptyLog = (connection: SqliteConnection): boolean => {
  const [waits] = connection.prepare('pragma busy_timeout').all([]);
  connection.exec('pragma busy_timeout = 0');
  try {
    return connection.prepare('pragma wal_checkpoint(truncate)').all([])[0]?.busy === 0;
  } finally {
    connection.exec(`pragma busy_timeout = ${Number(waits?.timeout ?? 0)}`);
  }
};

const LOG_LOOK_MS = 250;

/** Until the log is empty, the former content is in the file. */
const emptyLogAfterwards = async (connection: SqliteConnection, signal: AbortSignal): Promise<void> => {
  while (!emptyLog(connection) && !signal.aborted) await pause(LOG_LOOK_MS, signal);
};

interface UpkeepDeps {
  file: string;
  writer: SqliteWriter;
  connection: SqliteConnection;
}

const eraseWrites = ({ writer, connection }: UpkeepDeps) => ({
  mergeWords: (pages: number) => writer.write((tx) => mergeWordSegments(tx, pages), 'ingest'),
  giveBackPages: () => writer.write(async () => giveBackPages(connection), 'ingest'),
  /** After the words are merged. False: the log is being read. */
  async emptyLog(mark: string | null) {
    await writer.idle();
    if (!emptyLog(connection)) return false;
    if (mark !== null) await writer.write((tx) => forgetUnscrubbed(tx, mark), 'ingest');
    return true;
  },
});

/** No other write runs meanwhile, and the ingest thread follows its progress. */
const compactWrites = ({ file, writer, connection }: UpkeepDeps) => {
  /** Steps that were not fetched yet. */
  const steps: CompactionStep[] = [];
  const news = createWake();
  let running = false;
  let ending = new AbortController();
  const report = (step: CompactionStep): void => {
    steps.push(step);
    news.call();
  };
  return {
    /** Resolves when the database is compacted. */
    async compact() {
      running = true;
      steps.length = 0;
      ending = new AbortController();
      const { signal } = ending;
      try {
        await writer.pause(async () => {
          const { bytes, freeBytes } = fileSpace(connection);
          await compactFile({ file, total: bytes - freeBytes, report, signal });
          await emptyLogAfterwards(connection, signal);
        });
      } finally {
        running = false;
        news.call();
      }
    },
    /** The steps since the last call, as soon as there are any; none: the compaction has ended. */
    async compactionSteps() {
      while (running && steps.length === 0) await news.sleep();
      return steps.splice(0);
    },
    endCompaction: async () => ending.abort(),
  };
};

export const createUpkeepWrites = (deps: UpkeepDeps) => ({ ...eraseWrites(deps), ...compactWrites(deps) });

/** The upkeep that the ingest thread asks for. */
export type UpkeepWrites = ReturnType<typeof createUpkeepWrites>;
