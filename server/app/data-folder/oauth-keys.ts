// The keys of the authorization server. Signing keys are created on first use and stored in the data folder.
import { generateKeyPairSync, type JsonWebKey, randomUUID } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SigningKeyStore } from '../../adapters/store/ports/organisation.ts';
import { unavailable } from '../../core/errors.ts';
import { SIGNING_KEYS as PLACE } from '../../domain/settings/stored-secrets.ts';
import { isSealedElsewhere, seal, unseal } from '../../lib/secrets/seal.ts';
import type { SecretKeys } from './secret-key.ts';

const FILE = 'oauth-keys.json';

export interface SigningKeys {
  keys: JsonWebKey[];
}

const generateSigningKeys = (): SigningKeys => {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return { keys: [{ ...privateKey.export({ format: 'jwk' }), kid: randomUUID(), use: 'sig', alg: 'RS256' }] };
};

/** Reads or creates the keys on first use. */
export const openSigningKeys = (dir: string): (() => SigningKeys) => {
  const file = join(dir, FILE);
  let cached: SigningKeys | null = null;
  return () => {
    if (cached !== null) return cached;
    try {
      if (!existsSync(file))
        writeFileSync(file, JSON.stringify(generateSigningKeys()), { mode: 0o600, flag: 'wx' });
      cached = JSON.parse(readFileSync(file, 'utf8')) as SigningKeys;
      return cached;
    } catch (cause) {
      throw unavailable(
        `The signing keys cannot be read from ${file}. Give this user read permission, or delete the file: new keys are created, and programs stay connected.`,
        { cause },
      );
    }
  };
};

/** In the database, sealed: several processes sign for the same connect page. */
const openSharedSigningKeys = async (
  store: SigningKeyStore,
  secretKeys: SecretKeys,
): Promise<() => SigningKeys> => {
  const keys = secretKeys.sealing(PLACE)();
  const stored = await store.read();
  const known = stored === null ? null : unseal(keys, PLACE, stored);
  // Programs stay connected when the keys are new.
  const fresh = async (): Promise<string | null> =>
    unseal(
      keys,
      PLACE,
      await store.replace(stored, seal(keys, PLACE, JSON.stringify(generateSigningKeys()))),
    );
  const isElsewhere = stored !== null && isSealedElsewhere(secretKeys.known(PLACE), PLACE, stored);
  const opened = known ?? (isElsewhere ? null : await fresh());
  if (opened === null)
    throw unavailable(
      'Another process has sealed the signing keys in the database with another MEMOIR_SECRET_KEY. Give all processes the same one.',
    );
  const signingKeys = JSON.parse(opened) as SigningKeys;
  return () => signingKeys;
};

export const openOauthKeys = async (
  { dataDir, shared }: { dataDir: string; shared: SigningKeyStore | null },
  secretKeys: SecretKeys,
) => ({
  signingKeys: shared === null ? openSigningKeys(dataDir) : await openSharedSigningKeys(shared, secretKeys),
  cookieKey: secretKeys.derived('sign-in cookies'),
});
