// Redrawing memories over REST, after the organisation changed what may be remembered.
import { expect } from 'vitest';
import { verifies } from '../spec/verifies.ts';
import { until } from '../support/until.ts';
import { useOwnMemoir } from './support/use-memoir.ts';

const api = useOwnMemoir();

interface Entry {
  id: string;
  memory: string;
  isForgotten: boolean;
  createdAt: string;
  updatedAt: string;
}

const entries = async (containerTag: string): Promise<Entry[]> => {
  const { body } = await api.ask<{ memoryEntries: Entry[] }>('POST', '/v4/memories/list', {
    containerTags: [containerTag],
  });
  return body.memoryEntries.toSorted((a, b) => a.memory.localeCompare(b.memory));
};

const redrawn = async (containerTag: string) => {
  const asked = await api.ask('POST', '/v4/memories/redraw', { containerTag });
  expect(asked).toMatchObject({ status: 202, body: { documents: 1, failed: 0 } });
  const path = `/v4/memories/redraw?containerTag=${containerTag}`;
  const status = async () => (await api.ask<Record<string, number>>('GET', path)).body;
  await until('the redraw to end', async () => (await status()).waiting === 0);
  return status();
};

const said = { content: 'I live in Ghent. My dog is called Bruno. I play the harp.', dreaming: 'instant' };

verifies(
  'memories:redraw:changes',
  'what may no longer be remembered is deleted by a redraw, and all other memories stay as they are',
  async () => {
    const containerTag = api.newTag();
    await api.add({ ...said, containerTag });
    await until('the memories', async () => (await entries(containerTag)).length > 0);
    const before = await entries(containerTag);
    const others = before.filter(({ memory }) => !memory.includes('Bruno'));
    expect(others.length).toBeLessThan(before.length);
    const excluding = (excludeItems: string[]) =>
      api.ask('PATCH', '/v3/settings', { shouldLLMFilter: true, excludeItems });
    await excluding(['Bruno']);
    expect(await redrawn(containerTag)).toMatchObject({ done: 1, added: 0, removed: 1 });
    expect(await entries(containerTag)).toEqual(others);
    await excluding([]);
    expect(await redrawn(containerTag)).toMatchObject({ done: 1, added: 1, removed: 0 });
    expect((await entries(containerTag)).map(({ memory }) => memory)).toEqual(
      before.map(({ memory }) => memory),
    );
  },
);

verifies('memories:redraw:settled', 'what was forgotten and corrected stays so after a redraw', async () => {
  const containerTag = api.newTag();
  await api.add({ ...said, containerTag });
  await until('the memories', async () => (await entries(containerTag)).length > 1);
  const [first, second] = await entries(containerTag);
  await api.ask('DELETE', '/v4/memories', { containerTag, id: first?.id });
  await api.ask('PATCH', '/v4/memories', { containerTag, id: second?.id, newContent: 'A person wrote this' });
  const before = await entries(containerTag);
  expect(before).toContainEqual(expect.objectContaining({ memory: 'A person wrote this' }));
  expect(await redrawn(containerTag)).toMatchObject({ added: 0, removed: 0 });
  expect(await entries(containerTag)).toEqual(before);
});
