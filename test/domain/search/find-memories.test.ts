// Tests of finding memories as records.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Scope } from '../../../server/core/scope.ts';
import { type OpenSearch, openSearch } from './open.ts';

let open: OpenSearch;
let ids: string[];
beforeAll(async () => {
  open = await openSearch();
  ids = await open.remember('ida', [
    'Ida keeps bees behind the orchard.',
    'Ida sold the motorboat in August.',
    'Ida plays the cello.',
    { memory: 'Ida was in Narvik last week.', forgetAfter: Date.now() - 1 },
  ]);
  await open.remember('tom', ['Tom keeps bees on the roof.']);
  await open.store.memories.forget(Scope.mint(null, null), [ids[2] ?? ''], { reason: null, batch: null });
});
afterAll(() => open[Symbol.asyncDispose]());

it('finds memories as records, best first, under the named tags', async () => {
  const found = await open
    .searching()(null)
    .find({ q: 'Who keeps bees?', tags: ['ida'] });
  expect(found[0]).toMatchObject({
    record: { id: ids[0], memory: 'Ida keeps bees behind the orchard.', tags: ['ida'], sourceCount: 1 },
    similarity: expect.any(Number),
  });
  expect(found.map(({ record }) => record.tags)).not.toContainEqual(['tom']);
  const order = found.map(({ similarity }) => similarity);
  expect(order).toEqual(order.toSorted((a, b) => b - a));
});

it('respects the threshold, the limit and the scope', async () => {
  const all = open.searching();
  expect(await all(['ida']).find({ q: 'bees behind the orchard', threshold: 0.7 })).toHaveLength(1);
  expect(await all(['ida']).find({ q: 'Ida', limit: 1 })).toHaveLength(1);
  expect(await all(['tom']).find({ q: 'bees', tags: ['ida'] })).toEqual([]);
});

it('leaves out forgotten and expired memories, unless they are requested', async () => {
  const { find } = open.searching()(['ida']);
  const texts = async (forgotten: boolean) =>
    (await find({ q: 'Ida plays the cello in Narvik', forgotten })).map(({ record }) => record.memory).sort();
  expect(await texts(false)).toEqual([
    'Ida keeps bees behind the orchard.',
    'Ida sold the motorboat in August.',
  ]);
  expect(await texts(true)).toHaveLength(4);
});
