// The key that seals secrets and signs links: from the settings, or created on first use in the data folder.
import { hkdfSync, randomBytes } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SealedSecret } from '../../adapters/store/ports/secrets.ts';
import type { Config } from '../../config/config.ts';
import { unavailable } from '../../core/errors.ts';
import { type SealKey, type SealKeys, sealKey } from '../../lib/secrets/seal.ts';

const FILE = 'secret.key';
/** The former keys, one a line. */
const FORMER_FILE = 'secret.key.previous';
const SHORTEST = 32;

/** Each purpose has a derived key of its own; no key reveals another. */
type Purpose =
  | 'secrets in the settings'
  | 'secrets of connections'
  | 'links to files'
  | 'sign-in cookies'
  | 'signing keys';

/** The purpose of the key that seals a stored secret. */
export const PURPOSES: Readonly<Record<SealedSecret['of'], Purpose>> = {
  setting: 'secrets in the settings',
  connection: 'secrets of connections',
  hook: 'secrets of connections',
  farewell: 'secrets of connections',
  'signing keys': 'signing keys',
};

export type KeySettings = Pick<Config, 'dataDir' | 'secretKey' | 'previousSecretKeys'>;

const deriveKey = (text: string, purpose: Purpose): Buffer =>
  Buffer.from(hkdfSync('sha256', text, '', `memoir: ${purpose}`, 32));

const newSecretKey = (): string => randomBytes(32).toString('base64url');

const readOrCreate = (file: string): string => {
  if (!existsSync(file)) writeFileSync(file, `${newSecretKey()}\n`, { mode: 0o600, flag: 'wx' });
  return readFileSync(file, 'utf8').trim();
};

const readSecretKey = (dir: string): string => {
  const file = join(dir, FILE);
  try {
    const text = readOrCreate(file);
    if (text.length >= SHORTEST) return text;
  } catch (cause) {
    throw unavailable(
      `The key for secrets cannot be read from ${file}. Give this user read permission, or set MEMOIR_SECRET_KEY.`,
      { cause },
    );
  }
  throw unavailable(
    `The key for secrets in ${file} is shorter than ${SHORTEST} characters. Restore the file from a backup, or delete it and enter the secrets again.`,
  );
};

const formerKeysIn = (dir: string): string[] => {
  const file = join(dir, FORMER_FILE);
  return existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : [];
};

export interface SecretKeys {
  /** Reads or creates the key on first use. */
  derived(purpose: Purpose): () => Buffer;
  /** Read anew at each call: another thread may have changed the key. */
  sealing(purpose: Purpose): () => SealKeys;
  /** The keys that are there; no key is created. */
  known(purpose: Purpose): readonly SealKey[];
  /** The origin of the key, for people. */
  readonly source: string;
  /**
   * Changes the key in the data folder, and keeps the former one for reading: another thread may be sealing with it. False:
   * the settings hold the key, and a person changes it there. `isFormerUnused`: older keys open nothing any more.
   */
  change(isFormerUnused: boolean): boolean;
}

const writeWhole = (file: string, text: string): void => {
  writeFileSync(`${file}.new`, `${text}\n`, { mode: 0o600 });
  renameSync(`${file}.new`, file);
};

/** The former keys are written before the new one: a crash between them loses no key. */
const changeFile = (dir: string, isFormerUnused: boolean): void => {
  const former = isFormerUnused ? [] : formerKeysIn(dir);
  writeWhole(join(dir, FORMER_FILE), [...new Set([...former, readSecretKey(dir)])].join('\n'));
  writeWhole(join(dir, FILE), newSecretKey());
};

/** Tells two keys apart, and reveals nothing of them. Null: none was created yet. */
export const keyIdOf = (keys: SecretKeys): string | null => keys.known('signing keys')[0]?.id ?? null;

export const openSecretKeys = ({ dataDir, secretKey, previousSecretKeys }: KeySettings): SecretKeys => {
  const current = () => secretKey ?? readSecretKey(dataDir);
  const previous = () => [...previousSecretKeys, ...(secretKey === undefined ? formerKeysIn(dataDir) : [])];
  const file = join(dataDir, FILE);
  const isThere = () => secretKey !== undefined || existsSync(file);
  const keyFor = (purpose: Purpose) => (text: string) => sealKey(deriveKey(text, purpose));
  return {
    source: secretKey === undefined ? file : 'MEMOIR_SECRET_KEY',
    derived(purpose) {
      let key: Buffer | null = null;
      return () => {
        key ??= deriveKey(current(), purpose);
        return key;
      };
    },
    sealing: (purpose) => () => ({
      current: keyFor(purpose)(current()),
      previous: previous().map(keyFor(purpose)),
    }),
    known: (purpose) => [...(isThere() ? [current()] : []), ...previous()].map(keyFor(purpose)),
    change(isFormerUnused) {
      if (secretKey === undefined) changeFile(dataDir, isFormerUnused);
      return secretKey === undefined;
    },
  };
};
