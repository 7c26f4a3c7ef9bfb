// Converts uploads to a File: a File, a Blob, bytes, a fetch response or a stream.
import { MemoirError } from './errors.ts';

/** The result of `await fetch(url)`, which can be passed directly. */
export interface ResponseLike {
  readonly url: string;
  readonly ok?: boolean;
  readonly status?: number;
  blob(): Promise<Blob>;
}

export type Uploadable =
  | Blob
  | ArrayBuffer
  | ArrayBufferView
  | ResponseLike
  | AsyncIterable<Uint8Array>
  | ReadableStream<Uint8Array>;

export interface FileFacts {
  type?: string | undefined;
  lastModified?: number | undefined;
}

const lastOf = (path: string): string | undefined =>
  path
    .split(/[/\\]/)
    .filter((part) => part !== '')
    .pop();

/** A percent sign may stand for itself. */
const decodedPath = (path: string): string => {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
};

/** Takes the name from a File, from the path of `fs.createReadStream(path)`, or from the address of a response. */
const fileName = (given: object): string | undefined => {
  const { name, path, url } = given as { name?: unknown; path?: unknown; url?: unknown };
  if (typeof name === 'string' && name !== '') return lastOf(name);
  if (path !== undefined && path !== null && String(path) !== '') return lastOf(String(path));
  if (typeof url !== 'string' || !URL.canParse(url)) return undefined;
  return lastOf(decodedPath(new URL(url).pathname));
};

const noFile = (): MemoirError =>
  new MemoirError(
    'A file must be a File, a Blob, bytes, a Response or a stream of bytes. Send a file of the disk with createReadStream(path) of node:fs.',
  );

const isResponse = (given: object): given is ResponseLike =>
  'blob' in given && typeof given.blob === 'function' && 'url' in given;

const isIterable = (given: object): given is AsyncIterable<Uint8Array> => Symbol.asyncIterator in given;

async function* readStream(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    yield value;
  }
}

const checkFound = ({ ok, status, url }: ResponseLike): void => {
  if (ok === false)
    throw new MemoirError(`${url} answered ${status}, so it is not uploaded. Check the address.`);
};

const fileParts = async (given: object): Promise<BlobPart[]> => {
  if (typeof given !== 'object' || given === null) throw noFile();
  if (given instanceof Blob || given instanceof ArrayBuffer) return [given];
  if (ArrayBuffer.isView(given)) return [given as BlobPart];
  if (isResponse(given)) {
    checkFound(given);
    return [await given.blob()];
  }
  const stream = isIterable(given) ? given : given instanceof ReadableStream ? readStream(given) : undefined;
  if (stream === undefined) throw noFile();
  const parts: BlobPart[] = [];
  for await (const part of stream) parts.push(part as BlobPart);
  return parts;
};

/** Reads the source once and returns a File with a name, so that a failed attempt can be retried. */
export const toFile = async (
  given: Uploadable | PromiseLike<Uploadable>,
  name?: string,
  facts: FileFacts = {},
): Promise<File> => {
  const value = await given;
  if (value instanceof File && name === undefined && facts.type === undefined) return value;
  const parts = await fileParts(value);
  const [first] = parts;
  const type = facts.type ?? (first instanceof Blob ? first.type : undefined);
  return new File(parts, name ?? fileName(value) ?? 'file', {
    ...(type === undefined ? {} : { type }),
    ...(facts.lastModified === undefined ? {} : { lastModified: facts.lastModified }),
  });
};
