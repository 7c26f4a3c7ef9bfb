// Tests of masked secrets.
import { expect, test } from 'vitest';
import { isMask, mask } from '../../../server/domain/settings/secrets.ts';

test('a mask shows the end of a long secret and nothing of a short one', () => {
  expect(mask('0123456789ab')).toBe('••••89ab');
  expect(mask('0123456789a')).toBe('••••');
  expect([isMask(mask('0123456789ab')), isMask('0123456789ab')]).toEqual([true, false]);
});
