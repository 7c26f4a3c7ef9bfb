// Bodies as they were before they were packed for the way, piece by piece.
import type { Readable, Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from 'node:zlib';
import { IngestError } from '../../errors.ts';
import { fetchError } from './failures.ts';

export const ACCEPTED = 'gzip, deflate, br';

const UNPACK: Readonly<Record<string, () => Transform>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
  zstd: createZstdDecompress,
};

/** More than one is a mistake, more than two an attack. */
const MOST_LAYERS = 2;

const layersOf = (header: string): string[] =>
  header
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && name !== 'identity');

const isPacking = (error: unknown): boolean =>
  error instanceof Error &&
  'code' in error &&
  /^(?:Z_|ERR_(?:_ERROR_|BROTLI|ZSTD|PADDING))/.test(String(error.code));

const damaged = (cause: unknown) =>
  fetchError('bad_encoding', 'What the server sent cannot be unpacked: it is damaged or cut off.', { cause });

/** The body without its packing. Ending the loop over it early ends the body as well. */
export async function* unpacked(body: Readable, encoding: string): AsyncGenerator<Buffer> {
  const layers = layersOf(encoding).reverse();
  const unknown = layers.find((name) => UNPACK[name] === undefined);
  if (unknown !== undefined || layers.length > MOST_LAYERS) {
    const what = unknown === undefined ? `${layers.length} times` : `as ${unknown}`;
    throw fetchError('bad_encoding', `The server packed its answer ${what}, which is not read here.`);
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
    throw error instanceof IngestError || !isPacking(error) ? error : damaged(error);
  } finally {
    // What is left of a body that is not wanted may fail on its way out; nobody listens any more.
    for (const stream of streams) stream.on('error', () => undefined).destroy();
  }
}
