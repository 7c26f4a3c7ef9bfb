import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { openDetails, page } from './open-details.ts';
import type { PromiseRow } from './promise.ts';
import { promises } from './promises.ts';

const row = (
  id: PromiseRow['id'],
  source: PromiseRow['source'],
  later?: PromiseRow['later'],
): PromiseRow => ({
  id,
  source,
  says: `About ${id}.`,
  ways: ['rest'],
  ...(later && { later }),
});

test('docs/open-details.md is current (npm run generate:open-details)', () => {
  expect(readFileSync(page, 'utf8')).toBe(openDetails(promises));
});

test('only what we settled ourselves is listed, under its group', () => {
  const text = openDetails([
    row('search:a:b', 'ours'),
    row('search:c:d', 'contract 0a'),
    row('errors:e:f', 'contract 0a (ours)', 'memories'),
  ]);
  expect(text).toContain('## Search\n\n- About search:a:b. (`search:a:b`)\n');
  expect(text).toContain('## Errors\n\n- About errors:e:f. (`errors:e:f`) *Later.*\n');
  expect(text).not.toContain('search:c:d');
});
