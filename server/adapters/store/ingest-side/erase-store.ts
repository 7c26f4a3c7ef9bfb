// Erasing as ingestion sees it: what is left to erase is read here, and the writer erases it in short transactions.
import { pause } from '../../../lib/async/wait.ts';
import type { EraseStore } from '../ports/ingestion/erasing.ts';
import { filesToErase } from '../queries/documents/originals.ts';
import { unscrubbedMark } from '../queries/ingestion/unscrubbed.ts';
import type { SqliteConnection } from '../sqlite/connection.ts';
import { fileSpace, roomToCompact } from '../sqlite/space.ts';
import type { IngestSideContext } from './context.ts';

/** A small index is merged at once, a large one in slices, so that other writes do not wait for it. */
const PAGES_MERGED_AT_ONCE = 200;
const LOG_LOOK_MS = 100;
/** The time within which all readers have let go of the log at some moment. */
const LOG_LOOKS = 50;

interface ErasingContext extends IngestSideContext {
  file: string;
  connection: SqliteConnection;
}

const emptyLog = async (
  { call }: IngestSideContext,
  mark: string | null,
  signal: AbortSignal | undefined,
): Promise<void> => {
  for (let looks = 0; looks < LOG_LOOKS; looks++) {
    if (signal?.aborted || (await call('emptyLog', mark))) return;
    await pause(LOG_LOOK_MS, signal);
  }
  throw new Error('A reader uses the write-ahead log, so it was not emptied. The purger tries again.');
};

const followSteps = async (
  { call }: IngestSideContext,
  report: Parameters<EraseStore['compact']>[0],
): Promise<void> => {
  for (;;) {
    const steps = await call('compactionSteps');
    for (const step of steps) report(step);
    if (steps.length === 0) return;
  }
};

const compact = async (
  context: IngestSideContext,
  ...[report, signal]: Parameters<EraseStore['compact']>
): Promise<void> => {
  const { call } = context;
  // Without an answer the writer has ended, and the compaction with it.
  const end = () => void call('endCompaction').catch(() => {});
  const done = Promise.all([call('compact'), followSteps(context, report)]);
  if (signal.aborted) end();
  signal.addEventListener('abort', end);
  try {
    await done;
  } finally {
    signal.removeEventListener('abort', end);
  }
};

export const eraseStore = (context: ErasingContext): EraseStore => {
  const { db, call, file, connection } = context;
  return {
    space: () => fileSpace(connection),
    room: () => roomToCompact(file, fileSpace(connection)),
    compact: (report, signal) => compact(context, report, signal),
    filesToErase: (limit) => filesToErase(db, limit),
    forgetFiles: (keys) => call('forgetFiles', keys),
    purge: (limit) => call('purge', limit),
    eraseFormerlyKept: () => call('eraseFormerlyKept'),
    needsScrub: async () => (await unscrubbedMark(db)) !== null,
    async scrub(signal) {
      const mark = await unscrubbedMark(db);
      let pages = -PAGES_MERGED_AT_ONCE;
      while (await call('mergeWords', pages)) {
        if (signal?.aborted) return;
        pages = PAGES_MERGED_AT_ONCE;
      }
      while (await call('giveBackPages')) if (signal?.aborted) return;
      await emptyLog(context, mark, signal);
    },
  };
};
