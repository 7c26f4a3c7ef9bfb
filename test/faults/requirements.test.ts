// Tests that each requirement of availability, rights and faults is seen by tests and commands that exist.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { missingTests } from '../support/requirements.ts';
import { REQUIREMENTS } from './requirements.ts';

test('each requirement names tests and commands that exist', () => {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };
  const unknown = Object.entries(REQUIREMENTS)
    .filter(([, { command }]) => command !== undefined && !((command.split(' ')[0] ?? '') in scripts))
    .map(([name, { command }]) => `${name}: there is no command ${command}`);
  expect([...missingTests(REQUIREMENTS), ...unknown]).toEqual([]);
});
