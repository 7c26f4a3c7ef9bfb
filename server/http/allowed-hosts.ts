// The host names that this server accepts, and its public address.
import type { Request } from 'express';
import { MemoirError } from '../core/errors.ts';
import { LOOPBACK } from '../lib/own-address.ts';

const hostnameOf = ({ headers }: Request): string | null =>
  headers.host === undefined ? null : (URL.parse(`http://${headers.host}`)?.hostname ?? null);

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

/** `base` if it is known; otherwise the host name of the request. */
export const publicAddress = (req: Request, base: string): string =>
  base === '' ? `${req.protocol}://${req.headers.host}` : base;
