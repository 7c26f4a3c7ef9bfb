// Notices that the file of the database is not at its place any more. SQLite goes on writing into a file that was moved or
// removed, so acknowledged content would be lost with the process that has it open.
import { statSync } from 'node:fs';

/** Null: there is no such file. */
const fileNumber = (file: string): bigint | null =>
  statSync(file, { bigint: true, throwIfNoEntry: false })?.ino ?? null;

/** Throws once the path leads to another file than now, or to none. */
export const createPlaceCheck = (file: string): (() => void) => {
  const opened = fileNumber(file);
  return () => {
    if (fileNumber(file) !== opened)
      throw new Error(`The database file ${file} was moved, removed or replaced, so nothing was stored.`);
  };
};
