// Tests that each requirement of several processes is seen by tests and rows that exist.
import { expect, test } from 'vitest';
import { missingTests } from '../support/requirements.ts';
import { SCALE_REQUIREMENTS } from './requirements.ts';
import { SCALE_ROWS } from './rows/all.ts';

test('each requirement names tests that exist, and each row belongs to one', () => {
  expect(missingTests(SCALE_REQUIREMENTS)).toEqual([]);
  const rows = Object.values(SCALE_REQUIREMENTS).flatMap(({ row }) => (row === undefined ? [] : [row]));
  expect(rows.sort()).toEqual(Object.keys(SCALE_ROWS).sort());
});
