// Signatures of webhooks: an HMAC-SHA256 of the raw body, in hexadecimal after `sha256=`.
import { createHmac, timingSafeEqual } from 'node:crypto';

export const sameSecret = (given: string, expected: string): boolean => {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
};

export const isSignedBody = (body: Buffer, secret: string, signature: string | undefined): boolean =>
  signature !== undefined &&
  secret !== '' &&
  sameSecret(signature, `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`);
