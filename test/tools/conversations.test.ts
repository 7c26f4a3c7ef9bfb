// Tests of the input of conversations.
import { describe, expect, test } from 'vitest';
import { conversationInput } from '../../tools/conversations/schemas/conversations.ts';
import { parseConversation } from '../domain/ingestion/fixtures/parse-conversation.ts';
import { problems } from './judge.ts';

const of = (messages: unknown[], more: object = {}) =>
  conversationInput.parse({ conversationId: 'c', messages, ...more });

/** As the pipeline reads the text that the messages are written out as. */
const turnsOf = (messages: unknown[]) => parseConversation(of(messages).document.content);

test('a conversation becomes a document under its id, with tags and metadata', () => {
  const { conversationId, document } = of([{ role: 'user', content: 'Hi' }], {
    containerTags: ['b', 'a'],
    metadata: { app: 'chat' },
  });
  expect(conversationId).toBe('c');
  expect(document).toEqual({
    customId: 'c',
    tags: ['b', 'a'],
    metadata: { app: 'chat' },
    content: expect.stringContaining('Hi'),
  });
});

describe('the messages of a conversation', () => {
  test('keep roles, names, texts and dates, and stay separate', () => {
    const messages = [
      { role: 'system', content: 'Be kind.' },
      { role: 'user', name: 'Ada', content: 'user: is a word\n"quoted"', createdAt: '2026-03-01T09:30:00Z' },
      { role: 'assistant', content: 'Yes.', timestamp: 1_772_357_460 },
    ];
    expect(turnsOf(messages)).toEqual([
      { role: 'system', text: 'Be kind.' },
      {
        role: 'user',
        speaker: 'Ada',
        text: 'user: is a word\n"quoted"',
        at: Date.parse('2026-03-01T09:30:00Z'),
      },
      { role: 'assistant', text: 'Yes.', at: 1_772_357_460_000 },
    ]);
  });

  test('contain images under both spellings, without the bytes inside an address', () => {
    const url = 'https://example.com/a.png';
    const data = `data:image/png;base64,${'A'.repeat(100_000)}`;
    const messages = [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Look' },
          { type: 'image_url', imageUrl: { url } },
        ],
      },
      { role: 'user', content: [{ type: 'image_url', image_url: { url: data } }] },
    ];
    expect(turnsOf(messages)?.map(({ text }) => text)).toEqual(['Look\n[image]', '[image]']);
    const { content } = of(messages).document;
    expect(content).toContain(url);
    expect(content.length).toBeLessThan(400);
  });

  test('have the same text in both spellings', () => {
    const [ours, theirs] = ['imageUrl', 'image_url'].map((key) =>
      of([{ role: 'user', content: [{ type: 'image_url', [key]: { url: 'https://example.com/a.png' } }] }]),
    );
    expect(ours).toEqual(theirs);
  });

  test('leave short marks of tool calls', () => {
    const call = {
      id: '1',
      type: 'function',
      function: { name: 'get_weather', arguments: '{"city":"Lyon"}' },
    };
    expect(
      turnsOf([
        { role: 'assistant', content: null, tool_calls: [call, { toolName: 'look_up' }] },
        { role: 'tool', content: '17 degrees', tool_call_id: '1' },
      ]),
    ).toEqual([
      { role: 'assistant', text: '[tool call: get_weather] [tool call: look_up]' },
      { role: 'tool', text: '17 degrees' },
    ]);
  });

  test('of other parts keep them unchanged', () => {
    const messages = [{ role: 'user', content: [{ type: 'file', filename: 'a.pdf' }] }];
    expect(turnsOf(messages)?.[0]?.text).toBe('[file: a.pdf]');
  });
});

test.each([
  [{ messages: [] }, 'messages'],
  [{ messages: [{ role: 'user', content: ' ' }] }, 'must contain at least one message with content'],
  [
    { messages: [{ role: 'user', content: [{ type: 'text', text: '' }] }] },
    'must contain at least one message with content',
  ],
  [{ messages: [{ role: 'narrator', content: 'x' }] }, 'messages[0].role'],
  [{ messages: [{ content: 'x' }] }, 'messages[0].role'],
  [{ messages: [{ role: 'user', content: 7 }] }, 'messages[0].content: must be text, or a list of parts'],
  [{ messages: [{ role: 'user', content: [{ type: 'text' }] }] }, 'content[0].text: is required in a part'],
  [
    { messages: [{ role: 'user', content: [{ type: 'image_url' }] }] },
    'content[0].image_url: is required in a part',
  ],
  [{ messages: [{ role: 'user', content: 'x'.repeat(11_000_000) }] }, 'at most 10 MiB'],
  [{ conversationId: '' }, 'conversationId'],
  [{ conversationId: 'x'.repeat(256) }, 'conversationId'],
  [{ conversationId: 'batch' }, 'reserved word'],
  [{ metadata: { a: { b: 1 } } }, 'metadata'],
])('an invalid conversation is refused: %#', (more, why) => {
  const good = { conversationId: 'c', messages: [{ role: 'user', content: 'x' }] };
  expect(problems(conversationInput, { ...good, ...more })).toContain(why);
});
