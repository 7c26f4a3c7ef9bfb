// Digests: a cryptographic one for comparing content, and a fast one.
import { hash } from 'node:crypto';

/** SHA-256 of the UTF-8 text, in hexadecimal. */
export const sha256 = (text: string): string => hash('sha256', text);

/** FNV-1a over UTF-16 units with a final mix: 32 bits, unsigned, the same on every machine. Not for secrets. */
export const hash32 = (text: string, from = 0, to = text.length): number => {
  let hash = 2166136261;
  for (let at = from; at < to; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 16777619);
  hash ^= hash >>> 15;
  hash = Math.imul(hash, 2246822507);
  hash ^= hash >>> 13;
  return hash >>> 0;
};
