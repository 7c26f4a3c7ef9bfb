// Tests of making and recognising ids.
import { describe, expect, it, vi } from 'vitest';
import { isId, newId } from '../../server/lib/ids.ts';

describe('a new id', () => {
  it('is 22 characters of base58', () => {
    for (let made = 0; made < 1000; made++) expect(newId()).toMatch(/^[1-9A-HJ-NP-Za-km-z]{22}$/);
  });

  it('differs from every other', () => {
    expect(new Set(Array.from({ length: 20_000 }, newId)).size).toBe(20_000);
  });

  it('sorts after all made before it, byte by byte, also within a millisecond', () => {
    const ids = Array.from({ length: 20_000 }, newId);
    expect(ids.toSorted()).toEqual(ids);
    expect(ids.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))).toEqual(ids);
  });

  it('sorts by time across seconds and years', () => {
    const now = vi.spyOn(Date, 'now');
    const later = [1, 1000, 365 * 86_400_000, 200 * 365 * 86_400_000].map((ms) => {
      now.mockReturnValue(Date.UTC(2030) + ms);
      return newId();
    });
    now.mockRestore();
    expect(later.toSorted()).toEqual(later);
    expect(later.every(isId)).toBe(true);
  });

  it('still sorts after the last when the clock is set back', () => {
    const now = vi.spyOn(Date, 'now');
    const before = newId();
    now.mockReturnValue(Date.UTC(2001));
    const after = newId();
    now.mockRestore();
    expect(after > before).toBe(true);
  });

  it('cannot be guessed from the one before it', () => {
    const steps = new Set(Array.from({ length: 200 }, () => newId().slice(-5)));
    expect(steps.size).toBe(200);
  });
});

describe('the form of an id', () => {
  it('is recognised', () => {
    expect(isId(newId())).toBe(true);
  });

  it.each([
    '',
    'short',
    'O'.repeat(22),
    '0'.repeat(22),
    'l'.repeat(22),
    '1'.repeat(21),
    '1'.repeat(23),
    `${'1'.repeat(22)}\n`,
  ])('does not match %j', (text) => {
    expect(isId(text)).toBe(false);
  });
});
