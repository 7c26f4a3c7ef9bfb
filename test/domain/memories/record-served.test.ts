// Tests of recording the texts that callers were given.
import { describe, expect, test } from 'vitest';
import type { Caller } from '../../../server/core/principal.ts';
import { Scope } from '../../../server/core/scope.ts';
import { type AnsweringParts, recordServed } from '../../../server/domain/memories/record-served.ts';
import { profileInput } from '../../../tools/profile/schemas/profile.ts';
import { searchDocumentsInput, searchMemoriesInput } from '../../../tools/search/schemas/inputs.ts';

const caller = (tags: readonly string[] | null): Caller => ({
  ...{
    keyId: 'k',
    keyName: 'test',
    permission: 'read',
    tags,
    role: 'member',
    expiresAt: null,
    rateLimit: null,
  },
  scope: Scope.mint(tags, tags),
});
const signal = new AbortController().signal;
const AT = '2026-03-01T00:00:00.000Z';

const memory = (text: string, more: object = {}) => ({
  ...{ id: 'm', memory: text, similarity: 1, metadata: null, updatedAt: AT },
  ...more,
});

const found = (...results: ReturnType<typeof memory>[]) => ({ results, timing: 0, total: results.length });

/** A search with fixed answers, and the texts that were recorded for it. */
const answering = (answers: {
  memories?: unknown;
  documents?: unknown;
  profile?: unknown;
  entries?: unknown;
}) => {
  const told: [readonly string[], readonly string[]][] = [];
  const parts = {
    search: { memories: async () => answers.memories, documents: async () => answers.documents },
    profile: {
      read: async () => answers.profile,
      ofTag: async () => answers.profile,
      entries: async () => answers.entries,
    },
  } as unknown as AnsweringParts;
  const tell = (tags: readonly string[], texts: readonly string[]) => void told.push([tags, texts]);
  return { told, ...recordServed(parts, { tell, defaultTag: 'home' }) };
};

describe('the record of served texts', () => {
  test('notes memories under the searched tags', async () => {
    const answer = found(
      memory('Ada likes tea', { context: { parents: [memory('Ada likes coffee')] } }),
      memory('Bob naps', { chunks: [{ content: 'Bob: I nap.' }] }),
    );
    const { search, told } = answering({ memories: answer });
    const asked = searchMemoriesInput.parse({ q: 'tea' });
    expect(await search.memories(caller(['a', 'b']), asked, signal)).toBe(answer);
    const texts = ['Ada likes tea', 'Bob naps', 'Ada likes coffee', 'Bob: I nap.'];
    expect(told).toEqual([[['a', 'b'], texts]]);
    await search.memories(caller(null), asked, signal);
    expect(told[1]).toEqual([['home'], texts]);
  });

  test('notes the passages of documents', async () => {
    const chunks = [
      { content: 'one', score: 1, isRelevant: true },
      { content: 'two', score: 0, isRelevant: false },
    ];
    const { search, told } = answering({ documents: { results: [{ chunks }], timing: 0, total: 1 } });
    await search.documents(caller(['a']), searchDocumentsInput.parse({ q: 'one' }), signal);
    expect(told).toEqual([[['a'], ['one', 'two']]]);
  });

  test('notes the statements of a profile without their marks', async () => {
    const profile = {
      static: ['Ada is a baker'],
      dynamic: ['[Recent] [2026-03-01] Ada bought flour'],
      buckets: { food: ['[Recent] Ada bought flour'] },
    };
    const parts = answering({ profile: { profile, searchResults: found(memory('Ada likes tea')) } });
    await parts.profile.read(caller(null), profileInput.parse({ containerTag: 'a', q: 'tea' }), signal);
    await parts.profile.ofTag(caller(null), 'b');
    const texts = ['Ada likes tea', 'Ada is a baker', 'Ada bought flour', 'Ada bought flour'];
    expect(parts.told).toEqual([
      [['a'], texts],
      [['b'], texts],
    ]);
  });

  test('notes the memories of a profile under its tag', async () => {
    const entries = {
      static: [{ id: '1', memory: 'Ada is a baker' }],
      dynamic: [{ id: '2', memory: 'Ada bought flour' }],
      buckets: { food: [{ id: '2', memory: 'Ada bought flour' }] },
    };
    const { profile, told } = answering({ entries });
    expect(await profile.entries(caller(null), { tag: 'a' })).toBe(entries);
    expect(told).toEqual([[['a'], ['Ada is a baker', 'Ada bought flour', 'Ada bought flour']]]);
  });

  test('notes nothing for an empty answer, and a bounded number of texts for a long one', async () => {
    const nothing = answering({ memories: found() });
    const asked = searchMemoriesInput.parse({ q: 'tea' });
    await nothing.search.memories(caller(['a']), asked, signal);
    expect(nothing.told).toEqual([]);
    const much = answering({
      memories: found(...Array.from({ length: 100 }, () => memory('x'.repeat(5_000)))),
    });
    await much.search.memories(caller(['a']), asked, signal);
    const [texts = []] = much.told.map(([, each]) => each);
    expect(texts.length).toBeLessThanOrEqual(100);
    expect(Math.max(...texts.map(({ length }) => length))).toBeLessThanOrEqual(2_000);
    expect(texts.join('').length).toBeLessThanOrEqual(40_000);
  });
});
