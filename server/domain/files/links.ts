// Links to originals that prove themselves: who holds one needs no key, for one file, for a day.
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { FileRecord } from '../../adapters/store/file-port.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

export interface LinkParts {
  /** Of the document. */
  id: string;
  expires: string;
  signature: string;
}

/** `wrong`: nothing is said about whether there is such a document. */
export type Verdict = 'good' | 'expired' | 'wrong';

/** The key of the file is signed along: another file in its place needs another link. */
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
  { id, expires, signature }: LinkParts,
  { key }: FileRecord,
  now: number,
): Verdict => {
  const given = Buffer.from(signature, 'base64url');
  const right = signed(secret, id, key, expires);
  if (given.length !== right.length || !timingSafeEqual(given, right)) return 'wrong';
  return Number(expires) > now ? 'good' : 'expired';
};
