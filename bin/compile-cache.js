// Keeps compiled modules from one start to the next: compiling them is a large part of the time of a start.
// Plain JavaScript that Node 14 and newer can read, because it runs before the version of Node is checked.
import { lstatSync, mkdirSync } from 'node:fs';
import module from 'node:module';
import { homedir } from 'node:os';
import { join } from 'node:path';

const OTHERS_WRITE = 0o022;

const cacheFolder = () => join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'memoir', 'compiled');

/** Windows has other rights; there the folder lies in the profile of the user. */
const isOwn = (folder) => {
  const entry = lstatSync(folder);
  if (process.getuid === undefined) return entry.isDirectory();
  return entry.isDirectory() && entry.uid === process.getuid() && (entry.mode & OTHERS_WRITE) === 0;
};

/**
 * Node runs what it finds in the cache, so a folder that another user may write is not used: neither the common
 * temporary folder nor one that was opened. The variable takes the cache to worker threads and to another Node.
 */
export const keepCompiled = () => {
  if (process.env.NODE_COMPILE_CACHE) return;
  try {
    const folder = cacheFolder();
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    if (!isOwn(folder)) return;
    process.env.NODE_COMPILE_CACHE = folder;
    if (module.enableCompileCache !== undefined) module.enableCompileCache(folder);
  } catch {
    // A home that is missing or cannot be written only makes the start slower.
  }
};
