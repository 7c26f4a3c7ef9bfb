// Messages that are documents of their own, over REST: one thread, in whatever way it is told.
import { describe, expect } from 'vitest';
import { verifies } from '../spec/verifies.ts';
import { notes, searchesOf, textOf } from './support/searches.ts';
import { talk } from './support/talk.ts';
import { type Refusal, useMemoir } from './support/use-memoir.ts';

const api = useMemoir();
const { memories, documents } = searchesOf(api);

type Fields = Record<string, unknown>;

/** The words of the question are in the first message, the answer is in the third. */
const TURNS = [
  ['Ada', 'Where shall we celebrate the retirement of Grete?'],
  ['Bob', 'Somewhere without stairs, please!'],
  ['Ada', 'The Golden Lotus, then!'],
  ['Bob', 'I will book it for Friday.'],
] as const;
const ANSWER = 'The Golden Lotus, then!';

const batch = async (containerTag: string, items: readonly Fields[]): Promise<string[]> => {
  const answer = await api.ask<{ results: { id: string }[] } & Refusal>('POST', '/v3/documents/batch', {
    ...{ documents: items, containerTag },
  });
  expect([answer.status, answer.body.error]).toEqual([200, undefined]);
  const ids = answer.body.results.map(({ id }) => id);
  for (const id of ids) await api.settled(id);
  return ids;
};

const messagesWith = (fields: (at: number) => Fields): Fields[] =>
  TURNS.map(([name, text], at) => ({ content: `${name}: ${text}`, ...fields(at) }));

/** A tag with other notes, and the messages among them. */
const openThread = async (fields: (at: number) => Fields): Promise<{ tag: string; ids: string[] }> => {
  const tag = api.newTag();
  await batch(
    tag,
    Object.values(notes).map((content) => ({ content })),
  );
  return { tag, ids: await batch(tag, messagesWith(fields)) };
};

/** The results of the question, with the thresholds and in the mode that a search has by itself. */
const found = async (containerTag: string, more: Fields = {}): Promise<string[]> =>
  (await memories('Where is the retirement of Grete celebrated?', { containerTag, ...more })).map(textOf);

const findsAnswer = async (tag: string, more: Fields = {}): Promise<boolean> =>
  (await found(tag, more)).some((text) => text.includes(ANSWER));

const TOLD: Record<string, (at: number) => Fields> = {
  'metadata threadId': () => ({ metadata: { threadId: 'retirement' } }),
  'metadata conversationId': () => ({ metadata: { conversationId: 'retirement', app: 'chat' } }),
  'customIds like thread-7:1': (at) => ({ customId: `thread-7:${at + 1}` }),
  'customIds like thread_7_msg_3': (at) => ({ customId: `thread_7_msg_${at + 1}` }),
};

describe('messages of one thread', () => {
  for (const [told, fields] of Object.entries(TOLD))
    verifies(
      'conversations:threads:context',
      `messages of one thread told by ${told} are found by what is beside them`,
      async () => {
        const { tag, ids } = await openThread(fields);
        for (const searchMode of ['memories', 'documents', 'hybrid', 'keyword'])
          expect([searchMode, await findsAnswer(tag, { searchMode })]).toEqual([searchMode, true]);
        const results = await documents('retirement of Grete', { containerTags: [tag] });
        expect(results.slice(0, 3).map(({ documentId }) => documentId)).toContain(ids[2]);
      },
    );

  verifies(
    'conversations:threads:context',
    'messages of one thread are not linked where nothing tells so',
    async () => {
      const date = (at: number) => ({ metadata: { date: `2026-03-0${at + 1}` } });
      for (const fields of [date, (at: number) => ({ ...date(at), customId: `note-${at}` })]) {
        const { tag } = await openThread(fields);
        expect(await found(tag, { searchMode: 'documents', window: 0 })).toEqual([`Ada: ${TURNS[0][1]}`]);
      }
    },
  );

  verifies(
    'conversations:threads:in-time',
    'messages of one thread are linked by the time at which they were said',
    async () => {
      const fields = (at: number) => ({ metadata: { date: `2026-03-01T10:1${at}:00Z` } });
      const { tag } = await openThread(fields);
      expect(await findsAnswer(tag, { searchMode: 'documents' })).toBe(true);
      const mixed = api.newTag();
      for (const at of [2, 0, 3, 1]) await batch(mixed, messagesWith(fields).slice(at, at + 1));
      expect(await findsAnswer(mixed, { searchMode: 'documents' })).toBe(true);
    },
  );

  verifies(
    'conversations:threads:in-time',
    'messages of one thread are linked as they arrive, if they name no time',
    async () => {
      const { tag, ids } = await openThread(() => ({}));
      expect(await findsAnswer(tag, { searchMode: 'documents' })).toBe(true);
      await api.patch(ids[2] ?? '', { metadata: { threadId: 'elsewhere' } });
      expect(await findsAnswer(tag, { searchMode: 'documents' })).toBe(false);
      await api.patch(ids[2] ?? '', { metadata: { threadId: '' } });
      expect(await findsAnswer(tag, { searchMode: 'documents' })).toBe(true);
    },
  );

  verifies(
    'conversations:threads:in-time',
    'messages of one thread are not linked to notes, which nobody says',
    async () => {
      const tag = api.newTag();
      await batch(
        tag,
        TURNS.map(([, text]) => ({ content: text })),
      );
      const asked = { searchMode: 'documents', window: 0 };
      expect(await found(tag, asked)).toEqual([TURNS[0][1]]);
    },
  );

  verifies(
    'conversations:threads:in-reply',
    'messages of one thread are found by what they answer, and one remark of a user never by another',
    async () => {
      const tag = api.newTag();
      const messages = [
        'user: I take metformin against my diabetes.',
        'user: I prefer dark mode in every editor.',
        'user: Which sugar is best with diabetes?',
        'assistant: Erythritol, since it is not digested.',
      ];
      for (const content of messages) await batch(tag, [{ content }]);
      const asked = { containerTag: tag, searchMode: 'documents', window: 0 };
      const texts = (await memories('diabetes', asked)).map(textOf);
      expect(texts).toHaveLength(3);
      expect(texts).not.toContain(messages[1]);
    },
  );

  verifies(
    'conversations:threads:context',
    'messages of one thread may be conversations of one message',
    async () => {
      const tag = api.newTag();
      await batch(
        tag,
        Object.values(notes).map((content) => ({ content })),
      );
      for (const [at, [name, content]] of TURNS.entries()) {
        const messages = [{ role: 'user', name, content, createdAt: `2026-03-01T09:0${at}:00Z` }];
        await talk(api, tag, `party/message/${at}`, messages);
      }
      expect(await findsAnswer(tag, { searchMode: 'documents' })).toBe(true);
    },
  );

  verifies(
    'conversations:threads:order',
    'messages of one thread follow their dates, then their numbers, then their arrival',
    async () => {
      const inOrder = async (fields: (at: number) => Fields, order: number[]) => {
        const tag = api.newTag();
        for (const at of order) await batch(tag, messagesWith(fields).slice(at, at + 1));
        const asked = { searchMode: 'documents', threshold: 0.3, window: 0 };
        return (await found(tag, asked)).slice(0, TURNS.length);
      };
      // The further away from the question, the less of its words.
      const whole = TURNS.map(([name, text]) => `${name}: ${text}`);
      const dated = (at: number) => ({
        metadata: { threadId: 't', date: `2026-03-0${at + 1}T10:00:00Z` },
        customId: `msg-${9 - at}`,
      });
      expect(await inOrder(dated, [2, 0, 3, 1])).toEqual(whole);
      expect(await inOrder((at) => ({ customId: `thread-7:${at}` }), [3, 1, 0, 2])).toEqual(whole);
      expect(await inOrder(() => ({ metadata: { threadId: 't' } }), [0, 1, 2, 3])).toEqual(whole);
    },
  );

  verifies(
    'conversations:threads:kept',
    'messages of one thread stay linked as they change, and no longer',
    async () => {
      const { tag, ids } = await openThread((at) =>
        at === 2 ? { customId: 'lone' } : { metadata: { threadId: 't' } },
      );
      expect(await findsAnswer(tag)).toBe(false);
      await api.patch('lone', { metadata: { threadId: 't' } });
      expect(await findsAnswer(tag, { searchMode: 'documents' })).toBe(true);
      await api.patch('lone', { metadata: { threadId: 'another' } });
      expect(await findsAnswer(tag, { searchMode: 'documents' })).toBe(false);
      await api.add({ content: ANSWER, customId: 'lone', containerTag: tag, metadata: { threadId: 't' } });
      expect(await findsAnswer(tag, { searchMode: 'documents' })).toBe(true);
      await api.remove(ids[1] ?? '');
      expect((await found(tag, { searchMode: 'documents' }))[1]).toContain(ANSWER);
    },
  );

  verifies(
    'conversations:threads:kept',
    'messages of one thread stay linked under another tag, and apart from those there',
    async () => {
      const { tag: source } = await openThread((at) => ({ customId: `thread-7:${at + 1}` }));
      const target = api.newTag();
      const theirs = ['The heron nests.', 'It has three eggs.', 'They are blue.', 'How nice.'];
      await batch(
        target,
        theirs.map((content, at) => ({ content, customId: `thread-7:${at + 1}` })),
      );
      const merge = { containerTags: [source], targetContainerTag: target };
      const { body } = await api.ask<{ mergeId: string }>('POST', '/v3/container-tags/merge', merge);
      const state = () => api.ask('GET', `/v3/container-tags/merge/${body.mergeId}`);
      await expect.poll(state, { timeout: 20_000 }).toMatchObject({ body: { status: 'completed' } });
      await api.memoir.idle();
      const all = await found(target, { searchMode: 'documents' });
      expect(all.join()).toContain(ANSWER);
      expect(all.join()).not.toMatch(/eggs|blue|heron/);
      const heron = { containerTag: target, searchMode: 'documents', limit: 3 };
      expect((await memories('Where does the heron nest?', heron)).map(textOf)).toEqual(theirs.slice(0, 3));
    },
  );

  verifies(
    'conversations:threads:context',
    'messages of one thread are those of one set of tags, for whoever may see them',
    async () => {
      const [mine, theirs] = [api.newTag(), api.newTag()];
      const [question, ...others] = messagesWith(() => ({ metadata: { threadId: 'shared' } }));
      await batch(mine, [question ?? {}]);
      await batch(theirs, others);
      expect(await found(mine, { searchMode: 'documents' })).toEqual([`Ada: ${TURNS[0][1]}`]);
      const both = { containerTags: [mine, theirs], containerTag: undefined, searchMode: 'documents' };
      expect((await found(mine, both)).join()).not.toContain(ANSWER);
    },
  );
});
