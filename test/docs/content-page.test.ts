import { expect, test } from 'vitest';
import { current, withTables } from './content-page.ts';

test('docs/content.md names every way in which content fails', () => {
  expect(current(), 'run "node test/docs/content-page.ts"').toBe(withTables(current()));
});
