// Recognises a key or an access token by its hash, with a cache of recent ones.

import type { KeyStore } from '../../adapters/store/ports/keys.ts';
import { type MemoirError, unauthorized } from '../../core/errors.ts';
import { isoTime } from '../../lib/text/dates/format.ts';
import { isToken, type RecognisedKey } from './access-tokens.ts';
import type { KeyCache } from './keys/key-cache.ts';
import { makersStand, ownerStands } from './keys/key-makers.ts';
import { hashKey, isKey } from './keys/key-text.ts';
import type { Limits } from './rate-limits.ts';

const HOW = 'Send one as "Authorization: Bearer <key>" or as "x-api-key: <key>".';

export interface AuthenticateDeps {
  keys: Pick<KeyStore, 'byHash'>;
  /** The permissions of the access token with this hash. */
  tokenByHash(hash: string): Promise<RecognisedKey | null>;
  cache: KeyCache;
  limits: Limits;
  now: () => number;
}

const rejectCredential = (sentence: string): MemoirError =>
  unauthorized(sentence, { headers: { 'www-authenticate': 'Bearer' } });

const unknownKey = (): MemoirError => rejectCredential(`This API key is not valid here. ${HOW}`);

const unknownToken = (): MemoirError =>
  rejectCredential(
    'This access token is not valid here: it expired or was revoked. Connect again, or send an API key.',
  );

const checkTokenUsable = (record: RecognisedKey, now: number): RecognisedKey => {
  if (!ownerStands(record))
    throw rejectCredential(
      'The member behind this access token was removed. Connect again with another key.',
    );
  if (!record.enabled)
    throw rejectCredential('The key behind this access token is disabled. Connect again with another.');
  if (record.expiresAt !== null && record.expiresAt <= now)
    throw rejectCredential('This access token has expired. Refresh it, or connect again.');
  if (!makersStand(record, now))
    throw rejectCredential(
      'The key behind this access token ended with the key that made it. Connect again with another.',
    );
  return record;
};

/** Only the holder of the right key learns that it is disabled or expired. */
const checkUsable = (record: RecognisedKey, now: number): RecognisedKey => {
  if (record.grantId !== undefined) return checkTokenUsable(record, now);
  // First, because the key was disabled with its member, and to enable it would change nothing.
  if (!ownerStands(record))
    throw rejectCredential(
      `This API key ended with its member, who was removed. Use a key of another member, or of the organisation. ${HOW}`,
    );
  if (!record.enabled)
    throw rejectCredential(`This API key is disabled. Enable it or use another one. ${HOW}`);
  if (record.expiresAt !== null && record.expiresAt <= now) {
    const when = isoTime(record.expiresAt);
    throw rejectCredential(`This API key expired at ${when}. Create a new one. ${HOW}`);
  }
  if (!makersStand(record, now))
    throw rejectCredential(
      `This API key ended with the key that made it, which is disabled or has expired. Use another one. ${HOW}`,
    );
  return record;
};

export const createAuthenticate = ({ keys, tokenByHash, cache, limits, now }: AuthenticateDeps) => {
  type ByHash = (hash: string) => Promise<RecognisedKey | null>;

  async function lookUp(hash: string, address: string, read: ByHash): Promise<RecognisedKey> {
    // Keys seen lately are looked up even if their address is blocked: behind a proxy, one caller
    // that guesses keys must not lock out the others.
    if (!cache.knows(hash)) await limits.checkFailures(address);
    const record = await cache.load(hash, read);
    if (record !== null) return record;
    await limits.failure(address);
    throw read === tokenByHash ? unknownToken() : unknownKey();
  }

  return async (credential: string | null, address: string): Promise<RecognisedKey> => {
    if (credential === null || credential === '') throw rejectCredential(`An API key is needed. ${HOW}`);
    const hash = hashKey(credential);
    const record = cache.fresh(hash);
    if (record !== undefined) return checkUsable(record, now());
    if (isKey(credential)) return checkUsable(await lookUp(hash, address, keys.byHash), now());
    if (isToken(credential)) return checkUsable(await lookUp(hash, address, tokenByHash), now());
    await limits.failure(address);
    throw unknownKey();
  };
};
