// The four ways in which people send a conversation, over REST.
import { describe, expect } from 'vitest';
import { verifies } from '../spec/verifies.ts';
import { decisionsOf } from './support/beside.ts';
import { searchesOf } from './support/searches.ts';
import { assistant, type Message, talk, user } from './support/talk.ts';
import { listMemories } from './support/tell.ts';
import { useMemoir } from './support/use-memoir.ts';

const api = useMemoir();
const { memories } = searchesOf(api);

const image = (key: 'image_url' | 'imageUrl') => ({
  type: 'image_url',
  [key]: { url: `https://example.com/${key}.png` },
});

const HISTORY: Message[] = [
  user('My sister Grete moved to Lyon.', { name: 'Ada', createdAt: '2026-03-01T09:00:00Z' }),
  assistant('How nice! Does she like it there?', { createdAt: '2026-03-01T09:01:00Z' }),
  user([{ type: 'text', text: 'She does, look at her street.' }, image('image_url')], { name: 'Ada' }),
  assistant('Those are lime trees.'),
  user([{ type: 'text', text: 'I planted a fig tree yesterday.' }, image('imageUrl')], {
    ...{ name: 'Ada', createdAt: '2026-03-04T18:00:00Z' },
  }),
];
const TEXTS = [
  'My sister Grete moved to Lyon.',
  'How nice! Does she like it there?',
  'She does, look at her street.\n[image]',
  'Those are lime trees.',
  'I planted a fig tree yesterday.\n[image]',
];

const chunkIds = async (id: string): Promise<string[]> => (await api.chunks(id)).map((chunk) => chunk.id);

/** Each memory with how often it was read from a document. */
const remembered = async (tag: string, id: string): Promise<string[]> => {
  await api.memoir.remembered(id);
  return (await listMemories(api, tag)).memoryEntries.map((entry) => `${entry.sourceCount}× ${entry.memory}`);
};

/** The stored speakers, words and times. */
const expectKept = async (tag: string, id: string): Promise<void> => {
  expect(await api.texts(id)).toEqual(TEXTS);
  const { content } = await api.read(id);
  expect(content).toContain('https://example.com/image_url.png');
  expect(content).toContain('https://example.com/imageUrl.png');
  const shown = async (q: string) =>
    (await memories(q, { containerTag: tag, searchMode: 'documents', window: 0, limit: 1 }))[0]?.chunk;
  expect(await shown('Where did Grete move?')).toBe(`Ada: ${TEXTS[0]}`);
  expect(await shown('lime trees')).toBe(`assistant: ${TEXTS[3]}`);
  const planted = (await listMemories(api, tag)).memoryEntries.filter(({ memory }) => memory.includes('fig'));
  expect(planted.map(({ memory }) => memory)).toEqual([expect.stringMatching(/Ada.*fig tree.*3 March 2026/)]);
};

describe('a conversation', () => {
  verifies(
    ['conversations:add:difference', 'conversations:add:kept'],
    'a conversation that is sent whole each time is read once',
    async () => {
      const tag = api.newTag();
      let before: string[] = [];
      let id = '';
      for (let length = 1; length <= HISTORY.length; length++) {
        ({ id } = await talk(api, tag, 'growing', HISTORY.slice(0, length)));
        const ids = await chunkIds(id);
        expect(ids.slice(0, length - 1)).toEqual(before);
        expect(ids).toHaveLength(length);
        before = ids;
      }
      expect(await decisionsOf(api, id)).toEqual(['created', ...HISTORY.slice(1).map(() => 'superset')]);
      const known = await remembered(tag, id);
      expect(known.filter((one) => one.includes('Lyon'))).toEqual([expect.stringMatching(/^1×/)]);
      await expectKept(tag, id);
      const again = await talk(api, tag, 'growing', HISTORY);
      expect(again.status).toBe('done');
      expect(await remembered(tag, id)).toEqual(known);
    },
  );

  verifies(
    ['conversations:add:difference', 'conversations:add:kept'],
    'a conversation of which only the new messages are sent is put together',
    async () => {
      const tag = api.newTag();
      const { id } = await talk(api, tag, 'parts', HISTORY.slice(0, 2));
      const first = await chunkIds(id);
      await talk(api, tag, 'parts', HISTORY.slice(2, 3));
      const text = HISTORY.slice(3).map((message) => JSON.stringify(message));
      await api.add({ content: `[${text.join(',')}]`, customId: 'parts', containerTag: tag });
      expect((await chunkIds(id)).slice(0, 2)).toEqual(first);
      expect(await decisionsOf(api, id)).toEqual(['created', 'appended', 'appended']);
      await api.memoir.remembered(id);
      await expectKept(tag, id);
    },
  );

  verifies(
    'conversations:add:edited',
    'a conversation whose earlier messages are edited forgets what they said',
    async () => {
      const tag = api.newTag();
      const [first = {}, ...others] = HISTORY;
      const { id } = await talk(api, tag, 'edited', HISTORY);
      const before = await chunkIds(id);
      expect((await remembered(tag, id)).join()).toContain('Lyon');
      await talk(api, tag, 'edited', [{ ...first, content: 'My sister Grete moved to Ghent.' }, ...others]);
      const after = await chunkIds(id);
      expect(after.slice(1)).toEqual(before.slice(1));
      expect(after[0]).not.toBe(before[0]);
      expect(await decisionsOf(api, id)).toEqual(['created', 'replaced']);
      const known = (await remembered(tag, id)).join();
      expect(known).toContain('Ghent');
      expect(known).not.toContain('Lyon');
      expect(known).toContain('fig tree');
      await talk(api, tag, 'edited', HISTORY.slice(0, -1));
      expect(await api.texts(id)).not.toContain('My sister Grete moved to Ghent.');
    },
  );

  verifies(
    ['conversations:threads:context', 'conversations:add:kept'],
    'a conversation of which every message is a document is one thread',
    async () => {
      const tag = api.newTag();
      const ids: string[] = [];
      for (const [at, message] of HISTORY.entries())
        ids.push((await talk(api, tag, `street-5:${at + 1}`, [message])).id);
      expect(new Set(ids).size).toBe(HISTORY.length);
      expect((await Promise.all(ids.map((id) => api.texts(id)))).flat()).toEqual(TEXTS);
      const before = await Promise.all(ids.map(chunkIds));
      expect((await talk(api, tag, 'street-5:1', HISTORY.slice(0, 1))).status).toBe('done');
      expect(await Promise.all(ids.map(chunkIds))).toEqual(before);
      const asked = { containerTag: tag, searchMode: 'documents', window: 0 };
      const found = await memories('Where did Grete move?', asked);
      expect(found.slice(0, 3).map(({ chunk }) => chunk)).toContain(`assistant: ${TEXTS[1]}`);
      expect((await remembered(tag, ids.at(-1) ?? '')).join()).toMatch(/fig tree.*3 March 2026/);
    },
  );
});
