// Downloads a file into a folder: what came before an interruption is kept, and the next attempt goes on from there.
import { createHash } from 'node:crypto';
import {
  createReadStream,
  createWriteStream,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { type RetryPlan, withRetries } from '../../lib/async/retry.ts';
import { ModelFailure } from './failure.ts';

export interface FileDownload {
  readonly url: string;
  readonly path: string;
  readonly signal: AbortSignal;
  /** The bytes that are there, and those of the whole file if the server says so. */
  readonly progress: (bytes: number, total: number | null) => void;
  readonly retries?: RetryPlan;
}

const RETRIES: RetryPlan = { attempts: 6, firstWaitMs: 500, longestWaitMs: 15_000 };
/** A server that sends nothing for so long is taken for broken. */
const SILENCE_MS = 30_000;

const partFile = (path: string): string => `${path}.part`;
/** Marks the version of the part: the rest of another version would make a file that never was. */
const versionFile = (path: string): string => `${path}.version`;

const keptPart = (path: string): { bytes: number; version: string | null } => {
  const version = existsSync(versionFile(path)) ? readFileSync(versionFile(path), 'utf8') : null;
  const bytes = version !== null && existsSync(partFile(path)) ? statSync(partFile(path)).size : 0;
  return { bytes, version };
};

/** A strong mark of the version; a weak one does not promise the same bytes. */
const strongVersion = (response: Response): string | null => {
  const etag = response.headers.get('etag');
  return etag !== null && !etag.startsWith('W/') ? etag : null;
};

const ask = async ({ url, path, signal }: FileDownload): Promise<{ response: Response; from: number }> => {
  const { bytes, version } = keptPart(path);
  const rest: Record<string, string> =
    bytes > 0 && version !== null ? { range: `bytes=${bytes}-`, 'if-range': version } : {};
  // Lengths and ranges count the bytes that are sent, so these have to be those of the file.
  const response = await fetch(url, { headers: { ...rest, 'accept-encoding': 'identity' }, signal });
  if (response.status === 206) return { response, from: bytes };
  if (response.status === 200) return { response, from: 0 };
  await response.body?.cancel();
  // The part is as long as the file, or longer: it is fetched anew.
  if (response.status === 416) rmSync(partFile(path), { force: true });
  const isPassing = response.status === 416 || response.status === 429 || response.status >= 500;
  throw new ModelFailure(
    `${url} answered ${response.status}. ${response.status === 404 ? 'The hub has no such file: check the name and MEMOIR_MODEL_HUB.' : 'Try again later, or name a mirror in MEMOIR_MODEL_HUB.'}`,
    { isPassing },
  );
};

const totalOf = (response: Response, from: number): number | null => {
  const length = response.headers.get('content-length');
  return length === null ? null : from + Number(length);
};

/** Ends a transfer that stands still. */
const watchingSilence = async function* (body: AsyncIterable<Uint8Array>, stop: AbortController) {
  let timer = setTimeout(() => stop.abort(), SILENCE_MS);
  try {
    for await (const chunk of body) {
      clearTimeout(timer);
      timer = setTimeout(() => stop.abort(), SILENCE_MS);
      yield chunk;
    }
  } finally {
    clearTimeout(timer);
  }
};

const fetchOnce = async (download: FileDownload): Promise<void> => {
  const { path, progress } = download;
  const silent = new AbortController();
  const signal = AbortSignal.any([download.signal, silent.signal]);
  const { response, from } = await ask({ ...download, signal });
  if (response.body === null) throw new ModelFailure(`${download.url} sent nothing.`, { isPassing: true });
  const version = strongVersion(response);
  if (version === null) rmSync(versionFile(path), { force: true });
  else writeFileSync(versionFile(path), version);
  const total = totalOf(response, from);
  let bytes = from;
  let broken: unknown;
  /** Ends where the transfer breaks off, so that all that came is written. */
  const received = async function* (chunks: AsyncIterable<Uint8Array>) {
    try {
      for await (const chunk of chunks) {
        bytes += chunk.length;
        progress(bytes, total);
        yield chunk;
      }
    } catch (error) {
      broken = error;
    }
  };
  await pipeline(
    watchingSilence(response.body, silent),
    received,
    createWriteStream(partFile(path), { flags: from > 0 ? 'a' : 'w' }),
  );
  if (broken !== undefined) throw broken;
  if (total !== null && bytes !== total)
    throw new ModelFailure(`${download.url} ended after ${bytes} of ${total} bytes.`, { isPassing: true });
};

const isDiskFull = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT');

const isRefused = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'EACCES' || error.code === 'EROFS');

export const diskFailure = (error: unknown, path: string): ModelFailure | null => {
  if (isDiskFull(error))
    return new ModelFailure(
      `The disk of ${dirname(path)} is full. Free some space and run the command again: it goes on from here.`,
      { cause: error },
    );
  if (!isRefused(error)) return null;
  return new ModelFailure(
    `${dirname(path)} cannot be written. Change its permissions and run the command again.`,
    {
      cause: error,
    },
  );
};

/** Retries faults of the network; a full disk, a refusal and a stop end the download. */
export const downloadFile = async (download: FileDownload): Promise<void> => {
  const { path, signal, url, retries = RETRIES } = download;
  mkdirSync(dirname(path), { recursive: true });
  const isFinal = (error: unknown): boolean =>
    signal.aborted ||
    diskFailure(error, path) !== null ||
    (error instanceof ModelFailure && !error.isPassing);
  try {
    await withRetries(
      () => fetchOnce(download),
      retries,
      (error) => (isFinal(error) ? null : {}),
      signal,
    );
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof ModelFailure) throw error;
    throw (
      diskFailure(error, path) ??
      new ModelFailure(
        `${new URL(url).host} could not be reached. Run the command again to go on, name a mirror in MEMOIR_MODEL_HUB, or copy the files and use --from <folder>.`,
        { cause: error },
      )
    );
  }
  renameSync(partFile(path), path);
  rmSync(versionFile(path), { force: true });
};

export const sha256OfFile = async (path: string): Promise<string> => {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
  return hash.digest('hex');
};
