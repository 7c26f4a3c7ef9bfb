// The folders of one child process: it may read the content of its job in one, and write its results to the other.
import { copyFile, link, mkdir, readdir, rename, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { emptyFolder } from '../../../lib/files/empty-folder.ts';
import { failure } from '../failures.ts';
import type { AudioPiece } from '../port.ts';

export interface ChildFolders {
  /** Read by the child, and not written. */
  readonly input: string;
  /** Written by the child. */
  readonly output: string;
  /** The folder of installed models: the languages in it may be read. */
  readonly models: string | null;
}

export const openChildFolders = (folder: string, models: string | null = null): ChildFolders => ({
  input: emptyFolder(join(folder, 'input')),
  output: emptyFolder(join(folder, 'output')),
  models,
});

/** A second name for the file in the folder of the child; a copy where the file system has no such names. */
export const handOver = async (file: string, { input }: ChildFolders, name: string): Promise<string> => {
  const target = join(input, name);
  try {
    await link(file, target);
  } catch {
    await copyFile(file, target).catch((cause) => {
      throw failure('extraction_failed', { cause });
    });
  }
  return target;
};

export interface PieceMove {
  /** The folder that the child wrote. */
  readonly from: string;
  readonly to: string;
}

/** Moves the files out of the reach of later jobs, and returns the pieces at their new place. */
export const takePieces = async (
  pieces: readonly AudioPiece[],
  { from, to }: PieceMove,
): Promise<AudioPiece[]> => {
  await mkdir(to, { recursive: true, mode: 0o700 });
  for (const entry of await readdir(from, { withFileTypes: true }))
    if (entry.isFile()) await rename(join(from, entry.name), join(to, entry.name));
  return pieces.map((piece) => ({ ...piece, file: join(to, basename(piece.file)) }));
};

export const clearFolders = async ({ input, output }: ChildFolders, name: string): Promise<void> => {
  await Promise.all(
    [join(input, name), join(output, name)].map((path) => rm(path, { recursive: true, force: true })),
  );
};
