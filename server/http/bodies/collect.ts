// Collects a body in memory, counted as it arrives and unpacked on the way.
import type { IncomingMessage } from 'node:http';
import type { Readable, Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from 'node:zlib';
import { badRequest, MemoirError } from '../../core/errors.ts';
import type { BodyShare } from './budget.ts';

export interface BodyLimits {
  readonly mostBytes: number;
  readonly share: BodyShare;
  /** Aborted when the client has left. */
  readonly signal: AbortSignal;
}

const MIB = 1024 * 1024;

const UNPACK = new Map<string, () => Transform>([
  ['gzip', createGunzip],
  ['x-gzip', createGunzip],
  ['deflate', createInflate],
  ['br', createBrotliDecompress],
  ['zstd', createZstdDecompress],
]);

export const bodyTooLarge = (mostBytes: number): MemoirError =>
  new MemoirError(
    413,
    `The request body is larger than ${mostBytes / MIB} MiB, the most that this operation reads. Send it in several smaller requests.`,
  );

/** The client closed the connection before its body or form was complete. */
export const clientClosed = (part: 'body' | 'form'): Error =>
  new DOMException(`The client closed the connection while sending its ${part}.`, 'AbortError');

const BLOCK_BYTES = 64 * 1024;
const SMALL_BYTES = 8 * 1024;

/**
 * Keeps the parts of a body. A buffer costs a few hundred bytes beside its content, and a client decides how small its
 * parts are, so small ones are copied into blocks.
 */
const createParts = () => {
  const parts: Buffer[] = [];
  let block = Buffer.alloc(0);
  let filled = 0;
  const flush = () => {
    if (filled > 0) parts.push(block.subarray(0, filled));
    block = block.subarray(filled);
    filled = 0;
  };
  return {
    add(part: Buffer) {
      if (part.length > SMALL_BYTES || (parts.length === 0 && filled === 0)) {
        flush();
        parts.push(part);
        return;
      }
      if (part.length > block.length - filled) {
        flush();
        block = Buffer.allocUnsafeSlow(BLOCK_BYTES);
      }
      filled += part.copy(block, filled);
    },
    joined() {
      flush();
      return parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts);
    },
  };
};

/** `source` is the request, or what unpacks it. */
const collect = (
  req: IncomingMessage,
  source: Readable,
  { mostBytes, share }: BodyLimits,
): Promise<Buffer> => {
  return new Promise((resolve, reject) => {
    const parts = createParts();
    let size = 0;
    const onData = (part: Buffer) => {
      size += part.length;
      try {
        if (size > mostBytes) throw bodyTooLarge(mostBytes);
        share.take(part.length);
        parts.add(part);
      } catch (error) {
        finish(() => reject(error));
      }
    };
    const onEnd = () => finish(() => resolve(parts.joined()));
    const onError = (error: Error) => finish(() => reject(source === req ? clientClosed('body') : error));
    const onClosed = () => {
      // The unpacker of a complete request still has parts of it.
      if (source === req || !req.complete) finish(() => reject(clientClosed('body')));
    };
    const finish = (settle: () => void) => {
      source.off('data', onData).off('end', onEnd).off('error', onError);
      req.off('close', onClosed);
      settle();
    };
    source.on('data', onData).on('end', onEnd).on('error', onError);
    req.on('close', onClosed);
  });
};

const collectUnpacked = async (
  req: IncomingMessage,
  encoding: string,
  limits: BodyLimits,
): Promise<Buffer> => {
  const unpacker = UNPACK.get(encoding)?.();
  if (unpacker === undefined) {
    throw badRequest(
      `The content encoding "${encoding}" is not supported. Use gzip, deflate, br, zstd or none.`,
    );
  }
  try {
    return await collect(req, req.pipe(unpacker), limits);
  } catch (cause) {
    if (cause instanceof MemoirError || (cause instanceof Error && cause.name === 'AbortError')) throw cause;
    throw badRequest(
      `The request body is not valid ${encoding} data. Send it again, or without a content encoding.`,
      { cause },
    );
  } finally {
    // After a refusal the error handler drains the rest of the request.
    req.unpipe(unpacker);
    unpacker.on('error', () => undefined).destroy();
  }
};

export const collectBody = (req: IncomingMessage, limits: BodyLimits): Promise<Buffer> => {
  const encoding = req.headers['content-encoding']?.trim().toLowerCase() ?? 'identity';
  return encoding === 'identity' ? collect(req, req, limits) : collectUnpacked(req, encoding, limits);
};
