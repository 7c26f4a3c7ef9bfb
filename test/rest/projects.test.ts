// Projects over REST: the older form of container tags, which the browser extension and Raycast use.
import { describe, expect } from 'vitest';
import { verifies } from '../spec/verifies.ts';
import { until } from '../support/until.ts';
import { type Refusal, useOwnMemoir } from './support/use-memoir.ts';

const api = useOwnMemoir();

interface Project extends Refusal {
  id: string;
  name: string;
  containerTag: string;
  documentCount: number;
}

const list = async (key?: string): Promise<Project[]> => {
  const answer = await api.ask<{ projects: Project[] }>(
    'GET',
    '/v3/projects',
    undefined,
    key === undefined ? {} : { key },
  );
  expect(answer.status).toBe(200);
  return answer.body.projects;
};

const create = (body: object, key?: string) =>
  api.ask<Project>('POST', '/v3/projects', body, key === undefined ? {} : { key });

const remove = (id: string, body: object, key?: string) =>
  api.ask<Record<string, unknown> & Refusal>(
    'DELETE',
    `/v3/projects/${encodeURIComponent(id)}`,
    body,
    key === undefined ? {} : { key },
  );

describe('projects', () => {
  verifies(
    ['projects:list:tags', 'projects:create:tag', 'projects:create:same'],
    'a project is a container tag',
    async () => {
      const made = await create({ name: 'Holiday plans', emoji: '🌴' });
      expect([made.status, made.body]).toEqual([
        200,
        {
          id: expect.stringMatching(/^\S{22}$/),
          name: 'Holiday plans',
          containerTag: 'sm_project_holiday_plans',
          createdAt: expect.any(String),
          updatedAt: expect.any(String),
          isExperimental: false,
          documentCount: 0,
        },
      ]);
      await api.add({ content: 'The ferry leaves at nine.', containerTag: 'sm_project_holiday_plans' });
      expect(await list()).toContainEqual({
        ...made.body,
        updatedAt: expect.any(String),
        documentCount: 1,
      });
      const again = await create({ name: 'Holiday plans', emoji: null });
      expect(again.body.id).toBe(made.body.id);
      const other = await create({ name: 'holiday_plans' });
      expect([other.status, other.body.error]).toEqual([409, expect.stringContaining('Holiday plans')]);
    },
  );

  verifies(
    ['projects:list:tags', 'projects:create:tag', 'projects:delete:full-key'],
    'a key that is bound to container tags lists its own, makes no other and deletes none',
    async () => {
      await create({ name: 'Kitchen' });
      const key = await api.memoir.scopedKey(['sm_project_kitchen']);
      expect((await list(key)).map(({ containerTag }) => containerTag)).toEqual(['sm_project_kitchen']);
      expect((await create({ name: 'Kitchen' }, key)).status).toBe(200);
      expect((await create({ name: 'Cellar' }, key)).status).toBe(403);
      expect((await remove('sm_project_kitchen', { action: 'delete' }, key)).status).toBe(403);
    },
  );

  verifies('projects:delete:moves', 'the documents of a deleted project are moved or deleted', async () => {
    const from = (await create({ name: 'Old notes' })).body;
    const to = (await create({ name: 'New notes' })).body;
    const { id } = await api.add({ content: 'Herons wade.', containerTag: from.containerTag });
    expect((await remove(from.id, { action: 'move' })).body.error).toContain('targetProjectId');
    expect((await remove(from.id, { action: 'move', targetProjectId: from.id })).status).toBe(400);
    const moved = await remove(from.id, { action: 'move', targetProjectId: to.id });
    expect(moved.body).toMatchObject({ success: true, documentsAffected: 1 });
    await until('the project to be moved', async () =>
      (await list()).every((project) => project.containerTag !== from.containerTag),
    );
    expect((await api.ask('GET', `/v3/documents/${id}`)).body).toMatchObject({
      containerTags: [to.containerTag],
    });
    expect((await remove(from.id, { action: 'delete' })).status).toBe(404);
    expect((await remove(to.containerTag, { action: 'delete' })).body).toMatchObject({
      success: true,
      message: expect.stringContaining(to.containerTag),
      documentsAffected: 1,
    });
    expect((await api.ask('GET', `/v3/documents/${id}`)).status).toBe(404);
  });
});

describe('what programs ask for before they start', () => {
  verifies(
    'settings:read:restricted',
    'the settings are read with a key that is bound to container tags, without secrets',
    async () => {
      await api.ask('PATCH', '/v3/settings', { githubClientSecret: 'a-long-client-secret' });
      const key = await api.memoir.scopedKey(['office']);
      const answer = await api.ask<Record<string, unknown>>('GET', '/v3/settings', undefined, { key });
      expect([answer.status, answer.body.githubClientSecret]).toEqual([200, null]);
      expect((await api.ask('PATCH', '/v3/settings', { chunkSize: 500 }, { key })).status).toBe(403);
    },
  );

  verifies('routes:absent:advice', 'a route that Memoir has not names the thing to use', async () => {
    for (const [path, advice] of [
      ['/v3/me', '/v3/session'],
      ['/v3/auth/account/memberships', '/v3/session'],
      ['/v3/auth/billing', 'self-hosted'],
      ['/conversations', '/v4/conversations'],
      ['/api/v1/memories/abc', '/v3/documents'],
      ['/feedback', 'the owner of this server'],
      ['/namespaces', '/ns'],
      ['/ns/office/document/a/b', '%2F'],
      ['/v3/nothing', '/v3/openapi'],
    ] as const) {
      const { status, body } = await api.ask<Refusal>('GET', path);
      expect([status, body.error], path).toEqual([404, expect.stringContaining(advice)]);
    }
  });

  verifies('input:null:left-out', 'null for an optional field is the same as leaving it out', async () => {
    const tag = api.newTag();
    const added = await api.ask('POST', '/v3/documents', {
      content: 'Herons wade.',
      containerTag: tag,
      customId: null,
      metadata: { kind: 'bird', place: null },
      taskType: null,
    });
    expect(added.status).toBe(200);
    for (const [path, body] of [
      ['/v4/search', { limit: null, threshold: null, filters: null, include: null, docId: null }],
      ['/v3/search', { limit: null, filters: null, docId: null, rerank: null }],
    ] as const) {
      const answer = await api.ask('POST', path, { q: 'Herons', containerTag: tag, ...body });
      expect(answer.status, path).toBe(200);
    }
    expect((await api.ask('POST', '/v4/search', { q: null })).status).toBe(400);
  });
});
