import { expect, test } from 'vitest';
import { currentContentPage, renderContentPage } from '../../scripts/content-page.ts';
import { loadExtractors } from '../../scripts/extractors.ts';

test('docs/content.md names every kind of content and every failure of content', async () => {
  expect(currentContentPage(), 'run "npm run generate"').toBe(
    renderContentPage(currentContentPage(), await loadExtractors()),
  );
});
