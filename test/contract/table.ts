// The table of all methods of the published client, each with its call, its request and its result.
import { expect } from 'vitest';
import type { Memoir } from '../../sdk/src/index.generated.ts';
import type { TestMemoir } from '../support/memoir.ts';

export interface Scene {
  /** A container tag that no other row uses. */
  readonly tag: string;
  /** A document under that tag, done and with its memories drawn. */
  readonly id: string;
  readonly memoir: TestMemoir;
}

export interface Row {
  readonly method: string;
  readonly request: (scene: Scene) => { method: string; path: string; body?: unknown; form?: FormData };
  readonly status: number;
  /** Both clients have the same names, so one line calls either. */
  readonly call: (client: Memoir, scene: Scene) => PromiseLike<unknown>;
  /** The result of the caller; for refusals the body of the answer. */
  readonly gets: (scene: Scene) => unknown;
  /** A refusal: the class of the error, by its name. */
  readonly fails?: string;
}

export const CONTENT = 'Ada prefers tea, and meetings before noon.';

const accepted = () => ({ id: expect.any(String), status: 'queued' });
const post = (path: string, body?: (scene: Scene) => unknown) => (scene: Scene) => ({
  method: 'POST',
  path,
  ...(body === undefined ? {} : { body: body(scene) }),
});

const added = { content: 'A row of a table.', metadata: { kind: 'row', n: 1 } };

const file = () => new File(['A text in a file.\n'], 'notes.txt', { type: 'text/plain' });

const formOf = ({ tag }: Scene): FormData => {
  const form = new FormData();
  form.append('file', file());
  form.append('containerTags', tag);
  form.append('metadata', '{"kind":"file"}');
  return form;
};

const addRows: Row[] = (['add', 'documents.add'] as const).map((method) => ({
  method,
  request: post('/v3/documents', ({ tag }) => ({
    ...added,
    containerTag: tag,
    customId: `${tag}/${method}`,
  })),
  status: 200,
  call: (client, { tag }) => {
    const body = { ...added, containerTag: tag, customId: `${tag}/${method}` };
    return method === 'add' ? client.add(body) : client.documents.add(body);
  },
  gets: accepted,
}));

const documentRows: Row[] = [
  ...addRows,
  {
    method: 'documents.batchAdd',
    request: post('/v3/documents/batch', ({ tag }) => ({
      documents: ['One.', { content: 'Two.' }],
      containerTag: tag,
    })),
    status: 200,
    call: (client, { tag }) =>
      client.documents.batchAdd({ documents: ['One.', { content: 'Two.' }], containerTag: tag }),
    gets: () => ({ success: 2, failed: 0, results: [accepted(), accepted()] }),
  },
  {
    method: 'documents.uploadFile',
    request: (scene) => ({ method: 'POST', path: '/v3/documents/file', form: formOf(scene) }),
    status: 200,
    call: (client, { tag }) =>
      client.documents.uploadFile({ file: file(), containerTags: tag, metadata: '{"kind":"file"}' }),
    gets: accepted,
  },
  {
    method: 'documents.list',
    request: post('/v3/documents/list', ({ tag }) => ({ containerTags: [tag], limit: 5 })),
    status: 200,
    call: (client, { tag }) => client.documents.list({ containerTags: [tag], limit: 5 }),
    gets: ({ id }) => ({ memories: [{ id, status: 'done' }], pagination: { currentPage: 1, totalItems: 1 } }),
  },
  {
    method: 'documents.listProcessing',
    request: () => ({ method: 'GET', path: '/v3/documents/processing' }),
    status: 200,
    call: (client) => client.documents.listProcessing(),
    gets: () => ({ documents: expect.any(Array), totalCount: expect.any(Number) }),
  },
  {
    method: 'documents.get',
    request: ({ id }) => ({ method: 'GET', path: `/v3/documents/${id}` }),
    status: 200,
    call: (client, { id }) => client.documents.get(id),
    gets: ({ id, tag }) => ({ id, content: CONTENT, containerTags: [tag], status: 'done' }),
  },
  {
    method: 'documents.update',
    request: ({ id }) => ({
      method: 'PATCH',
      path: `/v3/documents/${id}`,
      body: { metadata: { seen: true } },
    }),
    status: 200,
    call: (client, { id }) => client.documents.update(id, { metadata: { seen: true } }),
    gets: ({ id }) => ({ id, status: 'done' }),
  },
  {
    method: 'documents.delete',
    request: ({ id }) => ({ method: 'DELETE', path: `/v3/documents/${id}` }),
    status: 204,
    call: (client, { id }) => client.documents.delete(id),
    gets: () => null,
  },
  {
    method: 'documents.deleteBulk',
    request: ({ id }) => ({ method: 'DELETE', path: '/v3/documents/bulk', body: { ids: [id] } }),
    status: 200,
    call: (client, { id }) => client.documents.deleteBulk({ ids: [id] }),
    gets: () => ({ success: true, deletedCount: 1 }),
  },
];

const asked = { q: 'What does Ada prefer to drink?' };

const memorySearches: Row[] = (['search', 'search.memories'] as const).map((method) => ({
  method,
  request: post('/v4/search', ({ tag }) => ({ ...asked, containerTag: tag, searchMode: 'hybrid' })),
  status: 200,
  call: (client, { tag }) => {
    const body = { ...asked, containerTag: tag, searchMode: 'hybrid' as const };
    return method === 'search' ? client.search(body) : client.search.memories(body);
  },
  gets: () => ({
    total: expect.any(Number),
    timing: expect.any(Number),
    results: [{ similarity: expect.any(Number) }],
  }),
}));

const documentSearches: Row[] = (['documents', 'execute'] as const).map((name) => ({
  method: `search.${name}`,
  request: post('/v3/search', ({ tag }) => ({ ...asked, containerTags: [tag] })),
  status: 200,
  call: (client, { tag }) => client.search[name]({ ...asked, containerTags: [tag] }),
  gets: ({ id }) => ({ total: 1, results: [{ documentId: id, chunks: [{ content: CONTENT }] }] }),
}));

const memoryRows: Row[] = [
  ...memorySearches,
  ...documentSearches,
  {
    method: 'profile',
    request: post('/v4/profile', ({ tag }) => ({ containerTag: tag })),
    status: 200,
    call: (client, { tag }) => client.profile({ containerTag: tag }),
    gets: () => ({ profile: { static: expect.any(Array), dynamic: expect.any(Array) } }),
  },
  {
    method: 'memories.updateMemory',
    request: ({ tag }) => ({
      method: 'PATCH',
      path: '/v4/memories',
      body: { containerTag: tag, content: 'Ada likes cake.', newContent: 'Ada likes pie.' },
    }),
    status: 200,
    call: (client, { tag }) =>
      client.memories.updateMemory({
        containerTag: tag,
        content: 'Ada likes cake.',
        newContent: 'Ada likes pie.',
      }),
    gets: () => ({ memory: 'Ada likes pie.', version: 2 }),
  },
  {
    method: 'memories.forget',
    request: ({ tag }) => ({
      method: 'DELETE',
      path: '/v4/memories',
      body: { containerTag: tag, content: 'Ada likes cake.', reason: 'Wrong' },
    }),
    status: 200,
    call: (client, { tag }) =>
      client.memories.forget({ containerTag: tag, content: 'Ada likes cake.', reason: 'Wrong' }),
    gets: () => ({ id: expect.any(String), forgotten: true }),
  },
];

const settingsRows: Row[] = [
  {
    method: 'settings.get',
    request: () => ({ method: 'GET', path: '/v3/settings' }),
    status: 200,
    call: (client) => client.settings.get(),
    gets: () => ({ chunkSize: null, shouldLLMFilter: null }),
  },
  {
    method: 'settings.update',
    request: () => ({ method: 'PATCH', path: '/v3/settings', body: { githubClientId: 'g-1' } }),
    status: 200,
    call: (client) => client.settings.update({ githubClientId: 'g-1' }),
    gets: () => ({ updated: { githubClientId: 'g-1' } }),
  },
];

const SOURCE = '8Zk3vQm1TfYc7RnWdP2xLs';
const tags = { containerTags: ['a'] };

const withoutConnection = (
  method: string,
  request: { method: string; path: string; body?: unknown },
  call: (client: Memoir) => PromiseLike<unknown>,
): Row => ({
  ...{ method: `connections.${method}`, request: () => request, status: 404, call, fails: 'NotFoundError' },
  gets: () => ({ error: expect.stringContaining('There is no') }),
});

const at = (method: string, path: string, body?: unknown) => ({
  method,
  path: `/v3/connections/${path}`,
  ...(body === undefined ? {} : { body }),
});

const connectionRows: Row[] = [
  {
    method: 'connections.list',
    request: post('/v3/connections/list', () => tags),
    status: 200,
    call: (client) => client.connections.list(tags),
    gets: () => [],
  },
  {
    method: 'connections.create',
    request: () => at('POST', 's3', tags),
    status: 400,
    call: (client) => client.connections.create('s3', tags),
    fails: 'BadRequestError',
    gets: () => ({ error: expect.stringContaining('A bucket needs metadata.accessKeyId') }),
  },
  withoutConnection('getByID', at('GET', SOURCE), (client) => client.connections.getByID(SOURCE)),
  withoutConnection('deleteByID', at('DELETE', SOURCE), (client) => client.connections.deleteByID(SOURCE)),
  withoutConnection('deleteByProvider', at('DELETE', 'notion', tags), (client) =>
    client.connections.deleteByProvider('notion', tags),
  ),
  withoutConnection('getByTag', at('POST', 'notion/connection', tags), (client) =>
    client.connections.getByTag('notion', tags),
  ),
  {
    method: 'connections.listDocuments',
    request: () => at('POST', 'notion/documents', tags),
    status: 200,
    call: (client) => client.connections.listDocuments('notion', tags),
    gets: () => [],
  },
  withoutConnection('import', at('POST', 'notion/import', tags), (client) =>
    client.connections.import('notion', tags),
  ),
  withoutConnection('configure', at('POST', `${SOURCE}/configure`, { resources: [{ id: 1 }] }), (client) =>
    client.connections.configure(SOURCE, { resources: [{ id: 1 }] }),
  ),
  withoutConnection('resources', at('GET', `${SOURCE}/resources?page=2`), (client) =>
    client.connections.resources(SOURCE, { page: 2 }),
  ),
];

const refusal = (
  method: string,
  status: number,
  fails: string,
  request: Row['request'],
  call: Row['call'],
): Row => ({ method, status, fails, request, call, gets: () => ({ error: expect.any(String) }) });

const refusalRows: Row[] = [
  refusal(
    'add, without content',
    400,
    'BadRequestError',
    post('/v3/documents', () => ({ content: '' })),
    (client) => client.add({ content: '' }),
  ),
  refusal(
    'documents.get, of nothing',
    404,
    'NotFoundError',
    () => ({ method: 'GET', path: '/v3/documents/nobody' }),
    (client) => client.documents.get('nobody'),
  ),
  refusal(
    'settings.update, against what is set',
    400,
    'BadRequestError',
    () => ({ method: 'PATCH', path: '/v3/settings', body: { shouldLLMFilter: 7 } }),
    (client) => client.settings.update({ shouldLLMFilter: 7 as unknown as boolean }),
  ),
];

export const table: readonly Row[] = [
  ...documentRows,
  ...memoryRows,
  ...settingsRows,
  ...connectionRows,
  ...refusalRows,
];
