// A body into a file: as long as it may be, and gone again when it cannot be finished.
import { open, rm } from 'node:fs/promises';
import { fetchError } from './failures.ts';
import type { Fetched } from './safe-fetch.ts';
import { hostOf } from './target.ts';

export interface SizeLimits {
  /** Of text: pages, tables, data. */
  readonly pageBytes: number;
  readonly fileBytes: number;
}

export const SIZE_LIMITS: SizeLimits = { pageBytes: 10 * 1024 * 1024, fileBytes: 50 * 1024 * 1024 };

const HEAD = 4096;

/** Text holds no zero bytes, unless each second one is (UTF-16). */
const looksLikeText = (head: Buffer): boolean => {
  const zeros = head.reduce((count, byte) => (byte === 0 ? count + 1 : count), 0);
  if (zeros > 0) return (head[0] === 0xff && head[1] === 0xfe) || (head[0] === 0xfe && head[1] === 0xff);
  return !head.subarray(0, 1024).includes('%PDF-');
};

const tooLarge = (url: URL, limit: number) =>
  fetchError(
    'too_large',
    `What ${hostOf(url)} sends is larger than ${limit / 1024 / 1024} MiB. Upload the part that matters as a file.`,
  );

/** Of what is not packed the length is told beforehand. */
const announced = ({ headers }: Fetched): number =>
  headers['content-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : 0;

/** Pieces as they come, counted; throws at the first byte too many. */
async function* within(answer: Fetched, limits: SizeLimits): AsyncGenerator<Buffer> {
  if (announced(answer) > limits.fileBytes) throw tooLarge(answer.url, limits.fileBytes);
  let limit: number | null = null;
  let bytes = 0;
  for await (const piece of answer.body) {
    limit ??= looksLikeText(piece.subarray(0, HEAD)) ? limits.pageBytes : limits.fileBytes;
    bytes += piece.length;
    if (bytes > limit) throw tooLarge(answer.url, limit);
    yield piece;
  }
}

/** How many bytes it has. Rejects without leaving anything. */
export async function download(answer: Fetched, path: string, limits: SizeLimits): Promise<number> {
  const file = await open(path, 'wx', 0o600);
  let bytes = 0;
  try {
    for await (const piece of within(answer, limits)) {
      await file.writeFile(piece);
      bytes += piece.length;
    }
    await file.close();
    return bytes;
  } catch (error) {
    answer.letGo();
    await file.close().catch(() => undefined);
    await rm(path, { force: true });
    throw error;
  }
}

/** All of a body as text; for answers that are short by their nature. */
export async function textOf(answer: Fetched, mostBytes: number): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of within(answer, { pageBytes: mostBytes, fileBytes: mostBytes }))
    pieces.push(piece);
  return Buffer.concat(pieces).toString('utf8');
}
