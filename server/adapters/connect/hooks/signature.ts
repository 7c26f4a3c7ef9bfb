// Signatures of webhooks: an HMAC-SHA256 of the raw body, in hexadecimal after `sha256=`.
import { timingSafeEqual } from 'node:crypto';
import type { HookDelivery } from '../port.ts';

export const sameSecret = (given: string, expected: string): boolean => {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
};

export const isSignedDelivery = (
  { secret, hmac }: Pick<HookDelivery, 'secret' | 'hmac'>,
  signature: string | undefined,
): boolean => signature !== undefined && secret !== '' && sameSecret(signature, `sha256=${hmac}`);
