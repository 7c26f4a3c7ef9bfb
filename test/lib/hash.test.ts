// Tests of the digest of content and of the fast hash.
import { describe, expect, it } from 'vitest';
import { hash32, sha256 } from '../../server/lib/hash.ts';

describe('the digest of content', () => {
  it('is SHA-256 of its UTF-8 in hexadecimal', () => {
    expect(sha256('')).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
    expect(sha256('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  });
});

describe('the fast hash', () => {
  it('is the same number on every machine, because stored indexes depend on it', () => {
    expect([hash32(''), hash32('cat'), hash32('猫')]).toEqual([535972289, 4040748830, 743284481]);
  });

  it('can be taken of a part of a text', () => {
    expect(hash32('a cat sat', 2, 5)).toBe(hash32('cat'));
  });
});
