// Conversations over REST: message by message, and the same thing as adding their text.
import { describe, expect } from 'vitest';
import { verifies } from '../spec/verifies.ts';
import { decisionsOf } from './support/beside.ts';
import { remembered } from './support/tell.ts';
import { type Refusal, useMemoir } from './support/use-memoir.ts';

const api = useMemoir();

type Message = Record<string, unknown>;

const send = (conversationId: string, messages: readonly Message[], more: object = {}) =>
  api.ask<{ id: string; conversationId: string; status: string } & Refusal>('POST', '/v4/conversations', {
    ...{ conversationId, messages, ...more },
  });

/** Sends and waits until it is searchable. */
const talk = async (conversationId: string, messages: readonly Message[], more: object = {}) => {
  const { status, body } = await send(conversationId, messages, more);
  expect([status, body.error]).toEqual([200, undefined]);
  await api.settled(body.id);
  return body;
};

const user = (content: string, more: object = {}) => ({ role: 'user', content, ...more });
const assistant = (content: string) => ({ role: 'assistant', content });

describe('a conversation', () => {
  verifies(
    'conversations:add:answer',
    'a conversation is queued, under its tags, with its metadata',
    async () => {
      const tag = api.newTag();
      const sent = await send(`talk ${tag}`, [user('I live in Berlin.'), assistant('Nice.')], {
        ...{ containerTags: [tag], metadata: { app: 'chat', turns: 2 } },
      });
      expect([sent.status, sent.body]).toEqual([
        200,
        { id: expect.any(String), conversationId: `talk ${tag}`, status: 'queued' },
      ]);
      await api.memoir.remembered(sent.body.id);
      expect(await api.read(sent.body.id)).toMatchObject({
        ...{ customId: `talk ${tag}`, containerTags: [tag], status: 'done', taskType: 'memory' },
        metadata: { app: 'chat', turns: 2 },
      });
      expect(await api.texts(sent.body.id)).toEqual(['I live in Berlin.', 'Nice.']);
      expect(await remembered(api, tag)).toEqual([expect.stringContaining('Berlin')]);
    },
  );

  verifies('conversations:add:one-thing', 'a conversation is the document of that customId', async () => {
    const tag = api.newTag();
    const customId = `talk ${tag}`;
    const document = await api.add({
      ...{ customId, containerTag: tag, content: 'user: Which train?\nassistant: The 8:15.' },
    });
    const messages = [user('Which train?'), assistant('The 8:15.'), user('From which track?')];
    const same = await talk(customId, messages, { containerTags: [tag] });
    expect(same.id).toBe(document.id);
    expect(await api.texts(customId)).toEqual(['Which train?', 'The 8:15.', 'From which track?']);
    const text = JSON.stringify([...messages, assistant('Track 4.')]);
    expect((await api.add({ customId, containerTag: tag, content: text })).id).toBe(document.id);
    expect((await api.texts(customId)).at(-1)).toBe('Track 4.');
    expect(await talk(customId, [...messages, assistant('Track 4.')], { containerTag: tag })).toMatchObject({
      id: document.id,
    });
    expect(await api.texts(customId)).toHaveLength(4);
  });

  verifies('conversations:add:difference', 'a conversation may grow, or send only what is new', async () => {
    const tag = api.newTag();
    const customId = `talk ${tag}`;
    const as = { containerTags: [tag] };
    const history = [user('ok'), assistant('What is your name?'), user('Ada.')];
    const { id } = await talk(customId, history, as);
    const before = (await api.chunks(id)).map((chunk) => chunk.id);
    expect((await send(customId, history, as)).body).toEqual({
      id,
      conversationId: customId,
      status: 'done',
    });
    const grown = [...history, assistant('And where do you live?'), user('ok')];
    await talk(customId, grown, as);
    await talk(customId, [assistant('Fine.'), user('ok')], as);
    const chunks = await api.chunks(id);
    expect(chunks.map(({ content }) => content)).toEqual([
      ...['ok', 'What is your name?', 'Ada.', 'And where do you live?', 'ok'],
      ...['Fine.', 'ok'],
    ]);
    expect(chunks.slice(0, 3).map((chunk) => chunk.id)).toEqual(before);
    expect(await decisionsOf(api, id)).toEqual(['created', 'superset', 'appended']);
    const content = (await api.read(id)).content ?? '';
    expect(JSON.parse(content)).toHaveLength(7);
  });

  verifies('conversations:add:difference', 'a conversation that is edited is replaced', async () => {
    const tag = api.newTag();
    const history = [
      user('The meeting is on Monday in the library.'),
      assistant('I will remember that it is on Monday.'),
      user('Bring the blue folder and the keys, please.'),
    ];
    const { id } = await talk(`talk ${tag}`, history, { containerTags: [tag] });
    const edited = [user('The meeting is on Friday in the library.'), ...history.slice(1)];
    await talk(`talk ${tag}`, edited, { containerTags: [tag] });
    expect(await api.texts(id)).toEqual(edited.map(({ content }) => content));
  });

  verifies(
    ['conversations:add:kept', 'conversations:add:image-bytes'],
    'a conversation keeps who said what and when, and marks of what is no text',
    async () => {
      const tag = api.newTag();
      const url = 'https://example.com/a.png';
      const data = `data:image/png;base64,${'iVBORw0KGgo'.repeat(2000)}`;
      const { id } = await talk(
        `talk ${tag}`,
        [
          { role: 'system', content: 'Be kind.' },
          user('Look at this.', { name: 'Ada', createdAt: '2026-03-01T09:30:00Z' }),
          {
            role: 'user',
            name: 'Bob',
            content: [
              { type: 'text', text: 'And at that.' },
              { type: 'image_url', imageUrl: { url } },
              { type: 'image_url', image_url: { url: data } },
            ],
          },
          {
            role: 'assistant',
            content: null,
            tool_calls: [{ function: { name: 'look_up', arguments: '{}' } }],
          },
          { role: 'tool', content: 'A red bridge.', tool_call_id: 'c1' },
        ],
        { containerTags: [tag] },
      );
      expect(await api.texts(id)).toEqual([
        'Be kind.',
        'Look at this.',
        'And at that.\n[image]\n[image]',
        '[tool call: look_up]',
        'A red bridge.',
      ]);
      const content = (await api.read(id)).content ?? '';
      expect(content).toContain(url);
      expect(content).not.toContain('iVBORw0KGgo');
      const found = await api.ask<{ results: { chunk?: string }[] }>('POST', '/v4/search', {
        ...{ q: 'Look at this', containerTag: tag, searchMode: 'documents', limit: 1, window: 0 },
      });
      expect(found.body.results.map(({ chunk }) => chunk)).toEqual(['Ada: Look at this.']);
    },
  );

  verifies('conversations:add:invalid', 'a conversation that is not right fails with 400', async () => {
    const good = [user('Hi.')];
    const cases: [object, RegExp][] = [
      [{ messages: good }, /conversationId/],
      [{ conversationId: '', messages: good }, /conversationId/],
      [{ conversationId: 'list', messages: good }, /reserved word/],
      [{ conversationId: 'x'.repeat(256), messages: good }, /conversationId/],
      [{ conversationId: 'c' }, /messages/],
      [{ conversationId: 'c', messages: [] }, /messages/],
      [
        { conversationId: 'c', messages: [{ role: 'user', content: ' ' }] },
        /must contain at least one message with content/,
      ],
      [{ conversationId: 'c', messages: [{ role: 'god', content: 'x' }] }, /messages\[0\]\.role/],
      [{ conversationId: 'c', messages: [...good, { role: 'user', content: 1 }] }, /messages\[1\]\.content/],
      [{ conversationId: 'c', messages: good, metadata: { a: { b: 1 } } }, /metadata/],
    ];
    for (const [body, why] of cases) {
      const answer = await api.ask<Refusal>('POST', '/v4/conversations', body);
      expect([answer.status, answer.body.error]).toEqual([400, expect.stringMatching(why)]);
    }
    expect((await api.ask('GET', '/v3/documents/c')).status).toBe(404);
  });
});
