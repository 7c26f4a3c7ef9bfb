// The keys of the authorization server: those it signs with are made on first use and kept in the data folder.
import { generateKeyPairSync, type JsonWebKey, randomUUID } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from './config.ts';
import { unavailable } from './errors.ts';
import { openSecretKey, type Purpose } from './secret-key.ts';

const FILE = 'oauth-keys.json';

export interface SigningKeys {
  keys: JsonWebKey[];
}

const make = (): SigningKeys => {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return { keys: [{ ...privateKey.export({ format: 'jwk' }), kid: randomUUID(), use: 'sig', alg: 'RS256' }] };
};

/** Read when they are first asked for. */
export const openSigningKeys = (dir: string): (() => SigningKeys) => {
  const file = join(dir, FILE);
  let kept: SigningKeys | null = null;
  return () => {
    if (kept !== null) return kept;
    try {
      if (!existsSync(file)) writeFileSync(file, JSON.stringify(make()), { mode: 0o600, flag: 'wx' });
      kept = JSON.parse(readFileSync(file, 'utf8')) as SigningKeys;
      return kept;
    } catch (cause) {
      throw unavailable(
        `The signing keys cannot be read from ${file}. Let this user read it, or remove it: programs then stay connected.`,
        { cause },
      );
    }
  };
};

export const openOauthKeys = ({ dataDir, secretKey }: Pick<Config, 'dataDir' | 'secretKey'>) => {
  const keyFor = (purpose: Purpose) => openSecretKey({ given: secretKey, dir: dataDir, purpose });
  return {
    signingKeys: openSigningKeys(dataDir),
    cookieKey: keyFor('sign-in cookies'),
    ticketKey: keyFor('connect page'),
  };
};
