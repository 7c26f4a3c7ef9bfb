// Looks at memoir.db before anything opens it: a folder whose database is missing or damaged is refused, not started anew.
import { closeSync, openSync, readdirSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { unavailable } from '../../core/errors.ts';
import { codeOf } from '../../lib/failures.ts';
import { fileSize } from '../../lib/files/file-size.ts';
import { databaseFile } from './data-folder.ts';
import { damagedDatabase } from './start-failure.ts';

/** Entries that exist only in a folder that Memoir has used before. */
const LATER_FOLDERS = ['chroma', 'files'] as const;

const MAGIC = 'SQLite format 3\0';
const HEADER_BYTES = 100;

const namesInFolder = (folder: string): string[] => {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return [];
    throw error;
  }
};

const usedBefore = (dir: string): string | undefined =>
  fileSize(`${databaseFile(dir)}-wal`) > 0
    ? 'memoir.db-wal'
    : LATER_FOLDERS.find((name) => namesInFolder(join(dir, name)).length > 0);

const readHeader = (file: string): Buffer => {
  const handle = openSync(file, 'r');
  try {
    const header = Buffer.alloc(HEADER_BYTES);
    return header.subarray(0, readSync(handle, header, 0, HEADER_BYTES, 0));
  } finally {
    closeSync(handle);
  }
};

const pageSize = (header: Buffer): number => {
  const stored = header.readUInt16BE(16);
  return stored === 1 ? 65_536 : stored;
};

/** The header counts the pages, unless a program that does not know this count wrote last. */
const countedBytes = (header: Buffer): number =>
  header.readUInt32BE(24) === header.readUInt32BE(92) ? header.readUInt32BE(28) * pageSize(header) : 0;

const checkHeader = (file: string, size: number, hasLog: boolean): void => {
  const header = readHeader(file);
  if (header.length < HEADER_BYTES || header.toString('latin1', 0, MAGIC.length) !== MAGIC)
    throw damagedDatabase(file, 'it does not begin as a database does');
  const counted = countedBytes(header);
  // With a log, pages at the end of the file may still be in the log.
  if (!hasLog && size < counted)
    throw damagedDatabase(file, `it has ${size} bytes, and its header counts ${counted}`);
};

export const checkDatabase = (dir: string): void => {
  const file = databaseFile(dir);
  const size = fileSize(file);
  if (size > 0) {
    checkHeader(file, size, fileSize(`${file}-wal`) > 0);
    return;
  }
  const used = usedBefore(dir);
  if (used === undefined) return;
  throw unavailable(
    `The database ${file} is missing or empty, and the data folder was used before: it holds ${used}. Nothing was changed. Put the database back from a backup of the folder. To begin with an empty memory, name another folder in MEMOIR_DATA_DIR, or remove what is left in ${dir}.`,
  );
};
