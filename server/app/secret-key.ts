// The key that seals secrets and signs links: from the settings, or created on first use in the data folder.
import { hkdfSync, randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { unavailable } from '../core/errors.ts';

const FILE = 'secret.key';

/** Each purpose has a derived key of its own; no key reveals another. */
type Purpose = 'secrets in the settings' | 'links to files' | 'sign-in cookies';

const keyOf = (text: string, purpose: Purpose): Buffer =>
  Buffer.from(hkdfSync('sha256', text, '', `memoir: ${purpose}`, 32));

const readOrCreate = (file: string): string => {
  if (!existsSync(file))
    writeFileSync(file, `${randomBytes(32).toString('base64url')}\n`, { mode: 0o600, flag: 'wx' });
  return readFileSync(file, 'utf8').trim();
};

const readSecretKey = (dir: string): string => {
  const file = join(dir, FILE);
  try {
    const text = readOrCreate(file);
    if (text.length >= 32) return text;
  } catch (cause) {
    throw unavailable(
      `The key for secrets cannot be read from ${file}. Give this user read permission, or set MEMOIR_SECRET_KEY.`,
      { cause },
    );
  }
  throw unavailable(
    `The key for secrets in ${file} is shorter than 32 characters. Restore the file from a backup, or delete it and enter the secrets again.`,
  );
};

/** Reads or creates the key on first use. */
export const openSecretKey = ({
  given,
  dir,
  purpose,
}: {
  given: string | undefined;
  dir: string;
  purpose: Purpose;
}): (() => Buffer) => {
  let key: Buffer | null = null;
  return () => {
    key ??= keyOf(given ?? readSecretKey(dir), purpose);
    return key;
  };
};
