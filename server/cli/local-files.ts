// Files on this machine that a command was given: one, or all of a folder.
import { readdirSync, statSync } from 'node:fs';
import { basename, join, resolve, sep } from 'node:path';
import { maxFileBytes } from '../../tools/shared/files.ts';

export interface LocalFile {
  path: string;
  name: string;
  bytes: number;
}

export interface FolderFile extends LocalFile {
  /** From the folder on, with its name: `docs/guide/start.md`. */
  inFolder: string;
}

/** Names that hold no content of their own: hidden ones, and packages of others. */
const isLeftOut = (name: string): boolean => name.startsWith('.') || name === 'node_modules';

const byName = (a: { name: string }, b: { name: string }): number => (a.name < b.name ? -1 : 1);

/** Links are not followed: they may lead anywhere, and in circles. */
function* filesBelow(folder: string): Generator<string> {
  const entries = readdirSync(folder, { withFileTypes: true }).sort(byName);
  for (const entry of entries) {
    if (isLeftOut(entry.name)) continue;
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* filesBelow(path);
    else if (entry.isFile()) yield path;
  }
}

export const localFile = (path: string): LocalFile => ({
  path,
  name: basename(path),
  bytes: statSync(path).size,
});

export function filesOf(folder: string): FolderFile[] {
  const root = resolve(folder);
  return [...filesBelow(root)].map((path) => ({
    ...localFile(path),
    inFolder: [basename(root), ...path.slice(root.length + 1).split(sep)].join('/'),
  }));
}

/** Why it would be refused, so that nobody waits for it; null: it may be sent. */
export const refusalOf = ({ path, bytes }: LocalFile): string | null =>
  bytes <= maxFileBytes ? null : `${path} is larger than 50 MiB, the most that a file may have. Split it.`;
