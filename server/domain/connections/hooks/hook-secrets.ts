// Tokens and secrets of webhooks. The token is in the address alone: what is stored is its hash.
import { randomBytes } from 'node:crypto';
import { sha256 } from '../../../lib/hash.ts';
import type { ConnectionSources } from '../sources.ts';

const SECRET_BYTES = 32;

const TOKEN = /^[\w-]{43}$/;

export const newHookSecret = (): string => randomBytes(SECRET_BYTES).toString('base64url');

/** Null: no token has this form. */
export const hashOfHookToken = (token: string): string | null => (TOKEN.test(token) ? sha256(token) : null);

/** The place that its secret is sealed for. */
const hookPlace = (tokenHash: string): string => `hook ${tokenHash}`;

/** An empty secret: the source has not told it yet. */
export const sealHookSecret = (
  sources: Pick<ConnectionSources, 'seal'>,
  tokenHash: string,
  secret: string,
): string => sources.seal(hookPlace(tokenHash), { secret });

export const openHookSecret = (
  sources: Pick<ConnectionSources, 'unseal'>,
  { tokenHash, sealed }: { tokenHash: string; sealed: string },
): string => sources.unseal(hookPlace(tokenHash), sealed).secret ?? '';
