// Tests of whole searches on a query worker: the same results as on the thread that asks, or none where that has to search.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openSqliteConnection } from '../../../server/adapters/store/sqlite/connection.ts';
import { kyselyOver } from '../../../server/adapters/store/sqlite/dialect.ts';
import { createWholeSearches } from '../../../server/app/query-worker/searches.ts';
import { SEARCH_LIMITS, type SearchLimits } from '../../../server/domain/search/query/plan.ts';
import { searchDocumentsInput, searchMemoriesInput } from '../../../tools/search/schemas/inputs.ts';
import { type OpenSearch, openSearch } from '../../domain/search/open.ts';

const TAG = 'garden';
const NOW = Date.parse('2026-05-01');

let world: OpenSearch;
let whole: ReturnType<typeof createWholeSearches>['search'];
const closing: (() => void)[] = [];

beforeAll(async () => {
  world = await openSearch();
  const notes = Array.from({ length: 30 }, (_, at) => ({
    content: `Note ${at}: the ${at % 2 ? 'roses' : 'tulips'} need water on ${at % 3 ? 'Monday' : 'Friday'}.`,
    metadata: { row: at, kind: at % 2 ? 'rose' : 'tulip' },
    customId: `note-${at}`,
  }));
  await world.add(TAG, notes);
  await world.add('other', ['The roses of the neighbours need no water on Monday.']);
  const connection = openSqliteConnection(world.file, { readOnly: true, scopedReads: true });
  closing.push(() => connection.close());
  const db = kyselyOver(connection);
  whole = createWholeSearches(() => db).search;
});
afterAll(async () => {
  for (const close of closing) close();
  await world[Symbol.asyncDispose]();
});

const Q = 'When do the roses need water?';
const ROSES = { AND: [{ key: 'kind', value: 'rose' }] };
const NOT_FIRST = {
  AND: [{ key: 'row', value: '3', filterType: 'numeric', numericOperator: '>=', negate: true }],
};

const aside = (kind: 'documents' | 'memories', more: object, limits: Partial<SearchLimits> = {}) => {
  const { id, name, calibration } = world.space;
  const shared = {
    ...{ space: { id, name, calibration }, now: NOW, limits: { ...SEARCH_LIMITS, ...limits } },
  };
  const reach = { reads: [TAG], holds: null };
  return kind === 'documents'
    ? whole(reach, { ...shared, kind, input: searchDocumentsInput.parse({ q: Q, ...more }) })
    : whole(reach, { ...shared, kind, input: searchMemoriesInput.parse({ q: Q, threshold: 0, ...more }) });
};

test.each([
  ['as it is', {}],
  ['of documents alone', { searchMode: 'documents' }],
  ['by words', { searchMode: 'keyword' }],
  ['with a filter', { searchMode: 'hybrid', filters: ROSES }],
  ['with a filter that excludes', { searchMode: 'hybrid', filters: NOT_FIRST }],
  ['with a filter that nothing meets', { filters: { AND: [{ key: 'kind', value: 'oak' }] } }],
])('a search of /v4 %s finds the same', async (_how, more) => {
  const here = await world
    .searching({ now: () => NOW })([TAG])
    .memories(Q, more);
  expect(await aside('memories', more)).toEqual(here.results);
});

test.each([
  ['as it is', {}],
  ['with a filter', { filters: ROSES, includeFullDocs: true }],
  ['in one document', { docId: 'note-3' }],
])('a search of /v3 %s finds the same', async (_how, more) => {
  const here = await world
    .searching({ now: () => NOW })([TAG])
    .documents(Q, more);
  expect(here.results.length).toBeGreaterThan(0);
  expect(await aside('documents', more)).toEqual(here.results);
});

test('a wide scope, a refused search and an embedder of another process are left to the thread that asks', async () => {
  expect(await aside('memories', { searchMode: 'documents' }, { narrow: 5 })).toBeNull();
  expect(await aside('documents', { docId: 'nothing' })).toBeNull();
  const { id, calibration } = world.space;
  const space = { id, calibration, name: { embedder: 'openai', model: 'm', dimensions: 3 } };
  const input = searchMemoriesInput.parse({ q: Q });
  const limits = SEARCH_LIMITS;
  expect(
    await whole({ reads: [TAG], holds: null }, { kind: 'memories', input, space, now: NOW, limits }),
  ).toBeNull();
});
