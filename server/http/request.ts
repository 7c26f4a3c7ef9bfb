// Facts about a request: its id, its key and the client's address.
import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { Request, RequestHandler, Response } from 'express';

/** Every answer has a request id, so that a problem report can be matched with the log. */
export const assignRequestId: RequestHandler = (_req, res, next) => {
  const id = randomUUID();
  res.locals.requestId = id;
  res.setHeader('x-request-id', id);
  next();
};

export const requestIdOf = (res: Response): string => String(res.locals.requestId);

const BEARER = /^Bearer +(\S+) *$/i;

/** Prefers `Authorization: Bearer`; another scheme in that header, for example from a proxy, is ignored. */
export const keyFromHeaders = (headers: IncomingHttpHeaders): string | null => {
  const bearer = headers.authorization === undefined ? null : BEARER.exec(headers.authorization);
  const key = bearer?.[1] ?? headers['x-api-key'];
  return typeof key === 'string' && key.trim() !== '' ? key.trim() : null;
};

/**
 * The address that a trusted proxy names; without one, `req.ip` is the address of the connection. It is read only where
 * the header is present, because Express then parses the whole list of proxies.
 */
export const clientAddress = (req: Request): string =>
  (req.headers['x-forwarded-for'] === undefined ? req.socket.remoteAddress : req.ip) ?? 'unknown';
