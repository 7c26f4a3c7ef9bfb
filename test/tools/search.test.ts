// Tests of the inputs and answers of the two searches.
import { describe, expect, it, test } from 'vitest';
import { searchDocumentsInput, searchMemoriesInput } from '../../tools/search/schemas/inputs.ts';
import { searchMemoriesOutput } from '../../tools/search/schemas/outputs.ts';
import { problems } from './judge.ts';

const both = [
  ['POST /v3/search', searchDocumentsInput],
  ['POST /v4/search', searchMemoriesInput],
] as const;

describe.each(both)('%s', (_route, schema) => {
  it('needs nothing but a query', () => {
    expect(schema.parse({ q: 'x' })).toMatchObject({
      q: 'x',
      limit: 10,
      chunkThreshold: 0,
      documentThreshold: 0,
      rerank: false,
      rewriteQuery: false,
    });
  });

  it('shows neighbours up to the window, and none when only matches are requested', () => {
    const windowOf = (more: object) => schema.parse({ q: 'x', ...more }).window;
    expect(windowOf({ window: 5 })).toBe(5);
    expect(windowOf({ window: '0' })).toBe(0);
    expect(windowOf({ onlyMatchingChunks: false })).toBe(2);
    expect(windowOf({ onlyMatchingChunks: 'false', window: 1 })).toBe(1);
    expect(windowOf({ onlyMatchingChunks: true })).toBe(0);
    expect(windowOf({ onlyMatchingChunks: true, window: 3 })).toBe(0);
  });

  it('accepts the fields of both searches', () => {
    const given = {
      q: 'x',
      docId: 'd',
      endUserId: 'u',
      filepath: '/a/',
      limit: 100,
      chunkThreshold: 0.25,
      documentThreshold: 1,
      rerank: true,
      rewriteQuery: true,
      window: 3,
      searchMode: 'keyword',
    };
    expect(schema.parse({ ...given, containerTag: 'a', containerTags: ['b'] })).toMatchObject({
      ...given,
      tags: ['a', 'b'],
    });
  });

  test.each(['memories', 'hybrid', 'documents', 'semantic', 'keyword'])(
    'searches in the mode %s',
    (searchMode) => {
      expect(schema.parse({ q: 'x', searchMode }).searchMode).toBe(searchMode);
    },
  );

  it('reads booleans and numbers from text', () => {
    expect(schema.parse({ q: 'x', rerank: 'true', limit: '5' })).toMatchObject({ rerank: true, limit: 5 });
  });

  test.each([
    [{}, 'q: is required'],
    [{ q: '' }, 'q'],
    [{ q: ' \n' }, 'q: must not be blank'],
    [{ q: 'x'.repeat(10_001) }, 'q'],
    [{ q: 'x', limit: 0 }, 'limit'],
    [{ q: 'x', limit: 101 }, 'limit'],
    [{ q: 'x', limit: 2.5 }, 'limit'],
    [{ q: 'x', window: 6 }, 'window'],
    [{ q: 'x', window: -1 }, 'window'],
    [{ q: 'x', searchMode: 'fuzzy' }, 'searchMode'],
    [{ q: 'x', chunkThreshold: 1.1 }, 'chunkThreshold'],
    [{ q: 'x', documentThreshold: -0.1 }, 'documentThreshold'],
    [{ q: 'x', docId: 'x'.repeat(256) }, 'docId'],
    [{ q: 'x', filters: { key: 'a', value: 'b' } }, 'filters'],
    [{ q: 'x', containerTags: ['list'] }, 'containerTags[0]'],
  ])('refuses %j', (given, why) => {
    expect(problems(schema, given)).toContain(why);
  });
});

describe('POST /v3/search alone', () => {
  it('returns matches alone by default', () => {
    expect(searchDocumentsInput.parse({ q: 'x' }).window).toBe(0);
  });

  it('adds documents and summaries on request, and ignores categories', () => {
    expect(searchDocumentsInput.parse({ q: 'x', categoriesFilter: ['a'] })).toMatchObject({
      searchMode: 'documents',
      includeFullDocs: false,
      includeSummary: false,
    });
    expect(
      searchDocumentsInput.parse({ q: 'x', includeFullDocs: true, includeSummary: 'true' }),
    ).toMatchObject({
      includeFullDocs: true,
      includeSummary: true,
    });
  });
});

describe('POST /v4/search alone', () => {
  const none = {
    documents: false,
    summaries: false,
    relatedMemories: false,
    forgottenMemories: false,
    explain: false,
    chunks: false,
  };

  it('uses the threshold 0.6, shows neighbouring turns, and includes nothing else by default', () => {
    expect(searchMemoriesInput.parse({ q: 'x' })).toMatchObject({
      searchMode: 'memories',
      window: 2,
      threshold: 0.6,
      aggregate: false,
      include: none,
    });
  });

  it('includes the requested fields', () => {
    const { include } = searchMemoriesInput.parse({
      q: 'x',
      include: { documents: true, forgottenMemories: 'true', other: 1 },
    });
    expect(include).toEqual({ ...none, documents: true, forgottenMemories: true });
  });

  test.each([{ threshold: 2 }, { threshold: '0.5' }, { include: ['chunks'] }, { include: { chunks: 1 } }])(
    'refuses %j',
    (given) => {
      expect(problems(searchMemoriesInput, { q: 'x', ...given })).toContain(Object.keys(given)[0]);
    },
  );

  it('never answers a result that is both a memory and a chunk, or neither', () => {
    const result = { id: 'a', similarity: 0.9, metadata: null, updatedAt: '2026-01-01T00:00:00.000Z' };
    const answer = (more: object) => ({ results: [{ ...result, ...more }], timing: 1, total: 1 });
    const content = 'c';
    expect(problems(searchMemoriesOutput, answer({ content, memory: content }))).toBe('');
    expect(problems(searchMemoriesOutput, answer({ content, chunk: content }))).toBe('');
    expect(problems(searchMemoriesOutput, answer({ content, memory: 'm', chunk: 'c' }))).toContain('either');
    expect(problems(searchMemoriesOutput, answer({ content }))).toContain('either');
  });
});
