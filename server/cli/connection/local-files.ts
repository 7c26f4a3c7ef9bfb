// Local files to upload: one file, or all files of a folder.
import { readdirSync, statSync } from 'node:fs';
import { basename, join, resolve, sep } from 'node:path';
import { maxFileBytes } from '../../../tools/documents/schemas/file.ts';

export interface LocalFile {
  path: string;
  name: string;
  bytes: number;
}

export interface FolderFile extends LocalFile {
  /** The path including the name of the folder: `docs/guide/start.md`. */
  inFolder: string;
}

/** Hidden files and installed packages are no content of the user. */
const isIgnoredName = (name: string): boolean => name.startsWith('.') || name === 'node_modules';

const inNameOrder = (a: { name: string }, b: { name: string }): number => (a.name < b.name ? -1 : 1);

/** Links are not followed: they may lead out of the folder, and in circles. */
function* filePathsIn(folder: string): Generator<string> {
  const entries = readdirSync(folder, { withFileTypes: true }).sort(inNameOrder);
  for (const entry of entries) {
    if (isIgnoredName(entry.name)) continue;
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* filePathsIn(path);
    else if (entry.isFile()) yield path;
  }
}

export const localFile = (path: string): LocalFile => ({
  path,
  name: basename(path),
  bytes: statSync(path).size,
});

export const folderFiles = (folder: string): FolderFile[] => {
  const root = resolve(folder);
  return [...filePathsIn(root)].map((path) => ({
    ...localFile(path),
    inFolder: [basename(root), ...path.slice(root.length + 1).split(sep)].join('/'),
  }));
};

/** The reason why the server would refuse the file, checked before the upload; null: it can be sent. */
export const fileRefusal = ({ path, bytes }: LocalFile): string | null =>
  bytes <= maxFileBytes ? null : `${path} is larger than 50 MiB, the largest size of a file. Split it.`;
