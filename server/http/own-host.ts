// By which names this server may be called, and the address that a caller knows it by.
import type { Request } from 'express';
import { MemoirError } from '../errors.ts';
import { LOOPBACK } from '../lib/own-address.ts';

const hostnameOf = ({ headers }: Request): string | null =>
  headers.host === undefined ? null : (URL.parse(`http://${headers.host}`)?.hostname ?? null);

/**
 * A page of another site that has its name point to this machine sends that name as the host. It has no
 * key, but it is turned away before one is looked for. Any origin may call: only the key counts.
 */
export function checkHost(req: Request, allowed: ReadonlySet<string>): void {
  const name = hostnameOf(req);
  if (name !== null && allowed.has(name)) return;
  throw new MemoirError(
    403,
    `This server is not known as ${JSON.stringify(req.headers.host ?? '')}. Use the address in MEMOIR_BASE_URL, or set it to the one that clients use.`,
  );
}

export const allowedHosts = (base: string): ReadonlySet<string> => {
  const own = URL.parse(base)?.hostname;
  return new Set([...LOOPBACK, ...(own === undefined ? [] : [own])]);
};

/** `base` where it is known; otherwise as the caller wrote it. */
export const addressAsked = (req: Request, base: string): string =>
  base === '' ? `${req.protocol}://${req.headers.host}` : base;
