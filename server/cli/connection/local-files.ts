// Local files to upload: one file, or all files of a folder.
import { createReadStream, type Dirent, readdirSync, statSync } from 'node:fs';
import { basename, join, resolve, sep } from 'node:path';
import { maxFileBytes } from '../../../tools/documents/schemas/file.ts';
import { messageOf } from '../../lib/failures.ts';
import { CommandFailure } from '../failure.ts';

export interface LocalFile {
  path: string;
  name: string;
  bytes: number;
}

export interface FolderFile extends LocalFile {
  /** The path including the name of the folder: `docs/guide/start.md`. */
  inFolder: string;
  /** The reason why it cannot be read; null: it was there when the folder was read. */
  fault: string | null;
}

/** A path, and the reason why nothing of it can be read. */
type FoundPath = readonly [path: string, fault: string | null];

/** Hidden files and installed packages are no content of the user. */
const isIgnoredName = (name: string): boolean => name.startsWith('.') || name === 'node_modules';

const inNameOrder = (a: Dirent, b: Dirent): number => (a.name < b.name ? -1 : 1);

/** A name that is not UTF-8 was read as another one, which no file has. */
const isMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ENOENT';

const faultOf = (path: string, error: unknown): string =>
  isMissing(error)
    ? `${path} is not there: it was removed, or its name is not UTF-8. Rename it then.`
    : `${path} cannot be read: ${messageOf(error)}.`;

/** Links are not followed: they may lead out of the folder, and in circles. A folder that cannot be read stops no other. */
function* pathsIn(folder: string): Generator<FoundPath> {
  let entries: Dirent[];
  try {
    entries = readdirSync(folder, { withFileTypes: true }).sort(inNameOrder);
  } catch (error) {
    yield [folder, faultOf(folder, error)];
    return;
  }
  for (const entry of entries) {
    if (isIgnoredName(entry.name)) continue;
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* pathsIn(path);
    else if (entry.isFile()) yield [path, null];
  }
}

/** The file as it is now. */
export const localFile = (path: string): LocalFile => {
  try {
    return { path, name: basename(path), bytes: statSync(path).size };
  } catch (cause) {
    throw new CommandFailure(faultOf(path, cause), { cause });
  }
};

const foundFile = ([path, fault]: FoundPath): Omit<FolderFile, 'inFolder'> => {
  try {
    if (fault === null) return { ...localFile(path), fault };
    return { path, name: basename(path), bytes: 0, fault };
  } catch (error) {
    return { path, name: basename(path), bytes: 0, fault: messageOf(error) };
  }
};

export const folderFiles = (folder: string): FolderFile[] => {
  const root = resolve(folder);
  return [...pathsIn(root)].map((found) => ({
    ...foundFile(found),
    inFolder: [basename(root), ...found[0].slice(root.length + 1).split(sep)].filter(Boolean).join('/'),
  }));
};

/** The reason why the server would refuse the file, checked before the upload; null: it can be sent. */
export const fileRefusal = ({ path, name, bytes }: LocalFile): string | null => {
  if (/\p{Cc}/u.test(name)) return `${path} has control characters in its name. Rename it.`;
  return bytes <= maxFileBytes
    ? null
    : `${path} is larger than 50 MiB, the largest size of a file. Split it.`;
};

/** Its content, as long as it was when it was looked at: what is written to its end meanwhile is left out. */
export async function* readPieces(
  { path, bytes: announced }: LocalFile,
  sent: (bytes: number) => void,
): AsyncGenerator<Buffer> {
  if (announced === 0) return;
  let bytes = 0;
  try {
    for await (const piece of createReadStream(path, { end: announced - 1 })) {
      yield piece as Buffer;
      bytes += (piece as Buffer).length;
      sent(bytes);
    }
  } catch (cause) {
    throw new CommandFailure(faultOf(path, cause), { cause });
  }
  if (bytes < announced) throw new CommandFailure(`${path} became shorter while it was read. Add it again.`);
}
