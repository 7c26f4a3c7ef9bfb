// Tests that each requirement of connections is seen by tests and rows that exist.
import { expect, test } from 'vitest';
import { missingTests } from '../support/requirements.ts';
import { REQUIREMENTS } from './requirements.ts';
import { ROWS } from './rows/all.ts';

test('each requirement names tests that exist, and the row that measures it', () => {
  const wrong = Object.entries(REQUIREMENTS).flatMap(([number, { row }]) => {
    const rows = ROWS.filter(({ requirements }) => requirements.includes(Number(number))).map(
      ({ name }) => name,
    );
    return rows.join() === (row ?? '') ? [] : [`${number}: the rows ${rows.join()} and not ${row}`];
  });
  expect([...missingTests(REQUIREMENTS), ...wrong]).toEqual([]);
  expect(Object.keys(REQUIREMENTS)).toHaveLength(20);
});
