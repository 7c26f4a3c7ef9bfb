// Chooses the native Chroma server that loads on this system.
import { createRequire } from 'node:module';
import { isAbsolute } from 'node:path';
import { olderBindingFile } from './older-binding.ts';

/** The export of both generations of the native package. `cli` blocks its thread for as long as the server runs. */
export interface ChromaBinding {
  cli(args: string[]): void;
}

export interface BindingChoice {
  readonly name: string;
  readonly binding: ChromaBinding;
}

export interface BindingSearch {
  platform?: string;
  arch?: string;
  /** Loads a package by its name; throws as `require` does. */
  load?: (name: string) => unknown;
}

const SUFFIX: Readonly<Record<string, string>> = { linux: '-gnu', win32: '-msvc', darwin: '' };

const REASON_LENGTH = 140;

class ChromaBindingError extends Error {
  constructor(message: string, cause: unknown) {
    super(message, { cause });
    this.name = 'ChromaBindingError';
  }
}

/** Packages and files in the order in which they are tried. */
export const bindingNames = (platform: string, arch: string): string[] => {
  const suffix = SUFFIX[platform];
  const newest = suffix === undefined ? [] : [`chromadb-js-bindings-${platform}-${arch}${suffix}`];
  return platform === 'linux' && arch === 'x64' ? [...newest, olderBindingFile()] : newest;
};

/** The package of the platform belongs to chromadb and may lie inside it; the older server is a file of its own. */
const loadInstalled = (name: string): unknown => {
  const ours = createRequire(import.meta.url);
  return isAbsolute(name) ? ours(name) : createRequire(ours.resolve('chromadb'))(name);
};

const isBinding = (value: unknown): value is ChromaBinding =>
  typeof value === 'object' && value !== null && 'cli' in value && typeof value.cli === 'function';

/** A loader's error in a few words. */
const loadFailureReason = (error: unknown): string => {
  const message = error instanceof Error ? error.message : String(error);
  const library = /version [`'](\w+_[\d.]+)' not found/.exec(message)?.[1];
  if (library !== undefined) return `needs ${library}, which this system does not have`;
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'MODULE_NOT_FOUND') return 'is not installed';
  return `does not load (${(message.split('\n')[0] ?? '').slice(0, REASON_LENGTH)})`;
};

const bindingRefusal = (platform: string, arch: string, tried: readonly string[]): string => {
  const why = tried.length === 0 ? 'none is made for this platform' : tried.join('; ');
  return (
    `No Chroma server can be started here (${platform}-${arch}): ${why}. ` +
    'Set CHROMA_URL to a Chroma server, or install again with optional dependencies on a supported system.'
  );
};

/** The first binding that loads; a sentence with every reason when none does. */
export const loadChromaBinding = (search: BindingSearch = {}): BindingChoice => {
  const { platform = process.platform, arch = process.arch, load = loadInstalled } = search;
  const tried: string[] = [];
  let cause: unknown;
  for (const name of bindingNames(platform, arch)) {
    try {
      const binding = load(name);
      if (isBinding(binding)) return { name, binding };
      tried.push(`${name} holds no server`);
    } catch (error) {
      cause = error;
      tried.push(`${name} ${loadFailureReason(error)}`);
    }
  }
  throw new ChromaBindingError(bindingRefusal(platform, arch, tried), cause);
};
