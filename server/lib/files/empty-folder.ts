// Empties a folder, or creates it.
import { mkdirSync, rmSync } from 'node:fs';

/** Only the owner can read the folder. */
export const emptyFolder = (folder: string): string => {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return folder;
};
