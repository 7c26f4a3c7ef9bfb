// Packages that tests run and that nobody else needs: installed once for each lock into a folder of the tests.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { sha256 } from '../../server/lib/hash.ts';

const CACHE = join(import.meta.dirname, '../../node_modules/.cache');

/** `fill` installs what the lock names into an empty folder. */
export const installedOnce = async (
  name: string,
  lock: string,
  fill: (folder: string) => Promise<void>,
): Promise<string> => {
  const parent = join(CACHE, name);
  const folder = join(parent, sha256(readFileSync(lock, 'utf8')).slice(0, 16));
  if (existsSync(folder)) return folder;
  mkdirSync(parent, { recursive: true });
  // Two processes may install it at the same moment.
  const incoming = mkdtempSync(join(parent, 'incoming-'));
  try {
    await fill(incoming);
    if (!existsSync(folder)) renameSync(incoming, folder);
  } finally {
    rmSync(incoming, { recursive: true, force: true });
  }
  return folder;
};
