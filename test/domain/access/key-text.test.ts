// Tests of the text of a key: its form, its randomness and its hash.
import { describe, expect, test } from 'vitest';
import { hashKey, isKey, keyStart, newKey, parseKey } from '../../../server/domain/access/keys/key-text.ts';
import { newId } from '../../../server/lib/ids.ts';
import { verifies } from '../../spec/verifies.ts';

const org = newId();

verifies('keys:form:prefix', 'a key names its organisation before its secret', async () => {
  const key = newKey(org);
  expect(key).toMatch(new RegExp(`^sm_${org}_[1-9A-HJ-NP-Za-km-z]{32}$`));
  expect(parseKey(key)).toEqual({ orgId: org, secret: key.slice(3 + org.length + 1) });
});

describe('the text of a key', () => {
  test('is never the same twice', () => {
    expect(new Set(Array.from({ length: 500 }, () => newKey(org))).size).toBe(500);
  });

  test('uses every character of base58 about equally often', () => {
    const counts = new Map<string, number>();
    for (let i = 0; i < 400; i++) {
      for (const letter of newKey(org).slice(-32)) counts.set(letter, (counts.get(letter) ?? 0) + 1);
    }
    const expected = (400 * 32) / 58;
    expect(counts.size).toBe(58);
    for (const count of counts.values()) expect(Math.abs(count - expected)).toBeLessThan(expected / 2);
  });

  test('matches the pattern by which the published programs recognise a key', () => {
    expect(isKey('sm_12345678901234567')).toBe(true);
    expect(isKey('sm_1234567890123456')).toBe(false);
    expect(isKey('sk_12345678901234567890')).toBe(false);
    expect(isKey('sm_1234567890 1234567890')).toBe(false);
  });

  test('may lack an organisation when its owner chose it', () => {
    expect(parseKey('sm_abcdefghijklmnopqrst')).toBeNull();
    expect(parseKey('nothing')).toBeNull();
  });

  test('has a visible start with at most six characters of its secret', () => {
    const key = newKey(org);
    expect(keyStart(key)).toBe(key.slice(0, 3 + org.length + 1 + 6));
    expect(keyStart('sm_abcdefghijklmnopqrst')).toBe('sm_abcdef');
  });

  test('is stored as its SHA-256', () => {
    expect(hashKey('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  });
});
