// Tests of the thread name that a document gets from its metadata or its customId.
import { describe, expect, test } from 'vitest';
import { threadOf } from '../../../server/core/documents/thread-name.ts';

const keyOf = (customId: string | null, metadata: Record<string, string | number | boolean> | null = null) =>
  threadOf(customId, metadata)?.key ?? null;
const numberOf = (customId: string) => threadOf(customId, { threadId: 't' })?.number ?? null;

describe('documents belong to one thread', () => {
  test.each([
    ['thread-7:1', 'thread-7:2'],
    ['thread_7_msg_3', 'thread_7_msg_12'],
    ['conv1-message-1', 'conv1-message-2'],
    ['conv1-msg1', 'conv1-msg2'],
    ['7f3e/turn/1', '7f3e/turn/2'],
    ['thread_7_3', 'thread_7_4'],
    ['conversation-a.1', 'conversation-a.2'],
    ['chat/ada/1', 'chat/ada/2'],
    ['support-42:1', 'support-42:2'],
    ['3f2a8c1e-77aa-4b0d-9c3e-426614174000:1', '3f2a8c1e-77aa-4b0d-9c3e-426614174000:2'],
    ['slack:channel:C024BE91L:1512085950.000216', 'slack:channel:C024BE91L:1512085961.000300'],
    ['thread-2026-03-01:1', 'thread-2026-03-01:2'],
  ])('when they are called %s and %s', (one, other) => {
    expect(keyOf(one)).not.toBeNull();
    expect(keyOf(one)).toBe(keyOf(other));
  });

  test.each([
    [{ threadId: 'x' }, { threadId: 'x', author: 'Ada' }],
    [{ conversationId: 'x' }, { threadId: ' x ' }],
    [{ thread_id: 7 }, { conversation_id: '7' }],
  ])('when their metadata are %o and %o', (one, other) => {
    expect(keyOf(null, one)).not.toBeNull();
    expect(keyOf('whatever', one)).toBe(keyOf(null, other));
  });
});

describe('documents belong to different threads', () => {
  test.each([
    ['thread-7:1', 'thread-8:1'],
    ['thread_7_msg_3', 'thread_71_msg_3'],
    ['thread-7:1', 'Thread-7:1'],
  ])('when they are called %s and %s', (one, other) => expect(keyOf(one)).not.toBe(keyOf(other)));

  test('when one gets its name from its metadata and the other from its customId', () => {
    expect(keyOf(null, { threadId: 'thread-7' })).not.toBe(keyOf('thread-7:1'));
  });
});

test.each([
  ...[
    'doc-1',
    'doc:1',
    'chat:2',
    'session-3',
    'msg-17',
    'turn 4',
    'file_2.txt',
    'report.2024',
    'thread',
    'thread-7',
  ],
  ...[
    'chat-2026-03-01',
    'thread-2026-03-01',
    'conversation_2026-3-1',
    'log-1:2026-03-01T10:30',
    'a1:2026-03-01 10:30:00',
  ],
  ...[
    'https://example.com/blog/12',
    'http://10.0.0.1:8080',
    'acme/repo#12',
    'notes/2026/03',
    'user-42',
    'INV-20931',
  ],
  ...['bench_conv_26-D1_3', 'ISO-9001', 'v1.2', '42', ':1', 'thread-7:', 'thread-7:one'],
])('the customId %s names no thread', (customId) => expect(keyOf(customId)).toBeNull());

test('metadata without a thread field name no thread', () => {
  expect(keyOf(null, { threadId: ' ', conversationId: true })).toBeNull();
  expect(keyOf(null, {})).toBeNull();
  expect(keyOf(null)).toBeNull();
  expect(keyOf('thread-7:1', { threadId: '' })).toBe(keyOf('thread-7:2'));
});

test('messages are numbered by their customId', () => {
  expect(numberOf('thread-7:12')).toBe(12);
  expect(numberOf('msg_0')).toBe(0);
  expect(numberOf('thread_7_msg_003')).toBe(3);
  expect(numberOf('chat:c:1512085950.000216')).toBe(1_512_085_950.000216);
  expect(numberOf('426614174000')).toBeNull();
});

test('a name of any length has a short key', () => {
  const key = keyOf(null, { threadId: 'x'.repeat(100_000) });
  expect(key?.length).toBeLessThan(100);
  expect(keyOf(null, { threadId: `${'x'.repeat(100_000)}y` })).not.toBe(key);
});

test('a name is found in any customId, in a time linear in its length', () => {
  for (const part of ['thread-', '1:', 'msg_', '2026-03-01', ':/#', 'chat a'])
    for (let i = 0; i < 100; i++) expect(() => keyOf(part.repeat(255 / part.length))).not.toThrow();
});
