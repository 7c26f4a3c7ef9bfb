import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { bitsOfSecret } from '../../../server/lib/secrets/secret-strength.ts';

/** Random bytes that are the same in every run. */
const bytes = (round: number, count: number): Buffer =>
  createHash('sha256').update(String(round)).digest().subarray(0, count);

test('random texts keep most of their bits', () => {
  for (let round = 0; round < 300; round++) {
    expect(bitsOfSecret(bytes(round, 24).toString('hex'))).toBeGreaterThan(120);
    expect(bitsOfSecret(bytes(round, 24).toString('base64'))).toBeGreaterThan(90);
    expect(bitsOfSecret(bytes(round, 16).toString('base64url'))).toBeGreaterThan(55);
    expect(bitsOfSecret(bytes(round, 16).toString('hex'))).toBeGreaterThan(80);
  }
});

test.each([
  '',
  'a'.repeat(100),
  'ab'.repeat(50),
  'abcabcabcabcabcabcab',
  '0123456789abcdefghijklmnopqrstuvwxyz',
  '98765432109876543210',
  'a-key-of-my-own-choice',
  'the-key-of-these-tests-alone',
  'correct-horse-battery-staple',
  'passwordpasswordpassword1',
  'PasswordPassword2026',
  '11111111112222222222',
])('%j is easy to guess', (text) => {
  expect(bitsOfSecret(text)).toBeLessThan(60);
});
