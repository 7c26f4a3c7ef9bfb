// Tests that each requirement of teams is seen by tests, a row of the bench or a command that exist.
import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { LETTERS } from '../bench/options.ts';
import { TEAM_REQUIREMENTS } from './requirements.ts';

const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };

test('each requirement names tests that exist, and what measures it', () => {
  const wrong = Object.entries(TEAM_REQUIREMENTS).flatMap(([number, { tests, bench, script }]) => {
    const missing = tests.filter(
      ([file, name]) => !existsSync(file) || !readFileSync(file, 'utf8').includes(name),
    );
    return [
      ...missing.map(([file, name]) => `${number}: ${file} has no test "${name}"`),
      ...(tests.length === 0 ? [`${number}: no test`] : []),
      ...(bench === undefined || LETTERS.some((letter) => letter === bench)
        ? []
        : [`${number}: no row ${bench}`]),
      ...(script === undefined || script in scripts ? [] : [`${number}: no script ${script}`]),
    ];
  });
  expect(wrong).toEqual([]);
  expect(Object.keys(TEAM_REQUIREMENTS)).toHaveLength(14);
});
