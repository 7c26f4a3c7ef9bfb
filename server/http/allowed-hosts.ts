// The host names that this server accepts, and its public address.
import type { Request, RequestHandler } from 'express';
import { badRequest, MemoirError } from '../core/errors.ts';
import { LOOPBACK } from '../lib/own-address.ts';

/** A name or an address, and a port. Links are built from it, so nothing else may be in it. */
const HOST = /^([a-z\d._-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i;

const hostnameOf = ({ headers }: Request): string | null =>
  HOST.exec(headers.host ?? '')?.[1]?.toLowerCase() ?? null;

/** Refuses what is no host, as in `user@host` and `host/path`. HTTP/1.0 requests may have none. */
export const requireHostForm: RequestHandler = ({ headers: { host }, httpVersion }, _res, next) => {
  if (host === undefined && httpVersion !== '1.0') throw badRequest('The header Host is missing.');
  if (host === undefined || HOST.test(host)) return next();
  throw badRequest(
    `The header Host is ${JSON.stringify(host)}. It must be a name or an address, with a port if needed, as in 127.0.0.1:6767.`,
  );
};

/**
 * Protects against DNS rebinding: a page of another site can let its host name point to this machine, and then
 * sends that name as the host. Such requests are refused before the key is checked. Any origin may call.
 */
export const checkHost = (req: Request, allowed: ReadonlySet<string>): void => {
  const name = hostnameOf(req);
  if (name !== null && allowed.has(name)) return;
  throw new MemoirError(
    403,
    `This server does not accept the host name ${JSON.stringify(req.headers.host ?? '')}. Use the address in MEMOIR_BASE_URL, or set MEMOIR_BASE_URL to the address that clients use.`,
  );
};

export const allowedHosts = (base: string): ReadonlySet<string> => {
  const own = URL.parse(base)?.hostname;
  return new Set([...LOOPBACK, ...(own === undefined ? [] : [own])]);
};

/** `base` if it is known; otherwise the host of the request. Express reads the protocol that a trusted proxy names. */
export const publicAddress = (req: Request, base: string): string => {
  if (base !== '') return base;
  const protocol = req.protocol === 'https' ? 'https' : 'http';
  return `${protocol}://${req.headers.host?.toLowerCase()}`;
};
