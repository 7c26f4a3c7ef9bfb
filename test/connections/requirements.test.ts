// Tests that each requirement of connections is seen by tests and rows that exist.
import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { REQUIREMENTS } from './requirements.ts';
import { ROWS } from './rows/all.ts';

test('each requirement names tests that exist, and the row that measures it', () => {
  const wrong = Object.entries(REQUIREMENTS).flatMap(([number, { tests, row }]) => {
    const rows = ROWS.filter(({ requirements }) => requirements.includes(Number(number))).map(
      ({ name }) => name,
    );
    const missing = tests.filter(
      ([file, name]) => !existsSync(file) || !readFileSync(file, 'utf8').includes(name),
    );
    return [
      ...missing.map(([file, name]) => `${number}: ${file} has no test "${name}"`),
      ...(tests.length === 0 ? [`${number}: no test`] : []),
      ...(rows.join() === (row ?? '') ? [] : [`${number}: the rows ${rows.join()} and not ${row}`]),
    ];
  });
  expect(wrong).toEqual([]);
  expect(Object.keys(REQUIREMENTS)).toHaveLength(20);
});
