// Chooses the native Chroma server that loads on this system.
import { createRequire } from 'node:module';

/** What both generations of the native package export. `cli` blocks its thread for as long as the server runs. */
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

/** An older build under a name of its own: the newest one asks for glibc 2.38, which Debian 12 does not have. */
const FALLBACK: Readonly<Record<string, string>> = { 'linux-x64': 'chroma-bindings-glibc234-x64' };

const SUFFIX: Readonly<Record<string, string>> = { linux: '-gnu', win32: '-msvc', darwin: '' };

const REASON_LENGTH = 140;

export class ChromaBindingError extends Error {
  constructor(message: string, cause: unknown) {
    super(message, { cause });
    this.name = 'ChromaBindingError';
  }
}

/** Package names in the order in which they are tried. */
export const bindingNames = (platform: string, arch: string): string[] => {
  const suffix = SUFFIX[platform];
  const newest = suffix === undefined ? [] : [`chromadb-js-bindings-${platform}-${arch}${suffix}`];
  const fallback = FALLBACK[`${platform}-${arch}`];
  return fallback === undefined ? newest : [...newest, fallback];
};

/** The platform's package belongs to chromadb and may lie inside it; the fallback is a dependency of ours. */
const loadInstalled = (name: string): unknown => {
  const ours = createRequire(import.meta.url);
  if (Object.values(FALLBACK).includes(name)) return ours(name);
  return createRequire(ours.resolve('chromadb'))(name);
};

const isBinding = (value: unknown): value is ChromaBinding =>
  typeof value === 'object' && value !== null && 'cli' in value && typeof value.cli === 'function';

/** A loader's error in a few words. */
const reasonOf = (error: unknown): string => {
  const message = error instanceof Error ? error.message : String(error);
  const library = /version [`'](\w+_[\d.]+)' not found/.exec(message)?.[1];
  if (library !== undefined) return `needs ${library}, which this system does not have`;
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'MODULE_NOT_FOUND') return 'is not installed';
  return `does not load (${(message.split('\n')[0] ?? '').slice(0, REASON_LENGTH)})`;
};

const refusal = (platform: string, arch: string, tried: readonly string[]): string => {
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
      tried.push(`${name} ${reasonOf(error)}`);
    }
  }
  throw new ChromaBindingError(refusal(platform, arch, tried), cause);
};
