// Tests of this client with answers of a later server.
import { describe, expect, test } from 'vitest';
import { startScript } from './support/scripted.ts';

const document = {
  ...{
    id: 'a',
    customId: null,
    status: 'done',
    step: 'done',
    dreamingStatus: 'done',
    failure: null,
    progress: null,
  },
  ...{ colour: 'blue', nested: { later: [1, { still: true }] } },
};

describe('a later server', () => {
  test('may send fields that this client does not know, and they are passed on', async () => {
    await using script = await startScript({ body: document });
    expect(await script.client().documents.get('a')).toEqual(document);
  });

  test('may send states that this client does not know, and it goes on waiting', async () => {
    const dreaming = { ...document, status: 'polishing', step: 'shining' };
    await using script = await startScript({ body: dreaming }, { body: dreaming }, { body: document });
    const seen: string[] = [];
    const done = await script
      .client()
      .documents.waitFor('a', { onProgress: ({ status }) => seen.push(status) });
    expect([done.status, seen]).toEqual(['done', ['polishing', 'done']]);
  });

  test('may add fields to lists and pages', async () => {
    const page = {
      memories: [document],
      pagination: { currentPage: 1, totalPages: 1, cursor: 'x' },
      facets: [],
    };
    await using script = await startScript({ body: page });
    const found: unknown[] = [];
    for await (const one of script.client().documents.list({})) found.push(one);
    expect(found).toEqual([document]);
  });

  test('may refuse with a status and a body of its own', async () => {
    await using script = await startScript({
      status: 418,
      body: { error: { code: 'TEAPOT' }, hint: 'Tea.' },
    });
    await expect(script.client().documents.get('a')).rejects.toMatchObject({
      ...{ status: 418, name: 'APIError', message: '418 {"error":{"code":"TEAPOT"},"hint":"Tea."}' },
    });
  });
});
