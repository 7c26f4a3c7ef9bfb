// The space of the database file: how much is in use, and giving free pages back to the disk.
import { statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import type { FileSpace, Room } from '../../ports/ingestion/erasing.ts';
import type { SqliteConnection } from '../connection.ts';

const PAGES_GIVEN_BACK_AT_ONCE = 256;
/** So few free pages are used again soon. */
const PAGES_KEPT = 64;
const INCREMENTAL = 2;

const pragma = (connection: SqliteConnection, name: string): number =>
  Number(Object.values(connection.prepare(`pragma ${name}`).all([])[0] ?? {})[0] ?? 0);

export const fileSpace = (connection: SqliteConnection): FileSpace => {
  const pageSize = pragma(connection, 'page_size');
  return {
    bytes: pragma(connection, 'page_count') * pageSize,
    freeBytes: pragma(connection, 'freelist_count') * pageSize,
  };
};

/** Inside a write. False: nothing is left to give back, or the folder is older and keeps its size until it is compacted. */
export const giveBackPages = (connection: SqliteConnection): boolean => {
  if (pragma(connection, 'auto_vacuum') !== INCREMENTAL) return false;
  if (pragma(connection, 'freelist_count') <= PAGES_KEPT) return false;
  connection.exec(`pragma incremental_vacuum(${PAGES_GIVEN_BACK_AT_ONCE})`);
  return true;
};

/** The copy, its way through the write-ahead log, and what others write meanwhile. */
const NEEDED_COPIES = 2.1;
const SPARE_BYTES = 64 * 1024 * 1024;

export const roomToCompact = (file: string, { bytes, freeBytes }: FileSpace): Room => {
  const { bavail, bsize } = statfsSync(dirname(file));
  return {
    neededBytes: Math.ceil((bytes - freeBytes) * NEEDED_COPIES) + SPARE_BYTES,
    availableBytes: bavail * bsize,
  };
};
