// Faults of a disk and of a database file, recognised by the codes of the system and of SQLite.

/** `full`: the disk takes no more data. `refused`: this user may not write. `damaged`: the database cannot be read. `moved`: it is not where it was opened. */
export type StorageFault = 'full' | 'damaged' | 'refused' | 'moved';

const BY_CODE: Readonly<Record<string, StorageFault>> = {
  ENOSPC: 'full',
  EDQUOT: 'full',
  EFBIG: 'full',
  EACCES: 'refused',
  EPERM: 'refused',
  EROFS: 'refused',
};

/** SQLite reports a reached quota as a failed write, sync or growth of its shared memory. */
const BY_SQLITE_CODE: Readonly<Record<number, StorageFault>> = {
  13: 'full',
  778: 'full',
  1034: 'full',
  4874: 'full',
  11: 'damaged',
  26: 'damaged',
  8: 'refused',
  14: 'refused',
};

/** Another thread may have reported the error without its codes. */
const BY_MESSAGE: readonly (readonly [RegExp, StorageFault])[] = [
  [/database or disk is full|no space left on device/i, 'full'],
  [/file is not a database|database disk image is malformed/i, 'damaged'],
  [/database file .* was moved, removed or replaced/, 'moved'],
  [/attempt to write a readonly database|unable to open database file/i, 'refused'],
];

const DEEPEST = 5;

interface Coded {
  code?: unknown;
  errcode?: unknown;
}

/** The codes of the first error in the chain of causes that has any. */
export const codesOf = (error: unknown): Coded => {
  let at = error;
  for (let depth = 0; at instanceof Error && depth < DEEPEST; depth++, at = at.cause) {
    const { code, errcode } = at as Coded;
    if (errcode !== undefined) return { code, errcode };
    if (typeof code === 'string') return { code };
  }
  return {};
};

const faultOf = (error: Error): StorageFault | undefined => {
  const { code, errcode } = error as Coded;
  if (typeof errcode === 'number') return BY_SQLITE_CODE[errcode] ?? BY_SQLITE_CODE[errcode & 0xff];
  if (typeof code === 'string' && BY_CODE[code] !== undefined) return BY_CODE[code];
  return BY_MESSAGE.find(([pattern]) => pattern.test(error.message))?.[1];
};

export const storageFault = (error: unknown): StorageFault | null => {
  let at = error;
  for (let depth = 0; at instanceof Error && depth < DEEPEST; depth++, at = at.cause) {
    const fault = faultOf(at);
    if (fault !== undefined) return fault;
  }
  return null;
};
