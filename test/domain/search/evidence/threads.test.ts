// Tests of messages that are documents of their own: they are ranked in their thread as turns of one document are.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { NO_THREADS, readThreads } from '../../../../server/domain/search/evidence/threads.ts';
import { type Item, type OpenSearch, openSearch } from '../open.ts';

describe('positions in threads', () => {
  const threads = readThreads([
    { document: 7, thread: 'a', messages: 1 },
    { document: 3, thread: 'a', messages: 4 },
    { document: 9, thread: 'a', messages: 1 },
    { document: 5, thread: 'b', messages: 2 },
  ]);

  test('are numbered across documents, and can be found again', () => {
    const counted = [...[7, 3, 3, 9, 5].entries()].map(([at, document]) =>
      threads.inRun(document, at === 2 ? 3 : 0),
    );
    expect(counted.map(({ position }) => position)).toEqual([0, 1, 4, 5, 0]);
    expect(new Set(counted.map(({ document }) => document)).size).toBe(2);
    expect(counted.map(threads.inDocument)).toEqual([
      { document: 7, position: 0 },
      { document: 3, position: 0 },
      { document: 3, position: 3 },
      { document: 9, position: 0 },
      { document: 5, position: 0 },
    ]);
  });

  test('end with the thread', () => {
    const { document } = threads.inRun(9, 0);
    expect(threads.inDocument({ document, position: 6 })).toBeNull();
    expect(threads.inDocument({ document: threads.inRun(5, 0).document, position: 2 })).toBeNull();
  });

  test('show where one document ends and the next begins', () => {
    expect([0, 2, 3].map((position) => threads.endsDocument(3, position))).toEqual([false, false, true]);
  });

  test('outside of threads are the positions in the document', () => {
    for (const each of [threads, NO_THREADS]) {
      expect(each.isMessage(8)).toBe(false);
      expect(each.inRun(8, 4)).toEqual({ document: 8, position: 4 });
      expect(each.inDocument({ document: 8, position: 4 })).toEqual({ document: 8, position: 4 });
      expect(each.endsDocument(8, 4)).toBe(false);
    }
  });
});

const DINNER = [
  ['Ada', 'Which restaurant shall we take for the farewell dinner of Grete?'],
  ['Bob', 'Nothing with fish, please, I am allergic.'],
  ['Ada', 'Then the Golden Lotus at seven.'],
  ['Bob', 'Good, I will bring my sister along.'],
  ['Ada', 'By the way, the tomatoes need water.'],
  ['Bob', 'Yusuf has the spare key.'],
] as const;

const NOTES = [
  'The dentist moved the appointment to Tuesday 14 May at half past nine.',
  'Our neighbour adopted a small brown dog from the shelter last winter.',
  'The budget meeting was postponed until Thursday afternoon.',
  'My passport expires in May, so it must be renewed before the trip to Norway.',
  'The landlord raises the rent by fifty pounds from September on.',
  'The boiler needs a pressure of one bar, topped up with the grey valve.',
];

const named = ([speaker, text]: readonly [string, string]): string => `${speaker}: ${text}`;
const asJson = ([name, content]: readonly [string, string]): string =>
  JSON.stringify([{ role: 'user', name, content }]);

const WAYS: Record<string, Item[]> = {
  'with names, numbered': DINNER.map((turn, i) => ({ content: named(turn), customId: `thread-7:${i + 1}` })),
  'as plain text, by metadata': DINNER.map(([, content]) => ({ content, metadata: { threadId: 'dinner' } })),
  'as messages in JSON': DINNER.map((turn, i) => ({ content: asJson(turn), customId: `thread_7_msg_${i}` })),
  'within a few minutes': DINNER.map((turn, i) => ({
    content: asJson(turn),
    metadata: { date: `2026-03-01T10:0${i}:00Z` },
  })).reverse(),
  'in another order, dated': DINNER.map((turn, i) => ({
    content: named(turn),
    metadata: { conversationId: 7, date: `2026-03-01T10:0${i}:00Z` },
  })).reverse(),
};

const LOOSE = DINNER.map(named);
/** Each message has a day of its own. */
const APART = DINNER.map(
  (turn, i): Item => ({ content: named(turn), metadata: { date: `2026-03-0${i + 1}` } }),
);

let search: OpenSearch;
beforeAll(async () => {
  search = await openSearch();
  for (const [way, items] of Object.entries(WAYS)) await search.add(way, [...NOTES, ...items]);
  await search.add('not at all', [...NOTES, ...APART]);
  await search.add('in one document', [...NOTES, { content: LOOSE.join('\n') }]);
});
afterAll(() => search[Symbol.asyncDispose]());

const ask = async (tag: string, more: object = {}): Promise<string[]> => {
  const asked = { searchMode: 'documents', threshold: 0.6, window: 0, ...more };
  const { results } = await search.searching()([tag]).memories('Where is the farewell dinner?', asked);
  return results.map(({ chunk }) => chunk ?? '');
};

describe('a question whose words are in one message', () => {
  const answer = expect.stringContaining('Golden Lotus');

  for (const way of Object.keys(WAYS))
    test(`finds the neighbouring messages: ${way}`, async () => {
      const found = await ask(way);
      expect(found[0]).toContain('farewell dinner');
      expect(found.slice(0, 3)).toContainEqual(answer);
      expect(found.join()).not.toContain('Yusuf');
    });

  test('finds the same as in one document', async () => {
    // Single messages are embedded without their neighbours, so that the order of near ties may differ.
    expect((await ask('with names, numbered')).slice(0, 3).toSorted()).toEqual(
      (await ask('in one document')).slice(0, 3).toSorted(),
    );
  });

  test('finds no neighbours when there is no thread', async () => {
    expect(await ask('not at all')).toEqual([expect.stringContaining('farewell dinner')]);
  });

  test('finds the neighbours in a document search as well', async () => {
    const { results } = await search.searching()(['with names, numbered']).documents('farewell dinner');
    expect(results.slice(0, 3).map(({ chunks }) => chunks[0]?.content)).toContainEqual(answer);
    expect(results.every(({ chunks }) => chunks.length === 1)).toBe(true);
  });

  test('gets the reason of each result in the explanation', async () => {
    const asked = { searchMode: 'documents', include: { explain: true } };
    const { results } = await search.searching()(['with names, numbered']).memories('farewell dinner', asked);
    const found = results.find(({ chunk }) => chunk?.includes('Golden Lotus'));
    expect(found?.explain?.words?.fields.neighbours).toBeGreaterThan(0.3);
  });

  test('finds only results that pass the filters', async () => {
    const way = 'in another order, dated';
    const filters = { AND: [{ key: 'date', value: '2026-03-01T10:02:00Z', negate: true }] };
    const found = await ask(way, { filters });
    expect(found.join()).toContain('farewell');
    expect(found.join()).not.toContain('Lotus');
  });
});

test('a chat that is sent message by message finds replies and answers', async () => {
  const chat = [
    ['user', 'Could you book the vet for our beagle Milo?'],
    ['assistant', 'Done: Friday at half past nine.'],
    ['assistant', 'What is the name of your insurance?'],
    ['user', 'Helvetia.'],
  ];
  await search.add(
    'chat',
    chat.map(([role, content], i) => ({
      content: JSON.stringify([{ role, content }]),
      customId: `chat-1:${i}`,
    })),
  );
  const found = async (q: string) =>
    (
      await search.searching()(['chat']).memories(q, { searchMode: 'documents', window: 0, limit: 2 })
    ).results.map(({ chunk }) => chunk);
  expect(await found('When is the vet for Milo?')).toContain('assistant: Done: Friday at half past nine.');
  expect(await found('What is the name of the insurance?')).toContain('user: Helvetia.');
});
