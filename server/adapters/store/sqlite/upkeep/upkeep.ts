// The upkeep of the file as ingestion asks for it: reads here, the rest on the writer thread in short transactions.
import { pause } from '../../../../lib/async/wait.ts';
import type { Call } from '../../../../lib/threads/rpc.ts';
import type { Upkeep } from '../../ports/ingestion/erasing.ts';
import type { SqliteConnection } from '../connection.ts';
import { fileSpace, roomToCompact } from './space.ts';
import type { UpkeepWrites } from './writes.ts';

/** A small index is merged at once, a large one in slices, so that other writes do not wait for it. */
const PAGES_MERGED_AT_ONCE = 200;
const LOG_LOOK_MS = 100;
/** The time within which all readers have let go of the log at some moment. */
const LOG_LOOKS = 50;

export interface UpkeepContext {
  file: string;
  /** A connection that only reads. */
  connection: SqliteConnection;
  call: Call<UpkeepWrites>;
}

const emptyLog = async (
  { call }: UpkeepContext,
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
  { call }: UpkeepContext,
  report: Parameters<Upkeep['compact']>[0],
): Promise<void> => {
  for (;;) {
    const steps = await call('compactionSteps');
    for (const step of steps) report(step);
    if (steps.length === 0) return;
  }
};

const compact = async (
  context: UpkeepContext,
  ...[report, signal]: Parameters<Upkeep['compact']>
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

export const sqliteUpkeep = (context: UpkeepContext): Upkeep => {
  const { call, file, connection } = context;
  return {
    space: async () => fileSpace(connection),
    room: async () => roomToCompact(file, fileSpace(connection)),
    compact: (report, signal) => compact(context, report, signal),
    async scrub(mark, signal) {
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
