// The answer to a call that failed because of the disk or of the database file.
import { MemoirError, noRoom, unavailable } from '../core/errors.ts';
import { storageFault } from '../lib/faults/storage-fault.ts';

/** Null: the error has another reason. */
export const storageError = (cause: unknown): MemoirError | null => {
  if (cause instanceof MemoirError) return null;
  switch (storageFault(cause)) {
    case 'full':
      return noRoom(
        'The disk of the server is full, so nothing was stored. Free some disk space on the server, then send this again.',
        { cause },
      );
    case 'damaged':
      return new MemoirError(
        500,
        'The database of this server is damaged, so this could not be done. Its owner finds the file and what to do under /health.',
        { cause, headers: { 'x-should-retry': 'false' } },
      );
    case 'moved':
      return unavailable(
        'The database of this server was moved, removed or replaced while it runs, so nothing was stored. Its owner finds the file and what to do under /health.',
        { cause },
      );
    default:
      return null;
  }
};
