// The text of a key: `sm_<organisation>_<secret>`. Only its hash is stored; the text is shown once.
import { randomBytes } from 'node:crypto';
import { sha256 } from '../../../lib/hash.ts';
import { bitsOfSecret } from '../../../lib/secrets/secret-strength.ts';

const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
/** 32 characters of 58: 187 bits. */
const SECRET_LENGTH = 32;
/** Enough to recognise a key in a list, with six characters of its secret at most. */
const START_SECRET = 6;

/** The form that published programs recognise as a key. */
const KEY = /^sm_\S{17,}$/;
const OURS = /^sm_([^_\s]+)_(\S+)$/;

export interface KeyText {
  orgId: string;
  secret: string;
}

/** Bytes from 232 on would favour the first characters of the alphabet, so they are discarded. */
const randomBase58 = (length: number): string => {
  let text = '';
  while (text.length < length) {
    for (const byte of randomBytes(length)) {
      if (byte < 232 && text.length < length) text += ALPHABET.charAt(byte % 58);
    }
  }
  return text;
};

export const newKey = (orgId: string): string => `sm_${orgId}_${randomBase58(SECRET_LENGTH)}`;

/** True if a text can be a key at all; a key given by its owner need not name an organisation. */
export const isKey = (text: string): boolean => KEY.test(text);

/** Guessing this many bits takes longer than any key lives. */
const LEAST_BITS = 60;

/** True if a key that its owner made up is made of words, a sequence or a repetition. */
export const isGuessable = (text: string): boolean => bitsOfSecret(text.replace(/^sm_/, '')) < LEAST_BITS;

export const parseKey = (text: string): KeyText | null => {
  const match = KEY.test(text) ? OURS.exec(text) : null;
  const [, orgId, secret] = match ?? [];
  return orgId !== undefined && secret !== undefined ? { orgId, secret } : null;
};

/**
 * Keys are found by this hash, so no comparison of secrets can leak its time.
 * Plain SHA-256 is enough: a secret of 187 random bits cannot be guessed, however fast the hash.
 */
export const hashKey = (text: string): string => sha256(text);

/** The beginning of a key, by which its owner can recognise it. */
export const keyStart = (text: string): string => {
  const parsed = parseKey(text);
  if (parsed === null) return text.slice(0, 3 + START_SECRET);
  return `sm_${parsed.orgId}_${parsed.secret.slice(0, START_SECRET)}`;
};
