// Reads request bodies: JSON whatever its content type says, bounded before and after it is unpacked.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate, zstdDecompress } from 'node:zlib';
import { badRequest, MemoirError } from '../errors.ts';

export const MAX_BODY_BYTES = 50 * 1024 * 1024;

type Unpack = (packed: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>;

const UNPACK = new Map<string, Unpack>([
  ['gzip', promisify(gunzip)],
  ['x-gzip', promisify(gunzip)],
  ['deflate', promisify(inflate)],
  ['br', promisify(brotliDecompress)],
  ['zstd', promisify(zstdDecompress)],
]);

const tooLarge = (cause?: unknown): MemoirError =>
  new MemoirError(413, 'The request body is larger than 50 MiB. Send it in several smaller requests.', {
    cause,
  });

/** The client went away in the middle of its body; nobody is left to answer. */
const gone = (): Error =>
  new DOMException('The client closed the connection while sending its body.', 'AbortError');

/** HTTP/1.1: a body is there when its length or its encoding says so. */
const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

function collect(req: IncomingMessage, limit: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = [];
    let size = 0;
    const onData = (part: Buffer) => {
      size += part.length;
      if (size <= limit) parts.push(part);
      else finish(() => reject(tooLarge()));
    };
    const onEnd = () =>
      finish(() => resolve(parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts)));
    const onGone = () => finish(() => reject(gone()));
    const finish = (settle: () => void) => {
      req.off('data', onData).off('end', onEnd).off('close', onGone).off('error', onGone);
      settle();
    };
    req.on('data', onData).on('end', onEnd).on('close', onGone).on('error', onGone);
  });
}

async function unpack(packed: Buffer, encoding: string, limit: number): Promise<Buffer> {
  const how = UNPACK.get(encoding);
  if (how === undefined) {
    throw badRequest(
      `The content encoding "${encoding}" is not known here. Send gzip, deflate, br, zstd or none.`,
    );
  }
  try {
    return await how(packed, { maxOutputLength: limit });
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ERR_BUFFER_TOO_LARGE')
      throw tooLarge(cause);
    throw badRequest(`The request body is not valid ${encoding} data.`, { cause });
  }
}

const charsetOf = (contentType: string): string => /charset="?([\w-]+)/i.exec(contentType)?.[1] ?? 'utf-8';

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Bytes that are not text are refused: replaced by question marks they would be stored and never noticed. */
function decode(bytes: Buffer, contentType: string): string {
  const charset = charsetOf(contentType);
  try {
    const decoder = charset.toLowerCase() === 'utf-8' ? utf8 : new TextDecoder(charset, { fatal: true });
    return decoder.decode(bytes);
  } catch (cause) {
    throw badRequest(`The request body is not valid ${charset} text. Send JSON as UTF-8.`, { cause });
  }
}

function parseJson(text: string, contentType: string): unknown {
  if (text.trim() === '') return {};
  try {
    return JSON.parse(text);
  } catch (cause) {
    const said = contentType === '' || /json/i.test(contentType) ? '' : ` (it was sent as ${contentType})`;
    const why = cause instanceof Error ? cause.message : String(cause);
    throw badRequest(`The request body is not valid JSON${said}: ${why}`, { cause });
  }
}

async function readBytes(req: IncomingMessage, res: ServerResponse, limit: number): Promise<Buffer> {
  if (Number(req.headers['content-length'] ?? 0) > limit) throw tooLarge();
  // Only now, with the key known to be good, may a client that asked first send its body.
  if (req.headers.expect !== undefined) res.writeContinue();
  const bytes = await collect(req, limit);
  const encoding = req.headers['content-encoding']?.trim().toLowerCase() ?? 'identity';
  return encoding === 'identity' ? bytes : unpack(bytes, encoding, limit);
}

/** The body as an object; no body, whatever its content type, is an empty one. */
export async function readJson(
  req: IncomingMessage,
  res: ServerResponse,
  limit: number = MAX_BODY_BYTES,
): Promise<object> {
  if (!hasBody(req)) return {};
  const bytes = await readBytes(req, res, limit);
  const contentType = req.headers['content-type'] ?? '';
  const body = parseJson(decode(bytes, contentType), contentType) ?? {};
  if (typeof body === 'object' && !Array.isArray(body)) return body;
  throw badRequest('The request body must be a JSON object, as in {"content": "…"}.');
}
