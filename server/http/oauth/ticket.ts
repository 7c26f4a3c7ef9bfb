// The signed ticket that carries the id of the pasted key from the first to the second step of the connect page.
import { createHmac, timingSafeEqual } from 'node:crypto';

const VALID_MS = 600_000;

const sign = (key: Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();

/** The ticket is valid only for the request that it was made for. */
export const writeTicket = (key: Buffer, keyId: string, request: string, now = Date.now()): string => {
  const until = now + VALID_MS;
  const mark = sign(key, JSON.stringify([keyId, until, request])).toString('base64url');
  return `${keyId}.${until}.${mark}`;
};

/** Returns the id of the key; null if the ticket is invalid or expired. */
export const readTicket = (key: Buffer, ticket: string, request: string, now = Date.now()): string | null => {
  const [keyId = '', until = '', mark = ''] = ticket.split('.');
  const actual = Buffer.from(mark, 'base64url');
  const expected = sign(key, JSON.stringify([keyId, Number(until), request]));
  if (actual.length !== expected.length || !timingSafeEqual(actual, expected)) return null;
  return Number(until) > now ? keyId : null;
};
