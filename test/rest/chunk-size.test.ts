// The length of passages follows the settings for new content, while earlier passages stay as they were.
import { afterEach, describe, expect } from 'vitest';
import { verifies } from '../spec/verifies.ts';
import { readForMemories } from './support/tell.ts';
import { useOwnMemoir } from './support/use-memoir.ts';

const api = useOwnMemoir();

const set = async (chunkSize: number | null): Promise<void> => {
  const answer = await api.ask<{ updated: object }>('PATCH', '/v3/settings', { chunkSize });
  expect([answer.status, answer.body.updated]).toMatchObject([200, { chunkSize }]);
};
afterEach(() => set(null));

const about = (animal: string, count: number): string =>
  Array.from({ length: count }, (_, n) => `The ${n}th ${animal} of this lake was seen in the morning.`).join(
    ' ',
  );
const longest = (texts: readonly string[]): number => Math.max(...texts.map(({ length }) => length));

describe('chunkSize', () => {
  verifies(
    'settings:chunk-size:new-content',
    'chunkSize is about how long the passages of new content are',
    async () => {
      const content = about('heron', 100);
      const usual = await api.texts((await api.add({ content })).id);
      for (const size of [300, 3_000]) {
        await set(size);
        const texts = await api.texts((await api.add({ content })).id);
        expect(longest(texts)).toBeLessThanOrEqual(size * 1.3);
        expect(longest(texts)).toBeGreaterThan(size * 0.7);
        expect(texts.length > usual.length).toBe(size === 300);
        expect(texts.join(' ')).toBe(content);
      }
      await set(-1);
      expect(await api.texts((await api.add({ content })).id)).toEqual(usual);
    },
  );

  verifies(
    'settings:chunk-size:kept',
    'chunkSize leaves what was cut before as it is: nothing of it is new, whatever is added to it or becomes of its tags',
    async () => {
      const [tag, customId] = [api.newTag(), 'grows'];
      const first = `I live in Porto. ${about('heron', 60)}`;
      const id = await readForMemories(api, tag, first, { customId });
      const before = await api.chunks(id);
      await set(300);
      await readForMemories(api, tag, `${first}\n\n${about('grebe', 60)}`, { customId });
      const after = await api.chunks(id);
      // The last passage may take in what was added to it.
      expect(after.slice(0, before.length - 1).map((one) => one.id)).toEqual(
        before.slice(0, -1).map((one) => one.id),
      );
      expect(longest(after.map(({ content }) => content))).toBeGreaterThan(1_000);
      await api.patch(id, { containerTag: api.newTag() });
      await api.settled(id);
      expect((await api.chunks(id)).map((one) => one.id)).toEqual(after.map((one) => one.id));
      await api.patch(id, { content: about('coot', 60) });
      await api.settled(id);
      expect(longest(await api.texts(id))).toBeLessThanOrEqual(390);
    },
  );
});
