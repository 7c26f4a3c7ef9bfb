// Secrets at rest: AES-256-GCM. A sealed text names the key that opens it, and is bound to its place, so that a secret of
// one place cannot stand in for that of another.
import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';

export interface SealKey {
  /** Reveals nothing of the key. */
  readonly id: string;
  readonly key: Buffer;
}

export interface SealKeys {
  readonly current: SealKey;
  /** The former keys, which open secrets that were sealed before a change of the key. */
  readonly previous: readonly SealKey[];
}

const ALGORITHM = 'aes-256-gcm';
const VERSION = 'v2';
/** Without the id of a key. */
const FIRST_VERSION = 'v1';

export const sealKey = (key: Buffer): SealKey => ({
  id: createHash('sha256').update(key).digest('hex').slice(0, 8),
  key,
});

export const seal = ({ current }: SealKeys, place: string, secret: string): string => {
  const nonce = randomBytes(12);
  const cipher = createCipheriv(ALGORITHM, current.key, nonce).setAAD(Buffer.from(place));
  const sealed = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
  const parts = [nonce, cipher.getAuthTag(), sealed].map((part) => part.toString('base64url'));
  return [VERSION, current.id, ...parts].join('.');
};

/** The keys that may have sealed a text, and the text's parts; null: it is no sealed text. */
const readSealed = (
  all: readonly SealKey[],
  text: string,
): { keys: readonly SealKey[]; parts: readonly Buffer[] } | null => {
  const [version, ...rest] = text.split('.');
  const encoded = version === VERSION ? rest.slice(1) : rest;
  if ((version !== VERSION && version !== FIRST_VERSION) || encoded.length !== 3) return null;
  return {
    keys: version === VERSION ? all.filter(({ id }) => id === rest[0]) : all,
    parts: encoded.map((part) => Buffer.from(part, 'base64url')),
  };
};

const openWith = ({ key }: SealKey, place: string, parts: readonly Buffer[]): string | null => {
  const [nonce = Buffer.alloc(0), tag = Buffer.alloc(0), sealed = Buffer.alloc(0)] = parts;
  try {
    const decipher = createDecipheriv(ALGORITHM, key, nonce).setAAD(Buffer.from(place)).setAuthTag(tag);
    return Buffer.concat([decipher.update(sealed), decipher.final()]).toString('utf8');
  } catch {
    // Another key, another place or changed bytes: the cipher does not tell which.
    return null;
  }
};

const openSealed = (all: readonly SealKey[], place: string, text: string): string | null => {
  const read = readSealed(all, text);
  for (const key of read?.keys ?? []) {
    const secret = openWith(key, place, read?.parts ?? []);
    if (secret !== null) return secret;
  }
  return null;
};

/** Null: no key opens it at this place. */
export const unseal = ({ current, previous }: SealKeys, place: string, text: string): string | null =>
  openSealed([current, ...previous], place, text);

/** True: a key that is not among these sealed it. Damage of the text is told by `unseal` alone. */
export const isSealedElsewhere = (known: readonly SealKey[], place: string, text: string): boolean => {
  const read = readSealed(known, text);
  if (read === null) return false;
  return text.startsWith(`${VERSION}.`) ? read.keys.length === 0 : openSealed(known, place, text) === null;
};

/** True: the present key sealed it, so that no previous key is needed for it. */
export const isSealedNow = ({ current }: SealKeys, text: string): boolean =>
  text.startsWith(`${VERSION}.${current.id}.`);
