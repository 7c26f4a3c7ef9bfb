// Tests of where reads run: filters and long lists on a query worker, once for each call; narrow reads on this thread.
import { afterEach, expect, test } from 'vitest';
import type { MetadataFilter } from '../../../../server/adapters/store/ports/filters.ts';
import type { QueryWorkers } from '../../../../server/adapters/store/request-side/query-workers.ts';
import { createReader } from '../../../../server/adapters/store/request-side/reader.ts';
import { createReads } from '../../../../server/adapters/store/request-side/reads.ts';
import { openSqliteConnection } from '../../../../server/adapters/store/sqlite/connection.ts';
import { kyselyOver } from '../../../../server/adapters/store/sqlite/dialect.ts';
import { Scope, type ScopeCall } from '../../../../server/core/scope.ts';
import { openTestStore, type TestStore } from '../../../support/store.ts';
import { submission } from '../contract/world.ts';

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

const TAG = 'a';

const everything = Scope.mint(null, null);

const add = async ({ store }: TestStore, count: number, metadata = {}): Promise<void> => {
  const sent = Array.from({ length: count }, (_, at) => submission(`Note ${at}`, { tags: [TAG], metadata }));
  await store.documents.submit(everything, sent);
};

/** Query workers that run on this thread and note what they are asked. */
const open = async () => {
  const opened = openTestStore();
  const statements: string[] = [];
  const connection = openSqliteConnection(opened.file, { readOnly: true, scopedReads: true });
  const noting = {
    ...connection,
    prepare(text: string) {
      statements.push(text);
      return connection.prepare(text);
    },
  };
  const db = kyselyOver(noting);
  const reads = createReads(() => db);
  const asked: string[] = [];
  const workers: QueryWorkers = {
    run: async (_call, command, ...args) => {
      asked.push(command);
      return (reads[command] as unknown as (...rest: readonly unknown[]) => Promise<never>)(...args);
    },
    warm: () => true,
    close: async () => undefined,
  };
  closing.push(async () => {
    connection.close();
    await opened.close();
  });
  return { opened, asked, statements, reader: createReader(() => db, { workers, now: Date.now }) };
};

const callOf = (): ScopeCall => ({ principal: 'ada', signal: new AbortController().signal });

const contains = (value: string): MetadataFilter => ({
  ...{ key: 'long', value, filterType: 'string_contains', numericOperator: '=' },
  ...{ negate: false, ignoreCase: false },
});

const filter: MetadataFilter = { OR: [contains('x'), { AND: [contains('y'), contains('x')] }] };

test('a filter is evaluated once in a call, on a query worker, and each condition in it once', async () => {
  const { opened, asked, statements, reader } = await open();
  await add(opened, 3, { long: 'xy' });
  const scope = Scope.mint([TAG], [TAG], callOf());
  for (let stage = 0; stage < 3; stage++) {
    const { restriction } = await reader.within(scope, { filter: structuredClone(filter) });
    expect(JSON.parse(restriction.allowed?.documents.ns ?? '[]')).toHaveLength(3);
  }
  expect(asked).toEqual(['narrowFilter']);
  expect(statements.filter((text) => text.includes('visible_meta'))).toHaveLength(2);
});

test('another call evaluates its filter anew', async () => {
  const { opened, reader } = await open();
  const allowed = async () => {
    const { restriction } = await reader.within(Scope.mint([TAG], [TAG], callOf()), { filter });
    return JSON.parse(restriction.allowed?.documents.ns ?? '[]').length;
  };
  expect(await allowed()).toBe(0);
  await add(opened, 2, { long: 'xy' });
  expect(await allowed()).toBe(2);
});

test('what is read with a filter is read on a query worker, and a narrow search without one on this thread', async () => {
  const { opened, asked, reader } = await open();
  await add(opened, 3, { long: 'xy' });
  const scope = Scope.mint([TAG], [TAG], callOf());
  const measure = async (more: { filter?: MetadataFilter; filepath?: string }) => {
    const { read, restriction } = await reader.within(scope, more);
    await read('extent', scope, restriction, 100);
    return asked.splice(0);
  };
  expect(await measure({})).toEqual([]);
  expect(await measure({ filter })).toEqual(['narrowFilter', 'extent']);
  expect(await measure({ filepath: '/a/' })).toEqual(['extent']);
});

test('a short list is read on this thread, a long or filtered one on a query worker', async () => {
  const { opened, asked, reader } = await open();
  const list = async (more: { filter?: MetadataFilter } = {}) => {
    const page = { sort: 'createdAt', order: 'asc', limit: 10, offset: 0, content: false } as const;
    const scope = Scope.mint([TAG], [TAG], callOf());
    const { read, query, size } = await reader.listing(scope, { ...page, ...more }, 'documents');
    const { total } = await read('listDocuments', reader.bounds(scope), query, size?.documents ?? null);
    return [total, ...asked.splice(0)];
  };
  await add(opened, 2_000, { long: 'x' });
  expect(await list()).toEqual([2_000]);
  expect(await list({ filter })).toEqual([2_000, 'filter', 'listDocuments']);
  await add(opened, 1);
  expect(await list()).toEqual([2_001, 'listDocuments']);
}, 60_000);
