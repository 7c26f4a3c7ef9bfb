// Secrets at rest: AES-256-GCM, bound to the name of the setting so that one cannot stand in for another.
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { unavailable } from '../../core/errors.ts';

const ALGORITHM = 'aes-256-gcm';
const VERSION = 'v1';
const MASK = '••••';
/** The last characters of a shorter secret would reveal too much of it. */
const SHORTEST_WITH_END = 12;

export const seal = (key: Buffer, name: string, secret: string): string => {
  const nonce = randomBytes(12);
  const cipher = createCipheriv(ALGORITHM, key, nonce).setAAD(Buffer.from(name));
  const sealed = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
  return [VERSION, ...[nonce, cipher.getAuthTag(), sealed].map((part) => part.toString('base64url'))].join(
    '.',
  );
};

export const unseal = (key: Buffer, name: string, text: string): string => {
  try {
    const [version, ...parts] = text.split('.');
    const [nonce, tag, sealed] = parts.map((part) => Buffer.from(part, 'base64url'));
    if (version !== VERSION || !nonce || !tag || !sealed)
      throw new Error('The value is not a sealed secret.');
    const decipher = createDecipheriv(ALGORITHM, key, nonce).setAAD(Buffer.from(name)).setAuthTag(tag);
    return Buffer.concat([decipher.update(sealed), decipher.final()]).toString('utf8');
  } catch (cause) {
    throw unavailable(
      `The secret ${name} was sealed with another key. Restore secret.key or MEMOIR_SECRET_KEY, or set ${name} again.`,
      { cause },
    );
  }
};

/** The masked form: enough to recognise the secret. */
export const mask = (secret: string): string =>
  secret.length < SHORTEST_WITH_END ? MASK : MASK + secret.slice(-4);

/** A client that sends the masked value back changes nothing. */
export const isMask = (text: string): boolean => text.startsWith(MASK);
