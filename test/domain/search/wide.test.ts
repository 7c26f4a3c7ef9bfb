// Tests of searching a scope with many vectors through the index.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SearchStore } from '../../../server/adapters/store/ports/search.ts';
import type { NearestRequest, VectorIndex } from '../../../server/adapters/vectors/port.ts';
import { Scope } from '../../../server/core/scope.ts';
import { type OpenSearch, openSearch } from './open.ts';

const SUBJECTS = ['kiln', 'zither', 'lighthouse', 'beehive', 'glacier', 'orchard', 'canal', 'comet'];
const notes = Array.from({ length: 64 }, (_, at) => {
  const subject = SUBJECTS[at % SUBJECTS.length];
  return {
    content: `Note ${at} about the ${subject} of year ${1900 + at}.`,
    metadata: { even: at % 2 === 0 },
  };
});
const limits = { narrow: 10, nearest: 20, keywordMatches: 12, allRanked: 5 };

let open: OpenSearch;
beforeAll(async () => {
  open = await openSearch();
  await open.add('many', notes);
  await open.add('other', ['A secret lighthouse.']);
});
afterAll(() => open[Symbol.asyncDispose]());

/** An index with every vector of the store, filled by a scan. */
const exactIndex = (asked: NearestRequest[] = [], calls: string[] = []): VectorIndex => ({
  async nearest(scope, request) {
    asked.push(request);
    calls.push('index');
    const { space, vector, k } = request;
    const found = await open.store.search.scan(scope, {}, { space, vector, limit: k, aside: true });
    return found.map(({ n, cosine }) => ({ n, distance: 1 - cosine }));
  },
});

/** Records the reads of the store by a search, with their arguments. */
const watched =
  (calls: string[]) =>
  (store: SearchStore): SearchStore => ({
    ...store,
    keyword: (scope, restriction, terms, options) => {
      calls.push(`keyword aside=${options.aside} limit=${options.limit}`);
      return store.keyword(scope, restriction, terms, options);
    },
    scan: (scope, restriction, request) => {
      calls.push(`scan aside=${request.aside}`);
      return store.scan(scope, restriction, request);
    },
    pending: (scope, space, limit) => {
      calls.push('pending');
      return store.pending(scope, space, limit);
    },
    compare: (scope, restriction, request) => {
      calls.push('compare');
      return store.compare(scope, restriction, request);
    },
  });

const texts = (found: { results: { chunk?: string | undefined }[] }) =>
  found.results.map(({ chunk }) => chunk);
const query = 'the lighthouse of year 1906';

describe('a wide scope', () => {
  it('asks the index for more results than needed, compares its own vectors in SQL, and agrees with the exact search', async () => {
    const calls: string[] = [];
    const asked: NearestRequest[] = [];
    const index = exactIndex(asked, calls);
    const wide = open.searching({ index, limits, through: watched(calls) })(['many']);
    const exact = open.searching()(['many']);
    const options = { searchMode: 'hybrid', limit: 5 };
    const found = await wide.memories(query, options);
    // The pending vectors are read before the index is queried: afterwards they may have been taken and be in neither.
    expect(calls).toEqual(['keyword aside=true limit=12', 'pending', 'index', 'compare']);
    expect(asked).toEqual([expect.objectContaining({ k: 40 })]);
    expect(found.results[0]).toEqual((await exact.memories(query, options)).results[0]);
    const semantic = { searchMode: 'semantic', limit: 5 };
    expect((await wide.memories(query, semantic)).results).toEqual(
      (await exact.memories(query, semantic)).results,
    );
  });

  it('compares every vector when too few proposals pass the filter', async () => {
    const calls: string[] = [];
    const odd = { AND: [{ key: 'even', value: 'false' }] };
    const wide = open.searching({ index: exactIndex(), limits, through: watched(calls) })(['many']);
    const { results } = await wide.memories(query, { searchMode: 'semantic', limit: 10, filters: odd });
    expect(calls.slice(1)).toEqual(['pending', 'compare', 'scan aside=true']);
    expect(results).toHaveLength(10);
    expect(results.every(({ metadata }) => metadata?.even === false)).toBe(true);
  });

  it('compares every vector when the index is too far behind', async () => {
    const calls: string[] = [];
    const index = exactIndex([], calls);
    const behind = { ...limits, pending: notes.length - 1 };
    const wide = open.searching({ index, limits: behind, through: watched(calls) })(['many']);
    const semantic = { searchMode: 'semantic', limit: 5 };
    expect((await wide.memories(query, semantic)).results).toEqual(
      (await open.searching()(['many']).memories(query, semantic)).results,
    );
    expect(calls.slice(1)).toEqual(['pending', 'scan aside=true']);
  });

  it('compares every vector when the index is down, empty or absent', async () => {
    const down: VectorIndex = { nearest: () => Promise.reject(new Error('connection refused')) };
    const empty: VectorIndex = { nearest: async () => [] };
    const expected = texts(await open.searching()(['many']).memories(query, { searchMode: 'semantic' }));
    for (const index of [down, empty, null]) {
      const wide = open.searching({ index, limits })(['many']);
      expect(texts(await wide.memories(query, { searchMode: 'semantic' }))).toEqual(expected);
    }
    expect(open.troubles.join()).toContain('The vector index did not answer');
  });

  it('shows no foreign result even if the index proposes it', async () => {
    const all = open.searching()(null);
    const secret = await all.memories('secret lighthouse', { searchMode: 'hybrid' });
    expect(texts(secret)[0]).toBe('A secret lighthouse.');
    const leaking: VectorIndex = {
      async nearest(_scope, { space, vector, k }) {
        const found = await open.store.search.scan(
          Scope.mint(null, null),
          {},
          { space, vector, limit: k, aside: true },
        );
        return found.map(({ n, cosine }) => ({ n, distance: 1 - cosine }));
      },
    };
    const wide = open.searching({ index: leaking, limits })(['many']);
    for (const searchMode of ['semantic', 'hybrid', 'keyword'])
      expect(texts(await wide.memories('secret lighthouse', { searchMode })).join()).not.toContain('secret');
  });

  it('contains a document that was added a moment ago', async () => {
    const stale: VectorIndex = { nearest: async () => [] };
    await open.add('many', ['A brand new submarine.']);
    const wide = open.searching({ index: stale, limits })(['many']);
    expect(texts(await wide.memories('submarine', { searchMode: 'semantic', limit: 1 }))).toEqual([
      'A brand new submarine.',
    ]);
  });
});

describe('a narrow scope', () => {
  it('is read on the calling thread, and on a query worker when it holds much, with the same results', async () => {
    const calls: string[] = [];
    const options = { searchMode: 'hybrid', limit: 5 };
    const here = await open
      .searching({ through: watched(calls) })(['many'])
      .memories(query, options);
    expect(calls.splice(0)).toEqual(['keyword aside=false limit=2000', 'scan aside=false']);
    const few = { limits: { here: 10 }, through: watched(calls) };
    const aside = await open.searching(few)(['many']).memories(query, options);
    expect(calls).toEqual(['keyword aside=true limit=2000', 'scan aside=true']);
    expect(aside.results).toEqual(here.results);
  });
});
