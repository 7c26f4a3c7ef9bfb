// Tests of sealing secret settings.
import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { isMask, mask, seal, unseal } from '../../../server/domain/settings/secrets.ts';

const key = randomBytes(32);

test('a sealed secret can be opened, and each sealed text is different', () => {
  const secret = 'gho_日本語-0123456789';
  const [one, two] = [seal(key, 'a', secret), seal(key, 'a', secret)];
  expect(one).not.toBe(two);
  expect(one).not.toContain('gho_');
  expect([unseal(key, 'a', one), unseal(key, 'a', two)]).toEqual([secret, secret]);
});

test('another key, another name, a changed byte and plain text are refused with a sentence', () => {
  const sealed = seal(key, 'a', 'secret');
  const [version, nonce, tag, data = ''] = sealed.split('.');
  const changed = [version, nonce, tag, `${data.startsWith('A') ? 'B' : 'A'}${data.slice(1)}`].join('.');
  const attempts = [
    () => unseal(randomBytes(32), 'a', sealed),
    () => unseal(key, 'b', sealed),
    () => unseal(key, 'a', changed),
    () => unseal(key, 'a', 'secret'),
    () => unseal(key, 'a', ''),
  ];
  for (const attempt of attempts)
    expect(attempt).toThrow(/was sealed with another key\. Restore secret\.key/);
});

test('a mask shows the end of a long secret and nothing of a short one', () => {
  expect(mask('0123456789ab')).toBe('••••89ab');
  expect(mask('0123456789a')).toBe('••••');
  expect([isMask(mask('0123456789ab')), isMask('0123456789ab')]).toEqual([true, false]);
});
