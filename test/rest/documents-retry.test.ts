// Retrying documents over REST: one, or all that a filter chooses.
import { expect } from 'vitest';
import { verifies } from '../spec/verifies.ts';
import { until } from '../support/until.ts';
import { pathOf, type Refusal, useMemoir } from './support/use-memoir.ts';

const api = useMemoir();

/** No page can be fetched from there. */
const ADDRESS = 'https://pages.internal/retried';

const retry = (ref: string) =>
  api.ask<{ id: string; status: string } & Refusal>('POST', `${pathOf(ref)}/retry`);

const retryMany = async (body: Record<string, unknown>): Promise<number> => {
  const answer = await api.ask<{ retried: number }>('POST', '/v3/documents/retry', body);
  expect(answer.status).toBe(202);
  return answer.body.retried;
};

const failed = async (tag: string, more: Record<string, unknown> = {}): Promise<string> => {
  const document = await api.add({ content: ADDRESS, containerTag: tag, ...more });
  expect(document.status).toBe('failed');
  return document.id;
};

const triedAgain = (id: string, since: string): Promise<number> =>
  until('the document to fail again', async () => {
    const { status, updatedAt } = await api.read(id);
    return status === 'failed' && updatedAt > since;
  });

verifies(
  'documents:retry:failed',
  'a failed document is tried again by its id and by its customId; one that is done stays as it is, and one that does not exist is not found',
  async () => {
    const tag = api.newTag();
    const id = await failed(tag, { customId: `retried ${tag}` });
    for (const ref of [id, `retried ${tag}`]) {
      const { updatedAt } = await api.read(id);
      const answer = await retry(ref);
      expect([answer.status, answer.body]).toEqual([202, { id, status: 'queued' }]);
      await triedAgain(id, updatedAt);
    }
    const { id: well, updatedAt } = await api.add({ content: 'A text about kettles.', containerTag: tag });
    expect((await retry(well)).body).toEqual({ id: well, status: 'done' });
    expect(await api.read(well)).toMatchObject({ status: 'done', updatedAt });
    const missing = await retry('nobody');
    expect([missing.status, missing.body.error]).toEqual([404, expect.stringContaining('"nobody"')]);
  },
);

verifies(
  'documents:retry:filter',
  'documents are retried by container tag, status, metadata and path, and only those that failed',
  async () => {
    const [tag, other] = [api.newTag(), api.newTag()];
    const id = await failed(tag, { metadata: { kind: 'page' }, filepath: '/pages/one' });
    const elsewhere = await failed(other);
    await api.add({ content: 'A text about kettles.', containerTag: tag, metadata: { kind: 'page' } });
    const filters = (value: string) => ({ AND: [{ key: 'kind', value }] });
    const chosen = { containerTag: tag };
    expect(await retryMany({ ...chosen, status: 'queued' })).toBe(0);
    expect(await retryMany({ ...chosen, filters: filters('text') })).toBe(0);
    expect(await retryMany({ ...chosen, filepath: '/texts/' })).toBe(0);
    for (const more of [{}, { status: 'failed' }, { filters: filters('page') }, { filepath: '/pages/' }]) {
      const { updatedAt } = await api.read(id);
      expect(await retryMany({ ...chosen, ...more })).toBe(1);
      await triedAgain(id, updatedAt);
    }
    const before = await api.read(elsewhere);
    expect(await retryMany({ containerTags: [tag, other], operator: 'AND' })).toBe(0);
    expect(await api.read(elsewhere)).toEqual(before);
  },
);
