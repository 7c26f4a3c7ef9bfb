// Tests that each requirement of teams is seen by tests and commands that exist.
import { expect, test } from 'vitest';
import { missingCommands, missingTests } from '../support/requirements.ts';
import { REQUIREMENTS } from './requirements.ts';

test('each requirement names tests and commands that exist', () => {
  expect([...missingTests(REQUIREMENTS), ...missingCommands(REQUIREMENTS)]).toEqual([]);
  expect(Object.keys(REQUIREMENTS)).toHaveLength(14);
});
