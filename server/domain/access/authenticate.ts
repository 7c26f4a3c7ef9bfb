// Recognises a key or an access token: by its hash, and at once when it was seen lately.
import type { KeyStore } from '../../adapters/store/key-port.ts';
import { type MemoirError, unauthorized } from '../../errors.ts';
import type { KeyCache } from './cache.ts';
import { hashKey, isKey } from './keys.ts';
import type { Limits } from './limits.ts';
import { isToken, type Recognised } from './tokens.ts';

const HOW = 'Send one as "Authorization: Bearer <key>" or as "x-api-key: <key>".';

export interface AuthenticateDeps {
  keys: Pick<KeyStore, 'byHash'>;
  /** What the access token with this hash may do. */
  tokenByHash(hash: string): Promise<Recognised | null>;
  cache: KeyCache;
  limits: Limits;
  now: () => number;
}

const refuse = (sentence: string): MemoirError =>
  unauthorized(sentence, { headers: { 'www-authenticate': 'Bearer' } });

const unknownKey = (): MemoirError => refuse(`This API key is not valid here. ${HOW}`);

const unknownToken = (): MemoirError =>
  refuse('This access token is not valid here: it ended or was revoked. Connect again, or send an API key.');

function checkTokenUsable(record: Recognised, now: number): Recognised {
  if (!record.enabled)
    throw refuse('The key behind this access token is disabled. Connect again with another.');
  if (record.expiresAt !== null && record.expiresAt <= now)
    throw refuse('This access token has expired. Refresh it, or connect again.');
  return record;
}

/** Only the owner of the right key hears that it is disabled or expired. */
function checkUsable(record: Recognised, now: number): Recognised {
  if (record.grantId !== undefined) return checkTokenUsable(record, now);
  if (!record.enabled) throw refuse(`This API key is disabled. Enable it or use another one. ${HOW}`);
  if (record.expiresAt !== null && record.expiresAt <= now) {
    const when = new Date(record.expiresAt).toISOString();
    throw refuse(`This API key expired at ${when}. Create a new one. ${HOW}`);
  }
  return record;
}

export function createAuthenticate({ keys, tokenByHash, cache, limits, now }: AuthenticateDeps) {
  type ByHash = (hash: string) => Promise<Recognised | null>;

  async function lookUp(hash: string, address: string, read: ByHash): Promise<Recognised> {
    // Keys seen lately are looked up whatever else their address does: behind a proxy, one caller
    // who guesses must not lock out the others.
    if (!cache.knows(hash)) await limits.checkFailures(address);
    const record = await cache.load(hash, read);
    if (record !== null) return record;
    await limits.failure(address);
    throw read === tokenByHash ? unknownToken() : unknownKey();
  }

  return async (credential: string | null, address: string): Promise<Recognised> => {
    if (credential === null || credential === '') throw refuse(`An API key is needed. ${HOW}`);
    const hash = hashKey(credential);
    const record = cache.fresh(hash);
    if (record !== undefined) return checkUsable(record, now());
    if (isKey(credential)) return checkUsable(await lookUp(hash, address, keys.byHash), now());
    if (isToken(credential)) return checkUsable(await lookUp(hash, address, tokenByHash), now());
    await limits.failure(address);
    throw unknownKey();
  };
}
