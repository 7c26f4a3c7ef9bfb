// Recognises a key: by its hash, and at once when it was seen lately.
import type { KeyRecord, KeyStore } from '../../adapters/store/key-port.ts';
import { type MemoirError, unauthorized } from '../../errors.ts';
import type { KeyCache } from './cache.ts';
import { hashKey, isKey } from './keys.ts';
import type { Limits } from './limits.ts';

const HOW = 'Send one as "Authorization: Bearer <key>" or as "x-api-key: <key>".';

export interface AuthenticateDeps {
  keys: Pick<KeyStore, 'byHash'>;
  cache: KeyCache;
  limits: Limits;
  now: () => number;
}

const refuse = (sentence: string): MemoirError =>
  unauthorized(sentence, { headers: { 'www-authenticate': 'Bearer' } });

const unknownKey = (): MemoirError => refuse(`This API key is not valid here. ${HOW}`);

/** Only the owner of the right key hears that it is disabled or expired. */
function checkUsable(record: KeyRecord, now: number): KeyRecord {
  if (!record.enabled) throw refuse(`This API key is disabled. Enable it or use another one. ${HOW}`);
  if (record.expiresAt !== null && record.expiresAt <= now) {
    const when = new Date(record.expiresAt).toISOString();
    throw refuse(`This API key expired at ${when}. Create a new one. ${HOW}`);
  }
  return record;
}

export function createAuthenticate({ keys, cache, limits, now }: AuthenticateDeps) {
  async function lookUp(hash: string, address: string): Promise<KeyRecord> {
    // Keys seen lately are looked up whatever else their address does: behind a proxy, one caller
    // who guesses must not lock out the others.
    if (!cache.knows(hash)) await limits.checkFailures(address);
    const record = await cache.load(hash, keys.byHash);
    if (record !== null) return record;
    await limits.failure(address);
    throw unknownKey();
  }

  return async (credential: string | null, address: string): Promise<KeyRecord> => {
    if (credential === null || credential === '') throw refuse(`An API key is needed. ${HOW}`);
    const hash = hashKey(credential);
    const record = cache.fresh(hash);
    if (record !== undefined) return checkUsable(record, now());
    if (!isKey(credential)) {
      await limits.failure(address);
      throw unknownKey();
    }
    return checkUsable(await lookUp(hash, address), now());
  };
}
