// Signed links to originals. The holder of a link needs no key, for one file and one day.

import { createHmac, timingSafeEqual } from 'node:crypto';
import type { FileRecord } from '../../../adapters/store/ports/files.ts';
import { DAY_MS } from '../../../lib/text/dates/calendar.ts';

export interface FileLink {
  /** The document's id. */
  id: string;
  expires: string;
  signature: string;
}

/** `wrong` does not reveal if there is such a document. */
export type LinkVerdict = 'good' | 'expired' | 'wrong';

/** The file's key is part of the signature: another file in its place needs another link. */
const signed = (secret: Buffer, id: string, key: string, expires: string): Buffer =>
  createHmac('sha256', secret)
    .update(JSON.stringify([id, key, expires]))
    .digest();

export const linkPath = (secret: Buffer, id: string, { key }: FileRecord, now: number): string => {
  const expires = String(now + DAY_MS);
  const signature = signed(secret, id, key, expires).toString('base64url');
  return `/files/${encodeURIComponent(id)}?${new URLSearchParams({ expires, signature })}`;
};

export const judgeLink = (
  secret: Buffer,
  { id, expires, signature }: FileLink,
  { key }: FileRecord,
  now: number,
): LinkVerdict => {
  const given = Buffer.from(signature, 'base64url');
  const right = signed(secret, id, key, expires);
  if (given.length !== right.length || !timingSafeEqual(given, right)) return 'wrong';
  return Number(expires) > now ? 'good' : 'expired';
};
