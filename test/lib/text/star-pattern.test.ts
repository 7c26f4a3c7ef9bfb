// Patterns with stars.
import { expect, test } from 'vitest';
import { matchesPattern } from '../../../server/lib/text/star-pattern.ts';

test('a star stands for any characters, and also for none', () => {
  expect(matchesPattern('/a/*', '/a/b/c')).toBe(true);
  expect(matchesPattern('/a/*', '/a/')).toBe(true);
  expect(matchesPattern('*.log', '/a/server.log')).toBe(true);
  expect(matchesPattern('/a', '/a/b')).toBe(false);
  expect(matchesPattern('/A/*', '/a/b')).toBe(false);
});

test('a pattern with many stars comes to its end', () => {
  // By trying every way to share the text among the stars it would not.
  expect(matchesPattern(`${'*a'.repeat(100)}b`, 'a'.repeat(5_000))).toBe(false);
});
