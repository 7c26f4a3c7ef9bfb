// Writes a body to a file within the size limits; an unfinished file is deleted.
import { open, rm } from 'node:fs/promises';
import { fetchError } from './failures.ts';
import type { Fetched } from './safe-fetch.ts';
import { hostOf } from './target.ts';

export interface SizeLimits {
  /** The limit of text: pages, tables, data. */
  readonly pageBytes: number;
  readonly fileBytes: number;
}

export const SIZE_LIMITS: SizeLimits = { pageBytes: 10 * 1024 * 1024, fileBytes: 50 * 1024 * 1024 };

const HEAD = 4096;

/** Text has no zero bytes, except UTF-16 with its mark. */
const looksLikeText = (head: Buffer): boolean => {
  const zeros = head.reduce((count, byte) => (byte === 0 ? count + 1 : count), 0);
  if (zeros > 0) return (head[0] === 0xff && head[1] === 0xfe) || (head[0] === 0xfe && head[1] === 0xff);
  return !head.subarray(0, 1024).includes('%PDF-');
};

const sizeError = (url: URL, limit: number) =>
  fetchError(
    'too_large',
    `The content from ${hostOf(url)} is larger than ${limit / 1024 / 1024} MiB. Upload the important part as a file.`,
  );

/** The header has the length of the packed body, so it only counts for unpacked ones. */
const declaredLength = ({ headers }: Fetched): number =>
  headers['content-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : 0;

/** The pieces of the body; throws at the first byte beyond the limit. */
async function* limitedPieces(answer: Fetched, limits: SizeLimits): AsyncGenerator<Buffer> {
  if (declaredLength(answer) > limits.fileBytes) throw sizeError(answer.url, limits.fileBytes);
  let limit: number | null = null;
  let bytes = 0;
  for await (const piece of answer.body) {
    limit ??= looksLikeText(piece.subarray(0, HEAD)) ? limits.pageBytes : limits.fileBytes;
    bytes += piece.length;
    if (bytes > limit) throw sizeError(answer.url, limit);
    yield piece;
  }
}

/** Resolves with the number of bytes. */
export const download = async (answer: Fetched, path: string, limits: SizeLimits): Promise<number> => {
  const file = await open(path, 'wx', 0o600);
  let bytes = 0;
  try {
    for await (const piece of limitedPieces(answer, limits)) {
      await file.writeFile(piece);
      bytes += piece.length;
    }
    await file.close();
    return bytes;
  } catch (error) {
    answer.discard();
    await file.close().catch(() => undefined);
    await rm(path, { force: true });
    throw error;
  }
};

/** The whole body as text, for short answers. */
export const bodyText = async (answer: Fetched, mostBytes: number): Promise<string> => {
  const pieces: Buffer[] = [];
  for await (const piece of limitedPieces(answer, { pageBytes: mostBytes, fileBytes: mostBytes }))
    pieces.push(piece);
  return Buffer.concat(pieces).toString('utf8');
};
