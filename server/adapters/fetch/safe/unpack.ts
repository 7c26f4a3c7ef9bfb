// Unpacks the content encoding of a body, piece by piece.
import type { Readable, Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from 'node:zlib';
import { IngestError } from '../../../core/errors.ts';
import { fetchError } from './failures.ts';

export const ACCEPTED_ENCODINGS = 'gzip, deflate, br';

const UNPACK: Readonly<Record<string, () => Transform>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
  zstd: createZstdDecompress,
};

/** One layer is usual, more than two are an attack. */
const MOST_LAYERS = 2;

const layersOf = (header: string): string[] =>
  header
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && name !== 'identity');

const isUnpackError = (error: unknown): boolean =>
  error instanceof Error &&
  'code' in error &&
  /^(?:Z_|ERR_(?:_ERROR_|BROTLI|ZSTD|PADDING))/.test(String(error.code));

const damagedError = (cause: unknown) =>
  fetchError('bad_encoding', 'The answer of the server cannot be unpacked: it is damaged or incomplete.', {
    cause,
  });

/** The unpacked body. Ending the loop over it early ends the body as well. */
export async function* unpackBody(body: Readable, encoding: string): AsyncGenerator<Buffer> {
  const layers = layersOf(encoding).reverse();
  const unknown = layers.find((name) => UNPACK[name] === undefined);
  if (unknown !== undefined || layers.length > MOST_LAYERS) {
    const what = unknown === undefined ? `${layers.length} times` : `as ${unknown}`;
    throw fetchError('bad_encoding', `The server packed its answer ${what}, which is not supported.`);
  }
  const streams: Readable[] = [body];
  for (const name of layers) {
    const source = streams.at(-1) ?? body;
    const layer = (UNPACK[name] as () => Transform)();
    source.on('error', (error) => layer.destroy(error));
    streams.push(source.pipe(layer));
  }
  try {
    for await (const piece of streams.at(-1) ?? body) yield piece as Buffer;
  } catch (error) {
    throw error instanceof IngestError || !isUnpackError(error) ? error : damagedError(error);
  } finally {
    // The rest of an unwanted body may fail later, and no handler listens any more.
    for (const stream of streams) stream.on('error', () => undefined).destroy();
  }
}
