// Tests of masked secrets.
import { expect, test } from 'vitest';
import { isMask, maskSecret } from '../../../server/domain/settings/secrets.ts';

test('a mask shows the end of a long secret and nothing of a short one', () => {
  expect(maskSecret('0123456789ab')).toBe('••••89ab');
  expect(maskSecret('0123456789a')).toBe('••••');
  expect([isMask(maskSecret('0123456789ab')), isMask('0123456789ab')]).toEqual([true, false]);
});
