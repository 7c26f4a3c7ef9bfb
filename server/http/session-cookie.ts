// The cookie of a session: where it counts, and how it is set. The key that signed in is never stored in the browser.
import type { Request, Response } from 'express';
import { publicAddress } from './allowed-hosts.ts';
import { keyFromHeaders } from './request.ts';

const DAYS_S = 7 * 86_400;
const NAME = /^[\w-]{43}$/;

/** Cookies are not kept apart by port, so the name has it. A `__Host-` cookie needs https. */
const cookieName = (address: string): string => {
  const { protocol, port } = new URL(address);
  return protocol === 'https:' ? '__Host-memoir' : `memoir_session_${port === '' ? '80' : port}`;
};

const cookieValue = (header: string | undefined, name: string): string | null => {
  for (const part of (header ?? '').split(';')) {
    const at = part.indexOf('=');
    if (at > 0 && part.slice(0, at).trim() === name) return part.slice(at + 1).trim();
  }
  return null;
};

/** The cookie of the browser, whoever made it send the request; null: it has none. */
export const sessionCookie = (req: Request, base: string): string | null => {
  const value = cookieValue(req.headers.cookie, cookieName(publicAddress(req, base)));
  return value !== null && NAME.test(value) ? value : null;
};

const isOwnOrigin = (req: Request, base: string): boolean =>
  req.headers.origin === new URL(publicAddress(req, base)).origin;

/**
 * True if a page of this server made the browser send the request. Browsers say so to https and loopback addresses alone;
 * elsewhere a script adds a header, which a page of another origin cannot do without asking first.
 */
export const isFromOwnPage = (req: Request, base: string): boolean => {
  const site = req.headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin';
  const reads = req.method === 'GET' || req.method === 'HEAD';
  return req.headers['x-memoir-console'] === '1' && (reads || isOwnOrigin(req, base));
};

/** The session of a call of an operation. A key in the headers is judged alone, and the cookie counts for own pages only. */
export const sessionOfCall = (req: Request, base: string): string | null =>
  keyFromHeaders(req.headers) === null && isFromOwnPage(req, base) ? sessionCookie(req, base) : null;

/**
 * True if a form of a page without script may have been posted from here. No other site gets the Strict cookie sent along;
 * this stops a foreign page from signing somebody in.
 */
export const isOwnForm = (req: Request, base: string): boolean => {
  const site = req.headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin';
  const { origin } = req.headers;
  return origin === undefined || origin === 'null' || isOwnOrigin(req, base);
};

const attributes = (address: string): string =>
  `Path=/; HttpOnly; SameSite=Strict${address.startsWith('https:') ? '; Secure' : ''}`;

export const setSession = (req: Request, res: Response, base: string, value: string): void => {
  const address = publicAddress(req, base);
  res.setHeader('set-cookie', `${cookieName(address)}=${value}; Max-Age=${DAYS_S}; ${attributes(address)}`);
};

export const dropSession = (req: Request, res: Response, base: string): void => {
  const address = publicAddress(req, base);
  res.setHeader('set-cookie', `${cookieName(address)}=; Max-Age=0; ${attributes(address)}`);
  res.setHeader('clear-site-data', '"cache", "storage"');
};
