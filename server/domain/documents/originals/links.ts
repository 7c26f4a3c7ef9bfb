// Signed links to originals. The holder of a link needs no key, for one file and one day, while the key that asked stands.

import { createHmac, timingSafeEqual } from 'node:crypto';
import type { FileRecord } from '../../../adapters/store/ports/files.ts';
import type { Principal } from '../../../core/principal.ts';
import { DAY_MS } from '../../../lib/text/dates/calendar.ts';

export interface FileLink {
  /** The document's id. */
  id: string;
  /** The id of the principal that asked for it. */
  by: string;
  expires: string;
  signature: string;
}

/** `wrong` does not reveal if there is such a document. */
export type LinkVerdict = 'good' | 'expired' | 'wrong';

export interface LinkedFile {
  id: string;
  file: FileRecord;
  by: string;
}

const SEPARATOR = '.';

/** The key that asked, and the grant of a connected program: ids, no secrets. */
export const askerOf = ({ keyId, grantId }: Pick<Principal, 'keyId' | 'grantId'>): string =>
  grantId === undefined ? keyId : `${keyId}${SEPARATOR}${grantId}`;

export const keyAndGrantOf = (by: string): { keyId: string; grantId: string | undefined } => {
  const [keyId = '', grantId] = by.split(SEPARATOR);
  return { keyId, grantId };
};

/** The file's key is part of the signature: another file in its place needs another link. */
const signatureOf = (secret: Buffer, { id, file, by }: LinkedFile, expires: string): Buffer =>
  createHmac('sha256', secret)
    .update(JSON.stringify([id, file.key, by, expires]))
    .digest();

export const linkPath = (secret: Buffer, linked: LinkedFile, now: number): string => {
  const expires = String(now + DAY_MS);
  const signature = signatureOf(secret, linked, expires).toString('base64url');
  const query = new URLSearchParams({ by: linked.by, expires, signature });
  return `/files/${encodeURIComponent(linked.id)}?${query}`;
};

export const judgeLink = (
  secret: Buffer,
  { id, by, expires, signature }: FileLink,
  file: FileRecord,
  now: number,
): LinkVerdict => {
  const given = Buffer.from(signature, 'base64url');
  const right = signatureOf(secret, { id, file, by }, expires);
  if (given.length !== right.length || !timingSafeEqual(given, right)) return 'wrong';
  return Number(expires) > now ? 'good' : 'expired';
};
