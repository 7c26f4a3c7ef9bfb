// Titles and summaries that a model writes while it reads a document for memories.
import { describe, expect } from 'vitest';
import { memories, says } from '../adapters/language-model/chat-server.ts';
import { verifies } from '../spec/verifies.ts';
import { questionOf, useChat } from './support/use-chat.ts';
import { type DocumentBody, useOwnMemoir } from './support/use-memoir.ts';

const chat = useChat();
const api = useOwnMemoir(chat.env);

const TITLE = 'Kiln trouble';
const SUMMARY = 'A potter fights an overheated kiln.';
const writes = says({ content: JSON.stringify({ title: TITLE, summary: SUMMARY, memories: [] }) });
const written = { title: TITLE, summary: SUMMARY, raw: { titleOrigin: 'written', summaryOrigin: 'written' } };

const TEXT = 'The kiln is too hot for porcelain.';

const read = async (body: Record<string, unknown>): Promise<DocumentBody> => {
  const { id } = await api.add({ containerTag: api.newTag(), ...body });
  return (await api.memoir.remembered(id)) as unknown as DocumentBody;
};

describe('a title and a summary by a model', () => {
  verifies(
    ['documents:outline:written', 'documents:outline:origin'],
    'come with the memories in one question, and take the place of drawn ones alone',
    async () => {
      chat.always(writes);
      const asked = await chat.during(async () =>
        expect(await read({ content: TEXT })).toMatchObject(written),
      );
      expect(asked).toHaveLength(1);
      expect(questionOf(asked[0])).toContain('"summary"');
      expect(await read({ content: TEXT, title: 'Mine' })).toMatchObject({
        title: 'Mine',
        summary: SUMMARY,
        raw: { titleOrigin: 'given', summaryOrigin: 'written' },
      });
      expect(await read({ content: `# Kilns\n\n${TEXT}\n\n- one\n- two` })).toMatchObject({
        title: 'Kilns',
        summary: SUMMARY,
        raw: { titleOrigin: 'stated', summaryOrigin: 'written' },
      });
      for (const nothing of [memories(), says({ content: '{"title": " ", "summary": 3, "memories": []}' })]) {
        chat.always(nothing);
        expect(await read({ content: TEXT })).toMatchObject({
          title: 'The kiln is too hot for porcelain',
          summary: TEXT,
          raw: { titleOrigin: 'drawn', summaryOrigin: 'drawn' },
        });
      }
    },
  );

  verifies(
    'documents:outline:written',
    'stay when content is added, for which they are not asked again, and go when it is replaced',
    async () => {
      chat.always(writes);
      const containerTag = api.newTag();
      const customId = `chat in ${containerTag}`;
      const first = `user: ${TEXT}`;
      const { id } = await read({ content: first, customId, containerTag });
      chat.always(says({ content: JSON.stringify({ title: 'Other', summary: 'Other.', memories: [] }) }));
      const asked = await chat.during(async () => {
        const more = `${first}\nuser: I lower it to nine hundred degrees.`;
        expect(await read({ content: more, customId, containerTag })).toMatchObject({ id, ...written });
      });
      expect(asked).toHaveLength(1);
      expect(questionOf(asked[0])).not.toContain('"summary"');
      chat.always(memories());
      await api.patch(id, { content: 'Glazes need a cooler kiln.' });
      expect(await api.memoir.remembered(id)).toMatchObject({
        title: 'Glazes need a cooler kiln',
        raw: { titleOrigin: 'drawn', summaryOrigin: 'drawn' },
      });
    },
  );

  verifies(
    ['documents:outline:written', 'documents:outline:erased'],
    'of a text that was replaced while the model read it are dropped',
    async () => {
      const containerTag = api.newTag();
      const customId = `held in ${containerTag}`;
      using held = chat.hold(writes);
      chat.always(memories());
      const { id } = await api.add({ content: TEXT, customId, containerTag });
      await held.reached;
      await api.patch(id, { content: 'Glazes need a cooler kiln.' });
      held.release();
      expect(await api.memoir.remembered(id)).toMatchObject({
        title: 'Glazes need a cooler kiln',
        summary: 'Glazes need a cooler kiln.',
      });
    },
  );
});
