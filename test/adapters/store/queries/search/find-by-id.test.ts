// Tests of finding documents, chunks and memories by an id.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Scope } from '../../../../../server/core/scope.ts';
import { type OpenSearch, openSearch } from '../../../../domain/search/open.ts';

const everything = Scope.mint(null, null);
const only = (...tags: string[]) => Scope.mint(tags, tags);

let open: OpenSearch;
let document: string;
let memory: string;
beforeAll(async () => {
  open = await openSearch();
  [document = ''] = await open.add('ours', [{ content: 'The gate is green.', customId: 'gate' }]);
  [memory = ''] = await open.remember('ours', ['Ada has a gate.']);
  await open.add('theirs', [{ content: 'The gate is red.', customId: 'gate' }]);
});
afterAll(() => open[Symbol.asyncDispose]());

const named = (scope: Scope, id: string) => open.store.recall.named(scope, id);

test('a document is found by its id and its customId, with its searchable parts', async () => {
  const byId = await named(only('ours'), document);
  expect(byId).toMatchObject({ kind: 'document', document: { id: document }, memory: null, memories: [] });
  expect(byId?.chunks).toHaveLength(1);
  expect(await named(only('ours'), 'gate')).toEqual(byId);
});

test('a chunk is found by its id, with its document', async () => {
  const { n } = (await named(everything, document))?.document ?? { n: 0 };
  const [chunk] = await open.store.documents.chunks(everything, n);
  expect(await named(only('ours'), chunk?.id ?? '')).toMatchObject({
    kind: 'chunk',
    document: { id: document },
    chunks: [chunk?.n],
  });
  expect(await named(only('theirs'), chunk?.id ?? '')).toBeNull();
});

test('a memory is found by its id, with the reason why no search may return it', async () => {
  const live = { isLatest: true, isForgotten: false, isDeclined: false };
  expect(await named(only('ours'), memory)).toMatchObject({ kind: 'memory', document: null, memory: live });
  await open.store.memories.forget(everything, [memory], { reason: null, batch: null });
  expect((await named(only('ours'), memory))?.memory).toEqual({ ...live, isForgotten: true });
});

test('nothing is found outside the scope', async () => {
  for (const id of [document, memory, 'nobody']) expect(await named(only('theirs'), id)).toBeNull();
  expect(await named(only(), 'gate')).toBeNull();
  expect((await named(only('theirs'), 'gate'))?.document?.id).not.toBe(document);
});
