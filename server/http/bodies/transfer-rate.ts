// The minimum transfer rate: a body that hardly arrives is ended, so that nobody holds memory and connections with it.
import type { Request, RequestHandler, Response } from 'express';
import { MemoirError } from '../../core/errors.ts';
import { sendError } from '../errors.ts';
import { hasBody } from './has-body.ts';

export interface TransferRate {
  /** The number of bytes that must arrive in each window. */
  readonly bytes: number;
  readonly windowMs: number;
}

/** Slower than any connection over which a person would wait for the rest. */
const MIN_TRANSFER_RATE: TransferRate = { bytes: 10 * 1024, windowMs: 10_000 };

/** Windows are measured in steps, so that one timer serves all bodies. */
const STEPS = 10;

/** A body that is still arriving, and the beginning of its window. */
interface Transfer {
  readonly req: Request;
  readonly res: Response;
  since: number;
  bytesRead: number;
}

const tooSlow = ({ bytes, windowMs }: TransferRate): MemoirError =>
  new MemoirError(
    408,
    `The request body arrived too slowly: less than ${bytes.toLocaleString('en')} bytes in ${windowMs / 1000} seconds. Send it again over a faster connection, or in smaller parts.`,
    // The rest of the body may never come, so the connection cannot be used again.
    { headers: { connection: 'close' } },
  );

const restart = (transfer: Transfer, now: number): void => {
  transfer.since = now;
  transfer.bytesRead = transfer.req.socket.bytesRead;
};

/** Bytes that wait in the request are for the server to take, so the client is not slow. */
const isSlow = ({ req, since, bytesRead }: Transfer, now: number, rate: TransferRate): boolean | null => {
  if (req.readableLength > 0) return false;
  if (now - since < rate.windowMs) return null;
  return req.socket.bytesRead - bytesRead < rate.bytes;
};

const endTransfer = ({ req, res }: Transfer, rate: TransferRate): void => {
  if (res.headersSent) req.destroy();
  else sendError(res, tooSlow(rate));
};

export const endSlowBodies = (rate: TransferRate = MIN_TRANSFER_RATE): RequestHandler => {
  const arriving = new Set<Transfer>();
  let timer: NodeJS.Timeout | undefined;

  const check = (transfer: Transfer, now: number) => {
    const slow = transfer.req.complete ? false : isSlow(transfer, now, rate);
    if (slow === false) restart(transfer, now);
    if (slow !== true) return;
    arriving.delete(transfer);
    endTransfer(transfer, rate);
  };

  const look = () => {
    const now = performance.now();
    for (const transfer of arriving) check(transfer, now);
    if (arriving.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };

  return (req, res, next) => {
    if (hasBody(req)) {
      const transfer: Transfer = { req, res, since: performance.now(), bytesRead: req.socket.bytesRead };
      arriving.add(transfer);
      req.once('close', () => arriving.delete(transfer));
      timer ??= setInterval(look, rate.windowMs / STEPS).unref();
    }
    next();
  };
};
