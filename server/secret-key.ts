// The key that secrets are sealed and links are signed with: given in the settings, or kept in the data folder and made on first use.
import { hkdfSync, randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { unavailable } from './errors.ts';

const FILE = 'secret.key';

/** Each purpose has a key of its own, of which nothing is learned from another. */
export type Purpose = 'secrets in the settings' | 'links to files' | 'sign-in cookies' | 'connect page';

const keyOf = (text: string, purpose: Purpose): Buffer =>
  Buffer.from(hkdfSync('sha256', text, '', `memoir: ${purpose}`, 32));

const keptIn = (file: string): string => {
  if (!existsSync(file))
    writeFileSync(file, `${randomBytes(32).toString('base64url')}\n`, { mode: 0o600, flag: 'wx' });
  return readFileSync(file, 'utf8').trim();
};

const read = (dir: string): string => {
  const file = join(dir, FILE);
  try {
    const text = keptIn(file);
    if (text.length >= 32) return text;
  } catch (cause) {
    throw unavailable(
      `The key for secrets cannot be read from ${file}. Let this user read it, or set MEMOIR_SECRET_KEY.`,
      { cause },
    );
  }
  throw unavailable(
    `The key for secrets in ${file} is shorter than 32 characters. Restore the file from a backup, or remove it and give the secrets again.`,
  );
};

/** Read when it is first asked for. */
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
    key ??= keyOf(given ?? read(dir), purpose);
    return key;
  };
};
