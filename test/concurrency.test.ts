// Two hundred at once: each answer holds, and equal names are one document.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { verifies } from './spec/verifies.ts';
import { type OwnMemoir, startMemoir } from './support/memoir.ts';

const MANY = 200;
const numbers = Array.from({ length: MANY }, (_, at) => at);

let memoir: OwnMemoir;
beforeAll(async () => {
  memoir = await startMemoir();
});
afterAll(() => memoir.close());

interface Item {
  id: string;
  customId: string | null;
  status: string;
  content: string;
}

/** All at the same time; the ids that were answered, in the order of asking. */
const addAll = async (bodies: readonly Record<string, unknown>[]): Promise<string[]> => {
  const answers = await Promise.all(
    bodies.map((body) => memoir.ask<{ id: string }>('POST', '/v3/documents', body)),
  );
  expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
  return answers.map(({ body }) => body.id);
};

const listed = async (containerTag: string): Promise<Item[]> => {
  const query = { containerTags: [containerTag], limit: 1000, includeContent: true };
  const { body } = await memoir.ask<{ memories: Item[] }>('POST', '/v3/documents/list', query);
  return body.memories;
};

interface Hit {
  documentId: string;
  chunks: { content: string }[];
}

/** The documents in which a search finds the word, one for each passage that holds it. */
const hits = async (containerTag: string, word: string): Promise<string[]> => {
  const query = { q: word, searchMode: 'keyword', containerTags: [containerTag], limit: 50 };
  const { body } = await memoir.ask<{ results: Hit[] }>('POST', '/v3/search', query);
  return body.results.flatMap(({ documentId, chunks }) =>
    chunks.filter(({ content }) => content.includes(word)).map(() => documentId),
  );
};

const word = (at: number): string => `zqword${at}z`;

verifies(
  ['documents:add:read-after-write', 'processing:done:retrievable'],
  'two hundred different adds at once: each is there at once, comes to be done, and is found once',
  async () => {
    const bodies = numbers.map((at) => ({
      content: `This note is about ${word(at)} and nothing else.`,
      containerTag: 'different',
      ...(at % 2 ? { customId: `own-${at}` } : {}),
    }));
    const ids = await addAll(bodies);
    expect(new Set(ids).size).toBe(MANY);
    expect((await listed('different')).map(({ id }) => id).sort()).toEqual(ids.toSorted());
    await memoir.idle();
    const items = await listed('different');
    expect(items.filter(({ status }) => status !== 'done')).toEqual([]);
    for (const at of numbers) expect(await hits('different', word(at))).toEqual([ids[at]]);
  },
  { timeoutMs: 60_000 },
);

verifies(
  'resend:custom-id:same-document',
  'two hundred equal adds at once under ten customIds are ten documents',
  async () => {
    const bodies = numbers.map((at) => ({
      content: `Said twenty times: ${word(at % 10)}.`,
      containerTag: 'equal',
      customId: `equal-${at % 10}`,
    }));
    const ids = await addAll(bodies);
    for (const at of numbers) expect(ids[at]).toBe(ids[at % 10]);
    await memoir.idle();
    const items = await listed('equal');
    expect(items.map(({ id }) => id).sort()).toEqual(ids.slice(0, 10).sort());
    expect(items.filter(({ status }) => status !== 'done')).toEqual([]);
    for (const at of numbers.slice(0, 10)) {
      expect(items.find(({ id }) => id === ids[at])?.content).toBe(bodies[at]?.content);
      expect(await hits('equal', word(at))).toEqual([ids[at]]);
    }
  },
  { timeoutMs: 60_000 },
);

verifies(
  'resend:custom-id:concurrent',
  'two hundred different turns at once under one customId are all in the one document, each once',
  async () => {
    const ids = await addAll(
      numbers.map((at) => ({
        content: `User: Remember that ${word(at)} is in box ${at}.`,
        containerTag: 'turns',
        customId: 'one-talk',
      })),
    );
    expect(new Set(ids).size).toBe(1);
    await memoir.idle();
    const [item, ...others] = await listed('turns');
    expect(others).toEqual([]);
    expect(item?.status).toBe('done');
    const counts = numbers.map((at) => (item?.content.split(word(at)).length ?? 0) - 1);
    expect(counts).toEqual(numbers.map(() => 1));
    for (const at of numbers) expect(await hits('turns', word(at))).toEqual([ids[0]]);
  },
  { timeoutMs: 60_000 },
);

verifies(
  'resend:identity:tag-set',
  'the same customId at once under other tags is one document for each set of tags',
  async () => {
    const sets = [['x'], ['y'], ['x', 'y'], ['y', 'x'], ['z']];
    const ids = await addAll(
      numbers.map((at) => ({
        content: `Under several tags: ${word(at)}.`,
        containerTags: sets[at % sets.length],
        customId: 'same-name',
      })),
    );
    expect(new Set(ids).size).toBe(4);
    for (const at of numbers) expect(ids[at]).toBe(ids[at % 5 === 3 ? 2 : at % 5]);
    await memoir.idle();
    expect(await listed('x')).toHaveLength(2);
  },
  { timeoutMs: 60_000 },
);

test('adds, updates and deletes of the same documents at once leave each whole or gone', async () => {
  const ids = await addAll(
    numbers.map((at) => ({ content: `First ${word(at)}.`, containerTag: 'mixed', customId: `mixed-${at}` })),
  );
  const path = (at: number) => `/v3/documents/${ids[at]}`;
  const answers = await Promise.all(
    numbers.flatMap((at) => [
      memoir.ask('PATCH', path(at), { metadata: { at } }),
      memoir.ask('PATCH', path(at), { content: `Second ${word(at)}.` }),
      ...(at % 4 === 0 ? [memoir.ask('DELETE', path(at))] : []),
    ]),
  );
  expect(answers.filter(({ status }) => ![200, 204, 404].includes(status))).toEqual([]);
  await memoir.idle();
  const items = await listed('mixed');
  expect(items).toHaveLength(150);
  for (const { content, status } of items) expect([content.slice(0, 6), status]).toEqual(['Second', 'done']);
  for (const at of numbers.slice(0, 20))
    expect(await hits('mixed', word(at))).toEqual(at % 4 === 0 ? [] : [ids[at]]);
}, 60_000);
