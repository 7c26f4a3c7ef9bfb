// Reads request bodies as JSON, for any content type; the size is limited before and after decompression.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate, zstdDecompress } from 'node:zlib';
import { badRequest, MemoirError } from '../core/errors.ts';

export const MAX_BODY_BYTES = 50 * 1024 * 1024;

type Unpack = (packed: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>;

const UNPACK = new Map<string, Unpack>([
  ['gzip', promisify(gunzip)],
  ['x-gzip', promisify(gunzip)],
  ['deflate', promisify(inflate)],
  ['br', promisify(brotliDecompress)],
  ['zstd', promisify(zstdDecompress)],
]);

const bodyTooLarge = (cause?: unknown): MemoirError =>
  new MemoirError(413, 'The request body is larger than 50 MiB. Send it in several smaller requests.', {
    cause,
  });

/** The client closed the connection before its body or form was complete. */
export const clientClosed = (part: 'body' | 'form'): Error =>
  new DOMException(`The client closed the connection while sending its ${part}.`, 'AbortError');

/** In HTTP/1.1 a request has a body if one of these headers says so. */
const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

const collectBytes = (req: IncomingMessage, limit: number): Promise<Buffer> => {
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = [];
    let size = 0;
    const onData = (part: Buffer) => {
      size += part.length;
      if (size <= limit) parts.push(part);
      else finish(() => reject(bodyTooLarge()));
    };
    const onEnd = () =>
      finish(() => resolve(parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts)));
    const onClosed = () => finish(() => reject(clientClosed('body')));
    const finish = (settle: () => void) => {
      req.off('data', onData).off('end', onEnd).off('close', onClosed).off('error', onClosed);
      settle();
    };
    req.on('data', onData).on('end', onEnd).on('close', onClosed).on('error', onClosed);
  });
};

const decompressBody = async (packed: Buffer, encoding: string, limit: number): Promise<Buffer> => {
  const decompress = UNPACK.get(encoding);
  if (decompress === undefined) {
    throw badRequest(
      `The content encoding "${encoding}" is not supported. Use gzip, deflate, br, zstd or none.`,
    );
  }
  try {
    return await decompress(packed, { maxOutputLength: limit });
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ERR_BUFFER_TOO_LARGE')
      throw bodyTooLarge(cause);
    throw badRequest(`The request body is not valid ${encoding} data.`, { cause });
  }
};

const charsetOfBody = (contentType: string): string =>
  /charset="?([\w-]+)/i.exec(contentType)?.[1] ?? 'utf-8';

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Refuses invalid bytes: a decoder that replaces them would change the stored text without notice. */
const decodeBody = (bytes: Buffer, contentType: string): string => {
  const charset = charsetOfBody(contentType);
  try {
    const decoder = charset.toLowerCase() === 'utf-8' ? utf8 : new TextDecoder(charset, { fatal: true });
    return decoder.decode(bytes);
  } catch (cause) {
    throw badRequest(`The request body is not valid ${charset} text. Send JSON as UTF-8.`, { cause });
  }
};

const parseJsonBody = (text: string, contentType: string): unknown => {
  if (text.trim() === '') return {};
  try {
    return JSON.parse(text);
  } catch (cause) {
    const sentAs = contentType === '' || /json/i.test(contentType) ? '' : ` (it was sent as ${contentType})`;
    const why = cause instanceof Error ? cause.message : String(cause);
    throw badRequest(`The request body is not valid JSON${sentAs}: ${why}`, { cause });
  }
};

const readBytes = async (req: IncomingMessage, res: ServerResponse, limit: number): Promise<Buffer> => {
  if (Number(req.headers['content-length'] ?? 0) > limit) throw bodyTooLarge();
  // The key is checked now, so a client that waits for 100 Continue may send its body.
  if (req.headers.expect !== undefined) res.writeContinue();
  const bytes = await collectBytes(req, limit);
  const encoding = req.headers['content-encoding']?.trim().toLowerCase() ?? 'identity';
  return encoding === 'identity' ? bytes : decompressBody(bytes, encoding, limit);
};

/** Returns the body as an object; without a body, an empty object. */
export const readJsonBody = async (
  req: IncomingMessage,
  res: ServerResponse,
  limit: number = MAX_BODY_BYTES,
): Promise<object> => {
  if (!hasBody(req)) return {};
  const bytes = await readBytes(req, res, limit);
  const contentType = req.headers['content-type'] ?? '';
  const body = parseJsonBody(decodeBody(bytes, contentType), contentType) ?? {};
  if (typeof body === 'object' && !Array.isArray(body)) return body;
  throw badRequest('The request body must be a JSON object, for example {"content": "…"}.');
};
