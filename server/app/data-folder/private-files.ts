// Keeps the data folder to its owner: files made from now on, and those that earlier releases left open.
import { chmodSync, lstatSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { codeOf, messageOf } from '../../lib/failures.ts';

const OTHERS = 0o077;

/** Windows has other rights, which the modes do not show. */
const HAS_MODES = process.platform !== 'win32';

/** Holds for the files that SQLite and Chroma create, too. */
const makePrivateFromNowOn = (): void => {
  process.umask(OTHERS);
};

/** A process that ended meanwhile takes its temporary files with it. */
const closeEntry = (path: string): void => {
  try {
    const entry = lstatSync(path);
    // The rights of a link are those of its target, which may lie elsewhere for a reason.
    if (!entry.isSymbolicLink() && (entry.mode & OTHERS) !== 0) chmodSync(path, entry.mode & ~OTHERS & 0o777);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
  }
};

/** Files that are not Memoir's may lie in the same folder, and their rights are not ours to change. */
const OURS = /^(memoir\.db|lock\.db|run\.json|secret\.key|oauth-keys\.json|files|reading|chroma)($|[-.])/;

/** Deeper files are out of reach for others as soon as the folder above them is closed. */
const closeEntries = (dir: string): string[] =>
  readdirSync(dir).flatMap((name) => {
    if (!OURS.test(name)) return [];
    try {
      closeEntry(join(dir, name));
      return [];
    } catch (error) {
      return [
        `Other users of this machine may read ${join(dir, name)}, and that cannot be changed: ${messageOf(error)}. Take the rights of others away yourself.`,
      ];
    }
  });

const openFolderWarning = (dir: string): string[] => {
  const mode = statSync(dir).mode & 0o777;
  if ((mode & OTHERS) === 0) return [];
  return [
    `The data folder ${dir} is open to other users of this machine (mode ${mode.toString(8)}). Its files are not, but close it too: chmod 700 ${dir}`,
  ];
};

/** Returns what the owner should know. */
export const keepPrivate = (dir: string): string[] => {
  if (!HAS_MODES) return [];
  makePrivateFromNowOn();
  return [...openFolderWarning(dir), ...closeEntries(dir)];
};
