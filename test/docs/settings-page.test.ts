import { expect, test } from 'vitest';
import { current, withTable } from './settings-page.ts';

test('the table in docs/settings.md is current (npm run generate:settings)', () => {
  expect(current()).toBe(withTable(current()));
});

test('a page without a place for the table is refused', () => {
  expect(() => withTable('# Settings')).toThrow('docs/settings.md needs the lines');
});
