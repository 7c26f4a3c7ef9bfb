// The space that the database takes on the disk, and compacting it.
import type { StorageOutput } from '../../../tools/storage/schemas/storage.ts';
import type { Room } from '../../adapters/store/ports/ingestion/erasing.ts';
import { noRoom, unavailable } from '../../core/errors.ts';

export interface Storage {
  status(): Promise<StorageOutput>;
  /** Starts to compact, and answers at once. */
  compact(): Promise<StorageOutput>;
}

export interface StorageDeps {
  /** Null: the background work has not started yet. */
  space(): Promise<StorageOutput | null>;
  /** Null: it follows, or is under way; else the disk has not enough room. */
  compact(): Promise<Room | null>;
}

const wholeMegabytes = (bytes: number): string => `${Math.ceil(bytes / 1e6).toLocaleString('en')} MB`;

const tooLittleRoom = ({ neededBytes, availableBytes }: Room) =>
  noRoom(
    `Compacting needs ${wholeMegabytes(neededBytes)} of free disk space, and ${wholeMegabytes(availableBytes)} are free. Nothing was changed. Free some disk space, then compact again.`,
  );

export const createStorage = (deps: StorageDeps): Storage => {
  const status = async (): Promise<StorageOutput> => {
    const space = await deps.space();
    if (space === null) throw unavailable('Memoir is starting. Try again in a moment.');
    return space;
  };
  return {
    status,
    async compact() {
      const short = await deps.compact();
      if (short !== null) throw tooLittleRoom(short);
      return status();
    },
  };
};
