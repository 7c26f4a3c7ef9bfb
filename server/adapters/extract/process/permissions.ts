// The permissions of the child process: it may read the code and its input, write its output, and start threads. Nothing else.
import { existsSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { LANGUAGE_FOLDER } from '../../../lib/models/language-folder.ts';
import { entry } from '../../../lib/threads/entry.ts';
import type { ChildFolders } from './child-folders.ts';

/** The permission model of Node refuses child processes, native code and everything outside of these folders. */
export const permissionOptions = ({ input, output, models }: ChildFolders): string[] => [
  '--permission',
  ...[...codeFolders(), input, output].map((folder) => `--allow-fs-read=${join(folder, '*')}`),
  ...(models === null ? [] : [`--allow-fs-read=${join(models, `${LANGUAGE_FOLDER}*`)}`]),
  `--allow-fs-write=${join(output, '*')}`,
  // The permissions of this Node do not cover the files of its database.
  '--no-experimental-sqlite',
  // The OCR engine is a thread, and so is the guard that watches the parent.
  '--allow-worker',
  // Threads get it as well.
  `--import=${entry('../child/confine', import.meta.url)}`,
];

/** The folders of this source or build, and of the packages that it finds; language data may be installed where the server was started. */
const codeFolders = (): string[] => {
  const code = fileURLToPath(new URL('../../..', import.meta.url));
  const packages = [...ancestors(code), process.cwd()].map((folder) => join(folder, 'node_modules'));
  const found = packages.filter((folder) => existsSync(folder));
  return [...new Set([code, ...found, ...found.map((folder) => realpathSync(folder))])];
};

const ancestors = (folder: string): string[] =>
  dirname(folder) === folder ? [folder] : [folder, ...ancestors(dirname(folder))];
