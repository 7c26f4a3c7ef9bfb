// What the page remembers between its two steps: whose key was pasted, signed so that nobody can write it themselves.
import { createHmac, timingSafeEqual } from 'node:crypto';

const VALID_MS = 600_000;

const sign = (key: Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();

/** Worth nothing for another request than the one it was made for. */
export function writeTicket(key: Buffer, keyId: string, request: string, now = Date.now()): string {
  const until = now + VALID_MS;
  const mark = sign(key, JSON.stringify([keyId, until, request])).toString('base64url');
  return `${keyId}.${until}.${mark}`;
}

/** The id of the key; null: it is no such ticket, or one that has ended. */
export function readTicket(key: Buffer, ticket: string, request: string, now = Date.now()): string | null {
  const [keyId = '', until = '', mark = ''] = ticket.split('.');
  const given = Buffer.from(mark, 'base64url');
  const right = sign(key, JSON.stringify([keyId, Number(until), request]));
  if (given.length !== right.length || !timingSafeEqual(given, right)) return null;
  return Number(until) > now ? keyId : null;
}
