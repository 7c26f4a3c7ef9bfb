import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { openDetailsPage, renderOpenDetails } from '../../scripts/open-details.ts';
import type { PromiseRow } from '../spec/promise.ts';
import { promises } from '../spec/promises.ts';

const row = (id: PromiseRow['id'], source: PromiseRow['source']): PromiseRow => ({
  id,
  source,
  says: `About ${id}.`,
  ways: ['rest'],
});

test('docs/open-details.md is current (npm run generate)', () => {
  expect(readFileSync(openDetailsPage, 'utf8')).toBe(renderOpenDetails(promises));
});

test('only what we settled ourselves is listed, under its group', () => {
  const text = renderOpenDetails([
    row('search:a:b', 'ours'),
    row('search:c:d', 'contract 0a'),
    row('errors:e:f', 'contract 0a (ours)'),
  ]);
  expect(text).toContain('## Search\n\n- About search:a:b. (`search:a:b`)\n');
  expect(text).toContain('## Errors\n\n- About errors:e:f. (`errors:e:f`)\n');
  expect(text).not.toContain('search:c:d');
});
