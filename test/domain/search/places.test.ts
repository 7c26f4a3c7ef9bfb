// Tests of where searches run: alone on the calling thread, beside others or with a filter on another one.
import { expect, test } from 'vitest';
import { Scope } from '../../../server/core/scope.ts';
import { createPlaces, type WholeSearch } from '../../../server/domain/search/places.ts';
import { SEARCH_LIMITS } from '../../../server/domain/search/query/plan.ts';
import { nextTurn } from '../../../server/lib/async/wait.ts';
import { searchMemoriesInput } from '../../../tools/search/schemas/inputs.ts';

const scope = (tag: string) =>
  Scope.mint([tag], [tag], { principal: 'ada', signal: new AbortController().signal });

const asking = (more: object = {}): WholeSearch => ({
  kind: 'memories',
  input: searchMemoriesInput.parse({ q: 'tea', ...more }),
  ...{ space: null, now: 0, limits: SEARCH_LIMITS },
});

const FILTERED = asking({ filters: { AND: [{ key: 'half', value: 'even' }] } });

/** Says of each search where it ran. */
const open = ({ canElsewhere = true, isWarm = true, mayElsewhere = true } = {}) => {
  const asked: string[] = [];
  const places = createPlaces({
    mayRun: () => mayElsewhere,
    warm: () => isWarm,
    async run({ reads }) {
      asked.push(String(reads));
      await nextTurn();
      return canElsewhere ? ['elsewhere'] : null;
    },
  });
  const search = (tag: string, whole = asking()) => places.run(scope(tag), whole, async () => ['here']);
  return { asked, search };
};

test('a search that is alone runs on the calling thread', async () => {
  const { search } = open();
  expect([await search('a'), await search('a')]).toEqual([['here'], ['here']]);
});

test('searches of one moment run on other threads', async () => {
  const { search } = open();
  expect(await Promise.all([search('a'), search('b')])).toEqual([['elsewhere'], ['elsewhere']]);
  expect(await search('a')).toEqual(['here']);
});

test('nobody waits until other threads have started, except for a filter', async () => {
  const { search } = open({ isWarm: false });
  const found = await Promise.all([search('a'), search('b'), search('a', FILTERED)]);
  expect(found).toEqual([['here'], ['here'], ['elsewhere']]);
});

test('a search that failed is no longer counted', async () => {
  const places = createPlaces({
    mayRun: () => true,
    warm: () => true,
    run: () => Promise.reject(new Error('gone')),
  });
  const failing = () => places.run(scope('a'), FILTERED, async () => ['here']);
  await expect(failing()).rejects.toThrow('gone');
  expect(await places.run(scope('a'), asking(), async () => ['here'])).toEqual(['here']);
});

test('a search with a filter runs on another thread, alone as well', async () => {
  const { search } = open();
  expect(await search('a', FILTERED)).toEqual(['elsewhere']);
});

test('a search that has to stay is not sent away', async () => {
  const { asked, search } = open({ mayElsewhere: false });
  expect(await Promise.all([search('a'), search('b', FILTERED)])).toEqual([['here'], ['here']]);
  expect(asked).toEqual([]);
});

test('a scope that only the calling thread can search is searched there from then on', async () => {
  const { asked, search } = open({ canElsewhere: false });
  expect(await search('a', FILTERED)).toEqual(['here']);
  expect(await search('a', FILTERED)).toEqual(['here']);
  expect(await search('b', FILTERED)).toEqual(['here']);
  expect(asked).toEqual(['a', 'b']);
});
