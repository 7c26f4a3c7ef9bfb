// A compaction that was asked for, and its progress. The purger runs it when everything deleted is erased.
import type {
  CompactionStep,
  EraseStore,
  FileSpace,
  Room,
} from '../../../adapters/store/ports/ingestion/erasing.ts';
import type { Logger } from '../../../core/log.ts';
import { messageOf } from '../../../lib/failures.ts';

export interface SpaceState extends FileSpace {
  /** Null: none is under way. */
  compacting: CompactionStep | null;
  /** Why the last one failed; null: it did not. */
  trouble: string | null;
}

export interface Compaction {
  /** Null: it follows, or is under way; else the disk has not enough room. */
  ask(): Promise<Room | null>;
  isAsked(): boolean;
  run(signal: AbortSignal): Promise<void>;
  state(): Promise<SpaceState>;
}

const FIRST: CompactionStep = { step: 'erasing', done: 0, total: 1 };

export const createCompaction = (
  store: Pick<EraseStore, 'space' | 'room' | 'compact'>,
  log: Pick<Logger, 'error'>,
): Compaction => {
  let compacting: CompactionStep | null = null;
  let trouble: string | null = null;
  return {
    async ask() {
      if (compacting !== null) return null;
      const room = await store.room();
      if (room.neededBytes > room.availableBytes) return room;
      trouble = null;
      compacting = FIRST;
      return null;
    },
    isAsked: () => compacting !== null,
    async run(signal) {
      try {
        await store.compact((step) => {
          compacting = step;
        }, signal);
      } catch (error) {
        trouble = `The database was not compacted, and nothing was changed: ${messageOf(error)}`;
        if (!signal.aborted) log.error({ err: error }, 'Compacting the database failed.');
      } finally {
        compacting = null;
      }
    },
    state: async () => ({ ...(await store.space()), compacting, trouble }),
  };
};
