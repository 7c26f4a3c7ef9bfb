// A new folder for the data of a test: in memory where the system has room there, because each commit waits for the disk. A
// process that is killed leaves there what it would leave on a disk.
import { existsSync, mkdtempSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { once } from '../../server/lib/once.ts';

/** Linux offers it. In a container it is often too small. */
const IN_MEMORY = '/dev/shm';
const ROOM_BYTES = 4 * 2 ** 30;

const hasRoom = (): boolean => {
  if (!existsSync(IN_MEMORY)) return false;
  const { bavail, bsize } = statfsSync(IN_MEMORY);
  return bavail * bsize >= ROOM_BYTES;
};

const place = once((): string => (hasRoom() ? IN_MEMORY : tmpdir()));

/** `about` is in its name. */
export const newDataFolder = (about = 'test'): string => mkdtempSync(join(place(), `memoir-${about}-`));
