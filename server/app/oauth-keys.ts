// The keys of the authorization server. Signing keys are created on first use and stored in the data folder.
import { generateKeyPairSync, type JsonWebKey, randomUUID } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { unavailable } from '../core/errors.ts';
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

export const openOauthKeys = (dataDir: string, secretKeys: SecretKeys) => ({
  signingKeys: openSigningKeys(dataDir),
  cookieKey: secretKeys.derived('sign-in cookies'),
});
