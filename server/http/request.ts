// What every answer needs to know about its request: an id, where it came from, and whether it is still wanted.
import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { Request, RequestHandler, Response } from 'express';

/** Every answer names its request, so that a caller's report can be found in the log. */
export const nameRequest: RequestHandler = (_req, res, next) => {
  const id = randomUUID();
  res.locals.requestId = id;
  res.setHeader('x-request-id', id);
  next();
};

export const requestIdOf = (res: Response): string => String(res.locals.requestId);

const BEARER = /^Bearer +(\S+) *$/i;

/** `Authorization: Bearer` counts first; a proxy's own scheme there does not hide an `x-api-key`. */
export function credentialOf(headers: IncomingHttpHeaders): string | null {
  const bearer = headers.authorization === undefined ? null : BEARER.exec(headers.authorization);
  const key = bearer?.[1] ?? headers['x-api-key'];
  return typeof key === 'string' && key.trim() !== '' ? key.trim() : null;
}

/** Reading `req.ip` walks the proxies, so only when there is one. */
export const addressOf = (req: Request): string =>
  (req.headers['x-forwarded-for'] === undefined ? req.socket.remoteAddress : req.ip) ?? 'unknown';

/** Aborted when the client goes away before it has its answer. */
export function wantedSignal(res: Response): AbortSignal {
  const controller = new AbortController();
  res.once('close', () => {
    if (!res.writableFinished) controller.abort();
  });
  return controller.signal;
}
