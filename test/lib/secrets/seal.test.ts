// Tests of sealed secrets.
import { createCipheriv, randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import {
  isSealedElsewhere,
  isSealedNow,
  type SealKeys,
  seal,
  sealKey,
  unseal,
} from '../../../server/lib/secrets/seal.ts';

const newKeys = (previous: SealKeys['previous'] = []): SealKeys => ({
  current: sealKey(randomBytes(32)),
  previous,
});
const keys = newKeys();
const SECRET = 'gho_日本語-0123456789';

/** As the first release sealed it: without the id of the key. */
const sealedAtFirst = (key: Buffer, place: string, secret: string): string => {
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(place));
  const sealed = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
  return ['v1', ...[nonce, cipher.getAuthTag(), sealed].map((part) => part.toString('base64url'))].join('.');
};

test('a sealed secret can be opened, and each sealed text is different', () => {
  const [one, two] = [seal(keys, 'a', SECRET), seal(keys, 'a', SECRET)];
  expect(one).not.toBe(two);
  expect(one).not.toContain('gho_');
  expect([unseal(keys, 'a', one), unseal(keys, 'a', two)]).toEqual([SECRET, SECRET]);
});

test('another key, another place, a changed byte and plain text open nothing', () => {
  const sealed = seal(keys, 'a', 'secret');
  const [version, id, nonce, tag, data = ''] = sealed.split('.');
  const changed = [version, id, nonce, tag, `${data.startsWith('A') ? 'B' : 'A'}${data.slice(1)}`].join('.');
  const opened = [
    unseal(newKeys(), 'a', sealed),
    unseal(keys, 'b', sealed),
    unseal(keys, 'a', changed),
    unseal(keys, 'a', 'secret'),
    unseal(keys, 'a', 'v2.x.y'),
    unseal(keys, 'a', ''),
  ];
  expect(opened).toEqual(opened.map(() => null));
});

test('a previous key still opens, with and without its id in the text, and the present key seals', () => {
  const changed = newKeys([keys.current]);
  const first = sealedAtFirst(keys.current.key, 'a', SECRET);
  expect([unseal(changed, 'a', seal(keys, 'a', SECRET)), unseal(changed, 'a', first)]).toEqual([
    SECRET,
    SECRET,
  ]);
  expect([isSealedNow(changed, seal(keys, 'a', SECRET)), isSealedNow(changed, first)]).toEqual([
    false,
    false,
  ]);
  expect(isSealedNow(changed, seal(changed, 'a', SECRET))).toBe(true);
});

test('a text that a key outside of the known ones sealed is told from a damaged one and from plain text', () => {
  const other = newKeys();
  const known = [keys.current];
  const sealed = seal(keys, 'a', SECRET);
  expect([
    isSealedElsewhere(known, 'a', sealed),
    isSealedElsewhere(known, 'a', `${sealed}A`),
    isSealedElsewhere(known, 'a', 'plain'),
    isSealedElsewhere(known, 'a', seal(other, 'a', SECRET)),
    isSealedElsewhere([], 'a', sealed),
    isSealedElsewhere([...known, other.current], 'a', seal(other, 'a', SECRET)),
    isSealedElsewhere(known, 'a', sealedAtFirst(keys.current.key, 'a', SECRET)),
    isSealedElsewhere(known, 'a', sealedAtFirst(other.current.key, 'a', SECRET)),
  ]).toEqual([false, false, false, true, true, false, false, true]);
});
