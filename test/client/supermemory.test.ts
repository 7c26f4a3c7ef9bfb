// The published client as it is on npm, with nothing changed but its base URL.
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import Supermemory from 'supermemory';
import { beforeAll, describe, expect, test } from 'vitest';
import { verifies } from '../spec/verifies.ts';
import { useServer } from '../support/use-server.ts';

const memoir = useServer();
let client: Supermemory;
beforeAll(async () => {
  client = new Supermemory({ baseURL: memoir.url, apiKey: memoir.key, maxRetries: 0 });
});

const as = (apiKey: string, more: object = {}) =>
  new Supermemory({ baseURL: memoir.url, apiKey, maxRetries: 0, ...more });

/** A client that tries again by itself, and how often it asked. */
const eagerly = (apiKey: string) => {
  let asked = 0;
  const counting: typeof fetch = (...request) => {
    asked += 1;
    return fetch(...request);
  };
  return { eager: as(apiKey, { maxRetries: 2, fetch: counting }), asked: () => asked };
};

const limited = (more: Record<string, unknown>) => memoir.scopedKey(['limited'], more);

describe('settings', () => {
  verifies('client:settings:methods', 'settings are changed and read', async () => {
    const changed = await client.settings.update({
      shouldLLMFilter: true,
      filterPrompt: 'Keep what is about birds.',
      githubClientId: 'g-1',
      githubClientSecret: 'a-long-client-secret',
    });
    expect(changed.updated).toMatchObject({ filterPrompt: 'Keep what is about birds.' });
    expect(await client.settings.get()).toMatchObject({
      shouldLLMFilter: true,
      filterPrompt: 'Keep what is about birds.',
      githubClientId: 'g-1',
      githubClientSecret: '••••cret',
    });
    await client.settings.update({ shouldLLMFilter: false });
    await expect(client.settings.update({ filterPrompt: 'Too late.' })).rejects.toThrow(
      Supermemory.BadRequestError,
    );
    const bound = as(await memoir.scopedKey(['client-bound']));
    expect(await bound.settings.get()).toMatchObject({ shouldLLMFilter: false, githubClientSecret: null });
    await expect(bound.settings.update({ chunkSize: 500 })).rejects.toThrow(
      Supermemory.PermissionDeniedError,
    );
  });
});

describe('documents', () => {
  verifies('client:documents:methods', 'documents are added, read and found', async () => {
    const added = await client.add({
      content: 'Ada plays the cello on Fridays.',
      customId: 'a/b c:d',
      containerTag: 'client-ada',
      metadata: { kind: 'hobby', weekly: true },
    });
    expect(added).toEqual({ id: expect.any(String), status: 'queued' });
    await memoir.remembered(added.id);
    const same = await client.documents.add({
      content: 'Ada plays the cello on Fridays.',
      customId: 'a/b c:d',
      containerTag: 'client-ada',
    });
    expect(same).toEqual({ id: added.id, status: 'done' });
    const read = await client.documents.get(added.id);
    expect(read).toMatchObject({
      id: added.id,
      customId: 'a/b c:d',
      content: 'Ada plays the cello on Fridays.',
      status: 'done',
      containerTags: ['client-ada'],
      metadata: { kind: 'hobby', weekly: true },
    });
    expect(await client.documents.get('a/b c:d')).toEqual(read);
  });

  verifies(
    'client:documents:methods',
    'documents are added in batches, of objects and of texts',
    async () => {
      const batch = await client.documents.batchAdd({
        documents: [
          { content: 'The first of two.', customId: 'first', metadata: { n: 1 } },
          { content: 'The second of two.' },
        ],
        containerTag: 'batch',
      });
      expect(batch).toMatchObject({
        success: 2,
        failed: 0,
        results: [{ status: 'queued' }, { status: 'queued' }],
      });
      const texts = await client.documents.batchAdd({
        documents: ['A bare text.', 'Another.'],
        containerTag: 'batch',
      });
      expect(texts.success).toBe(2);
      await memoir.idle();
      const { pagination } = await client.documents.list({ containerTags: ['batch'] });
      expect(pagination).toEqual({ currentPage: 1, totalItems: 4, totalPages: 1, limit: 10 });
    },
  );

  verifies('client:documents:methods', 'documents are listed, with arguments and without', async () => {
    await client.add({ content: 'A listed note.', containerTag: 'listed', metadata: { kind: 'note' } });
    // Its types ask for a body, its code does not: then none is sent.
    const bare = client.documents.list as unknown as () => ReturnType<typeof client.documents.list>;
    expect((await bare.call(client.documents)).memories.length).toBeGreaterThan(0);
    const { memories } = await client.documents.list({
      containerTags: ['listed'],
      filters: { AND: [{ key: 'kind', value: 'note', filterType: 'metadata', numericOperator: '=' }] },
      includeContent: true,
      limit: '5',
      page: 1,
      sort: 'updatedAt',
      order: 'asc',
    });
    expect(memories).toMatchObject([{ content: 'A listed note.', metadata: { kind: 'note' } }]);
  });

  verifies('client:documents:methods', 'documents that are processed are listed', async () => {
    const documents = Array.from({ length: 200 }, (_, n) => `Number ${n} is being processed.`);
    await client.documents.batchAdd({ documents, containerTag: 'busy' });
    const queue = await client.documents.listProcessing();
    expect(queue.totalCount).toBeGreaterThan(0);
    expect(queue.documents[0]).toMatchObject({ id: expect.any(String), type: 'text' });
    await memoir.idle();
    expect(await client.documents.listProcessing()).toEqual({ documents: [], totalCount: 0 });
  });

  verifies('client:documents:methods', 'documents are updated and deleted', async () => {
    const { id } = await client.add({ content: 'Before.', customId: 'changing', containerTag: 'changes' });
    await memoir.settled(id);
    expect(await client.documents.update(id, { metadata: { reviewed: true } })).toEqual({
      id,
      status: 'done',
    });
    expect(await client.documents.update('changing', { content: 'After.' })).toEqual({
      id,
      status: 'queued',
    });
    expect(await memoir.settled(id)).toMatchObject({ content: 'After.', metadata: { reviewed: true } });
    expect(await client.documents.delete('changing')).toBeFalsy();
    await expect(client.documents.get(id)).rejects.toThrow(Supermemory.NotFoundError);
  });

  verifies('client:documents:methods', 'documents are deleted in bulk, by id and by tag', async () => {
    const one = await client.add({ content: 'One of three.', containerTag: 'bulk' });
    expect(await client.documents.deleteBulk({ ids: [one.id] })).toEqual({ success: true, deletedCount: 1 });
    const missing = await client.documents.deleteBulk({ ids: [one.id] });
    expect(missing).toEqual({
      success: true,
      deletedCount: 0,
      errors: [{ id: one.id, error: 'Memory not found' }],
    });
    await client.documents.batchAdd({
      documents: ['Two of three.', 'Three of three.'],
      containerTag: 'bulk',
    });
    const swept = await client.documents.deleteBulk({ containerTags: ['bulk'] });
    expect(swept).toEqual({ success: true, deletedCount: 2, containerTags: ['bulk'] });
  });
});

describe('memories', () => {
  verifies('client:memories:methods', 'memories are updated and forgotten', async () => {
    const containerTag = 'remembered';
    const { body } = await memoir.ask<{ memories: { id: string }[] }>('POST', '/v4/memories', {
      ...{ containerTag, memories: [{ content: 'Ada prefers tea.', metadata: { kind: 'taste' } }] },
    });
    const id = body.memories[0]?.id ?? '';
    const updated = await client.memories.updateMemory({
      ...{ containerTag, id, newContent: 'Ada prefers coffee.', forgetAfter: '2124-01-01T00:00:00Z' },
      ...{ forgetReason: 'A phase', metadata: { kind: 'habit' } },
    });
    expect(updated).toMatchObject({
      ...{ memory: 'Ada prefers coffee.', version: 2, parentMemoryId: id, rootMemoryId: id },
      ...{ forgetAfter: '2124-01-01T00:00:00.000Z', forgetReason: 'A phase' },
    });
    const exact = { containerTag, content: 'Ada prefers coffee.' };
    expect(await client.memories.forget({ ...exact, reason: 'Wrong' })).toEqual({
      ...{ id: updated.id, forgotten: true },
    });
    const { eager, asked } = eagerly(memoir.key);
    await expect(eager.memories.forget(exact)).rejects.toThrow(Supermemory.ConflictError);
    expect(asked()).toBe(1);
    await expect(client.memories.forget({ containerTag, id: 'nobody' })).rejects.toThrow(
      Supermemory.NotFoundError,
    );
    await expect(client.memories.forget({ containerTag })).rejects.toThrow(Supermemory.BadRequestError);
  });
});

describe('searches', () => {
  const containerTag = 'searched';
  const content = 'The spare key of the boat house hangs behind the blue door.';
  beforeAll(async () => {
    const keys = await memoir.add({ content, containerTag, title: 'Keys', metadata: { kind: 'place' } });
    const cakes = await memoir.add({ content: 'Pancakes need milk, eggs and flour.', containerTag });
    for (const { id } of [keys, cakes]) await memoir.remembered(id);
  });
  const q = 'Where is the key of the boat house?';

  verifies('client:search:methods', 'searches for memories work as a call and as a method', async () => {
    const found = await client.search({ q, containerTag });
    const memory = content.slice(0, -1);
    expect(found).toMatchObject({ total: 1, results: [{ memory, metadata: { kind: 'place' } }] });
    expect(found.results[0]?.similarity).toBeGreaterThanOrEqual(0.6);
    const again = await client.search.memories({ q, containerTag, limit: 1, threshold: 0.6, rerank: false });
    expect(again.results).toEqual(found.results);
  });

  verifies(
    'client:search:methods',
    'searches pass on what the types of the client know, and what they do not',
    async () => {
      const known = await client.search({
        q,
        containerTag,
        searchMode: 'hybrid',
        include: { documents: true, chunks: true },
      });
      expect(known.results).toMatchObject([{ documents: [{ title: 'Keys' }], chunks: [{ content }] }]);
      const unknown = { q, containerTags: [containerTag], searchMode: 'keyword', endUserId: 'nobody' };
      expect((await client.search(unknown as Parameters<typeof client.search>[0])).results).toEqual([]);
    },
  );

  verifies('client:search:methods', 'searches for documents work under both of their names', async () => {
    const body = { q, containerTags: [containerTag], includeFullDocs: true, chunkThreshold: 0.5 };
    const found = await client.search.documents(body);
    expect(found).toMatchObject({
      total: 1,
      results: [{ title: 'Keys', content, chunks: [{ content, isRelevant: true }] }],
    });
    expect((await client.search.execute(body)).results).toEqual(found.results);
  });
});

describe('errors', () => {
  verifies(
    'client:errors:classes',
    'errors arrive as the class of their status, with body and headers',
    async () => {
      const scoped = as(await memoir.scopedKey(['scoped']));
      const reader = as(await memoir.scopedKey(['scoped'], { permission: 'read' }));
      const spent = as(await limited({ rateLimitMax: 1 }));
      await spent.documents.list({});
      const cases: [() => Promise<unknown>, new (...args: never[]) => Error, number][] = [
        [() => client.add({ content: '' }), Supermemory.BadRequestError, 400],
        [() => client.search({ q: 'x', limit: 1_000 }), Supermemory.BadRequestError, 400],
        [() => as('sm_wrong').documents.list({}), Supermemory.AuthenticationError, 401],
        [() => scoped.add({ content: 'x', containerTag: 'foreign' }), Supermemory.PermissionDeniedError, 403],
        [() => reader.add({ content: 'x' }), Supermemory.PermissionDeniedError, 403],
        [() => client.documents.get('nobody'), Supermemory.NotFoundError, 404],
        [() => client.search.documents({ q: 'x', docId: 'nobody' }), Supermemory.NotFoundError, 404],
        [() => spent.documents.list({}), Supermemory.RateLimitError, 429],
      ];
      for (const [call, type, status] of cases) {
        const error = await call().then(
          () => undefined,
          (thrown: unknown) => thrown,
        );
        expect(error).toBeInstanceOf(type);
        expect(error).toMatchObject({ status, error: { error: expect.any(String) } });
        expect(
          (error as InstanceType<typeof Supermemory.APIError>).headers?.get('x-request-id'),
        ).toBeTruthy();
      }
    },
  );

  test('errors of a rate that was exceeded are waited out by its own retries', async () => {
    const patient = as(await limited({ rateLimitMax: 1, rateLimitTimeWindow: 300 }), { maxRetries: 2 });
    const added = await Promise.all(['One.', 'Two.'].map((content) => patient.add({ content })));
    expect(added.map(({ status }) => status)).toEqual(['queued', 'queued']);
  });

  test('errors of a long wait are not waited out', async () => {
    const { eager, asked } = eagerly(await limited({ rateLimitMax: 1, rateLimitTimeWindow: 3_600_000 }));
    await eager.documents.list({});
    await expect(eager.documents.list({})).rejects.toThrow(Supermemory.RateLimitError);
    expect(asked()).toBe(2);
  });
});

test('a base URL with a path before ours is reached through a proxy', async () => {
  const proxy = createServer((incoming, outgoing) => {
    const to = new URL((incoming.url ?? '').replace(/^\/memory/, ''), memoir.url);
    const passed = request(to, { method: incoming.method, headers: incoming.headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    incoming.pipe(passed);
  });
  await new Promise<void>((listening) => proxy.listen(0, '127.0.0.1', listening));
  try {
    const { port } = proxy.address() as AddressInfo;
    const behind = as(memoir.key, { baseURL: `http://127.0.0.1:${port}/memory/` });
    const { id } = await behind.add({
      content: 'Through a proxy.',
      customId: 'proxied',
      containerTag: 'proxy',
    });
    await memoir.settled(id);
    expect(await behind.documents.get('proxied')).toMatchObject({ id, content: 'Through a proxy.' });
    expect((await behind.search({ q: 'proxy', containerTag: 'proxy' })).total).toBe(1);
  } finally {
    proxy.closeAllConnections();
    proxy.close();
  }
});
