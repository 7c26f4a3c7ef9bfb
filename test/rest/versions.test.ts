// Versions in paths, and the paths of earlier clients, against the whole service.
import { describe, expect } from 'vitest';
import { operations } from '../../tools/registry.generated.ts';
import { verifies } from '../spec/verifies.ts';
import { pathOf, type Refusal, useMemoir } from './support/use-memoir.ts';

const api = useMemoir();

verifies(
  'versions:path:prefixes',
  'documents are under /v3/, the search of memories is under /v4/',
  async () => {
    const under = (group: string) =>
      new Set(
        operations
          .filter(({ name }) => name.startsWith(`${group}.`))
          .map(({ rest }) => rest.path.slice(0, 4)),
      );
    expect(under('documents')).toEqual(new Set(['/v3/']));
    const containerTag = api.newTag();
    await api.add({ content: 'Versions are in the path.', containerTag });
    const asked = { q: 'Where are the versions?', containerTag };
    expect((await api.ask('POST', '/v4/search', asked)).body).toMatchObject({ total: 1 });
    expect((await api.ask('POST', '/v3/search', asked)).body).toMatchObject({ total: 1 });
    expect((await api.ask('POST', '/v4/documents', { content: 'x' })).status).toBe(404);
  },
);

verifies('versions:path:profile', 'the profile is under /v4/', async () => {
  const containerTag = api.newTag();
  const { status, body } = await api.ask<{ profile: object }>('POST', '/v4/profile', { containerTag });
  expect([status, Object.keys(body.profile)]).toEqual([200, expect.arrayContaining(['static', 'dynamic'])]);
  expect((await api.ask('POST', '/v3/profile', { containerTag })).status).toBe(404);
});

verifies('versions:v2:gone', 'what was before v3 is not served', async () => {
  const gone: [string, string, object?][] = [
    ['POST', '/v2/documents', { content: 'x' }],
    ['GET', '/v2/documents/x'],
    ['POST', '/add', { content: 'x' }],
    ['GET', '/memory/x'],
    ['POST', '/v1/search', { q: 'x' }],
    ['GET', '/v2/memories'],
  ];
  for (const [method, path, body] of gone) {
    const answer = await api.ask<Refusal>(method, path, body);
    expect([path, answer.status, answer.body.error]).toEqual([
      path,
      404,
      `The route ${method} ${path} does not exist. All operations are listed at /v3/openapi.`,
    ]);
  }
});

verifies('versions:v5:served', 'a namespace of version 5 is the container tag of the others', async () => {
  const namespace = api.newTag();
  const { body } = await api.ask<{ id: string }>('POST', `/ns/${namespace}/document`, {
    content: 'Sent as 5.',
  });
  expect(await api.read(body.id)).toMatchObject({ content: 'Sent as 5.', containerTags: [namespace] });
  const { id } = await api.add({ content: 'Sent as 3.', containerTag: namespace });
  const answer = await api.ask('GET', `/ns/${namespace}/document/${id}`);
  expect([answer.status, answer.body.content]).toEqual([200, 'Sent as 3.']);
});

describe('the paths of earlier clients', () => {
  /** Follows redirects as clients do. */
  const follow = async (method: string, path: string, body?: object) => {
    const answer = await fetch(api.memoir.url + path, {
      method,
      headers: { authorization: `Bearer ${api.memoir.key}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    return {
      status: answer.status,
      redirected: answer.redirected,
      body: text === '' ? null : JSON.parse(text),
    };
  };

  verifies(
    ['versions:legacy:redirect', 'versions:legacy:method-and-body'],
    'the paths of earlier clients lead to where documents are, with method and body',
    async () => {
      const containerTag = api.newTag();
      const customId = `legacy of ${containerTag}`;
      const added = await follow('POST', '/v3/memories', {
        content: 'Sent to where it was.',
        customId,
        containerTag,
      });
      expect(added).toMatchObject({ status: 200, redirected: true, body: { status: 'queued' } });
      const { id } = added.body;
      await api.settled(id);
      const path = `/v3/memories/${encodeURIComponent(customId)}`;
      expect((await follow('GET', path)).body).toMatchObject({ id, content: 'Sent to where it was.' });
      const listed = await follow('POST', '/v3/memories/list', { containerTags: [containerTag] });
      expect(listed.body.memories).toMatchObject([{ id }]);
      const queried = await follow('GET', `/v3/memories?containerTags=${containerTag}`);
      expect(queried.body.memories).toMatchObject([{ id }]);
      expect((await follow('PATCH', path, { metadata: { moved: true } })).status).toBe(200);
      expect((await api.read(id)).metadata).toEqual({ moved: true });
      const swept = await follow('DELETE', '/v3/memories/bulk', { ids: [id] });
      expect(swept.body).toEqual({ success: true, deletedCount: 1 });
    },
  );
});

verifies('versions:delete:either-id', 'a delete takes the internal id and the customId', async () => {
  const containerTag = api.newTag();
  const one = await api.add({ content: 'By its id.', customId: 'by its id', containerTag });
  const other = await api.add({ content: 'By its customId.', customId: 'by its/customId', containerTag });
  expect((await api.remove(one.id)).status).toBe(204);
  expect((await api.remove('by its/customId')).status).toBe(204);
  for (const { id } of [one, other]) expect((await api.ask('GET', pathOf(id))).status).toBe(404);
});

verifies(
  ['versions:include-chunks:deprecated', 'search:params:include-chunks'],
  'the include value chunks is described as deprecated in favour of hybrid',
  async () => {
    const { body } = await api.ask('GET', '/v4/openapi');
    const path = 'components.schemas.SearchMemoriesRequest.properties.include.properties.chunks.description';
    expect(body).toHaveProperty(path, expect.stringMatching(/^Deprecated: use searchMode hybrid/));
  },
);
