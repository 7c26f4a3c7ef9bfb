// The reason why a folder cannot be opened, as a sentence with the file and the remedy.
import { MemoirError, noRoom, unavailable } from '../../core/errors.ts';
import { messageOf } from '../../lib/failures.ts';
import { storageFault } from '../../lib/faults/storage-fault.ts';
import { databaseFile } from './data-folder.ts';

/** The file that an error of the system names; SQLite names none. */
const fileOf = (error: unknown, dir: string): string => {
  for (let at = error; at instanceof Error; at = at.cause)
    if ('path' in at && typeof at.path === 'string') return at.path;
  return databaseFile(dir);
};

export const damagedDatabase = (file: string, why: string): MemoirError =>
  unavailable(
    `The database ${file} is damaged: ${why}. Nothing was changed. Put a backup of the data folder in its place, or start with another folder in MEMOIR_DATA_DIR.`,
  );

const unwritable = (path: string, cause: unknown): MemoirError =>
  unavailable(
    `The data folder cannot be used: ${path} cannot be written (${messageOf(cause)}). Give this user write permission, or choose another folder with MEMOIR_DATA_DIR.`,
    { cause },
  );

export const explainedStart = (error: unknown, dir: string): unknown => {
  if (error instanceof MemoirError) return error;
  const file = fileOf(error, dir);
  switch (storageFault(error)) {
    case 'full':
      return noRoom(
        `Memoir cannot start, because the disk is full: ${file} could not be written (${messageOf(error)}). Free some disk space, then start it again.`,
        { cause: error },
      );
    case 'damaged':
      return damagedDatabase(databaseFile(dir), messageOf(error).replace(/\.$/, ''));
    case 'refused':
      return unwritable(file, error);
    default:
      return error;
  }
};
