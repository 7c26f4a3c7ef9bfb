// Tests of which reads a memory search begins with.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type OpenSearch, openSearch } from './open.ts';

let open: OpenSearch;
beforeAll(async () => {
  open = await openSearch();
  await open.add('passages', ['The boiler is in the cellar.']);
  await open.add('both', ['The boiler is in the cellar.']);
  await open.remember('both', ['Ida repaired the boiler in the cellar.']);
  await open.remember('memories', ['Ida repaired the boiler in the cellar.']);
});
afterAll(() => open[Symbol.asyncDispose]());

/** The kinds of units whose scopes a search measures, and the results. */
const searched = async (tag: string, searchMode: string) => {
  const measured: string[] = [];
  const search = open.searching({
    through: (store) => ({
      ...store,
      extent(scope, restriction, bound) {
        measured.push(restriction.units ?? 'chunks');
        return store.extent(scope, restriction, bound);
      },
    }),
  });
  const { results } = await search([tag]).memories('the boiler in the cellar', { searchMode });
  return { measured, found: results.length };
};

it('reads of memories only where the scope has any, if all passages are searched', async () => {
  expect(await searched('passages', 'keyword')).toEqual({ measured: ['chunks'], found: 1 });
  expect(await searched('passages', 'hybrid')).toEqual({ measured: ['chunks'], found: 1 });
  expect(await searched('both', 'keyword')).toEqual({ measured: ['chunks', 'memories'], found: 2 });
  expect(await searched('memories', 'keyword')).toEqual({ measured: ['chunks', 'memories'], found: 1 });
});

it('looks for memories after passages that stand in for them', async () => {
  const { measured } = await searched('passages', 'memories');
  expect(measured.slice(0, 2)).toEqual(['chunks', 'memories']);
});
