// Tests of the inputs of the operations on documents.
import { describe, expect, it, test } from 'vitest';
import {
  addInput,
  batchInput,
  bulkDeleteInput,
  listInput,
  listQueryInput,
  processingInput,
  updateInput,
} from '../../tools/documents/schemas/inputs.ts';
import { problems } from './judge.ts';

describe('adding', () => {
  it('accepts every published field', () => {
    const given = {
      content: 'text',
      customId: 'c',
      metadata: { a: 1 },
      entityContext: 'who',
      taskType: 'superrag',
      dreaming: 'instant',
      filepath: '/notes/a.md',
      filterByMetadata: { team: ['red', 'blue'], open: true },
      title: 'A title',
      documentDate: '2023-05-01T10:00:00Z',
    };
    expect(addInput.parse({ ...given, containerTag: 'a', containerTags: ['b'] })).toEqual({
      ...given,
      tags: ['a', 'b'],
    });
  });

  it('ignores unknown keys', () => {
    expect(addInput.parse({ content: 'x', source: 'cli', nested: {} })).toEqual({ content: 'x' });
  });

  test.each([
    [{}, 'content: is required'],
    [{ content: 'x', taskType: 'other' }, 'taskType'],
    [{ content: 'x', dreaming: 'now' }, 'dreaming'],
    [{ content: 'x', entityContext: 'x'.repeat(1501) }, 'entityContext'],
    [{ content: 'x', customId: 'bulk' }, 'customId'],
    [{ content: 'x', metadata: { a: { b: 1 } } }, 'metadata.a'],
    [{ content: 'x', filterByMetadata: { a: {} } }, 'filterByMetadata.a'],
    [{ content: 'x', filepath: '' }, 'filepath'],
    [{ content: 'x', documentDate: 'yesterday' }, 'documentDate: must be an ISO-8601 date'],
    ['text', 'must be an object'],
    [null, 'must be an object'],
  ])('refuses %j', (given, why) => {
    expect(problems(addInput, given)).toContain(why);
  });

  test.each(['2023-05-01', '2023-05-01T10:00:00.123Z', '2023-05-01T10:00:00+02:00', '2023-05-01T10:00'])(
    'accepts %s as documentDate',
    (documentDate) => {
      expect(problems(addInput, { content: 'x', documentDate })).toBe('');
    },
  );

  it('names every invalid field in one answer', () => {
    const said = problems(addInput, { content: '', customId: '', containerTag: '', metadata: 3 });
    for (const field of ['content', 'customId', 'containerTag', 'metadata']) expect(said).toContain(field);
  });
});

describe('adding several documents', () => {
  it('reads each item for itself, so that one invalid item fails alone', () => {
    const { documents, tags } = batchInput.parse({
      documents: ['bare', { content: 'own', containerTag: 't' }, { content: '' }, '', null, 7],
      containerTags: ['all'],
      content: null,
    });
    expect(tags).toEqual(['all']);
    expect(documents.map((item) => item.value)).toEqual([
      { content: 'bare' },
      { content: 'own', tags: ['t'] },
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
    expect(documents.map((item) => item.issues?.length ?? 0)).toEqual([0, 0, 1, 1, 1, 1]);
  });

  it('accepts 1 to 600 items', () => {
    const many = (count: number) => ({ documents: Array.from({ length: count }, () => 'x') });
    expect(problems(batchInput, many(1))).toBe('');
    expect(problems(batchInput, many(600))).toBe('');
    expect(problems(batchInput, many(0))).toContain('documents');
    expect(problems(batchInput, many(601))).toContain('documents');
  });

  test.each([
    [{}, 'documents'],
    [{ documents: 'x' }, 'documents'],
    [{ documents: ['x'], containerTag: 'list' }, 'containerTag'],
    [{ documents: ['x'], metadata: { a: [] } }, 'metadata.a'],
  ])('refuses %j as a whole', (given, why) => {
    expect(problems(batchInput, given)).toContain(why);
  });
});

describe('updating', () => {
  it('accepts any of its fields, and none', () => {
    expect(updateInput.parse({ id: 'x' })).toEqual({ id: 'x' });
    expect(updateInput.parse({ id: 'x', metadata: { a: 1 }, containerTag: 'b' })).toEqual({
      id: 'x',
      metadata: { a: 1 },
      tags: ['b'],
    });
  });

  test.each([
    [{ id: 'x', content: ' ' }, 'content'],
    [{ id: 'x', metadata: { a: [] } }, 'metadata.a'],
    [{ id: 'x', customId: 'list' }, 'customId'],
    [{ id: 'x'.repeat(256) }, 'id'],
  ])('refuses %j', (given, why) => {
    expect(problems(updateInput, given)).toContain(why);
  });
});

describe('listing', () => {
  const defaults = {
    operator: 'OR',
    includeContent: false,
    page: 1,
    limit: 10,
    sort: 'createdAt',
    order: 'desc',
  };

  it('needs no field', () => {
    expect(listInput.parse({})).toEqual(defaults);
    expect(listQueryInput.parse({})).toEqual(defaults);
  });

  it('reads a body and a query alike', () => {
    const condition = { key: 'k', value: 'v' };
    const fromBody = listInput.parse({
      containerTags: ['a', 'b'],
      operator: 'AND',
      status: ['processing', 'done'],
      filters: { AND: [condition] },
      filepath: '/notes/',
      includeContent: true,
      page: 2,
      limit: 20,
      sort: 'updatedAt',
      order: 'asc',
      provider: 'notion',
    });
    const fromQuery = listQueryInput.parse({
      containerTags: 'a,b',
      operator: 'AND',
      status: 'processing,done',
      filters: JSON.stringify({ AND: [condition] }),
      filepath: '/notes/',
      includeContent: 'true',
      page: '2',
      limit: '20',
      sort: 'updatedAt',
      order: 'asc',
      provider: 'notion',
    });
    expect(fromQuery).toEqual(fromBody);
    expect(fromBody.tags).toEqual(['a', 'b']);
    expect(fromBody.status).toEqual(['extracting', 'chunking', 'embedding', 'done']);
  });

  test.each([
    { operator: 'XOR' },
    { status: 'unknown' },
    { filters: { key: 'a', value: 'b' } },
    { limit: 1101 },
  ])('refuses %j', (given) => {
    expect(problems(listInput, given)).toContain(Object.keys(given)[0]);
  });

  it('restricts the queue view by tag', () => {
    expect(processingInput.parse({}).tags).toBeUndefined();
    expect(processingInput.parse({ containerTags: 'a,b' }).tags).toEqual(['a', 'b']);
  });
});

describe('deleting in bulk', () => {
  test.each([
    [{ ids: ['a', 'b'] }, { ids: ['a', 'b'] }],
    [{ containerTags: ['a'] }, { tags: ['a'] }],
    [{ containerTag: 'a' }, { tags: ['a'] }],
    [{ filepath: '/notes/' }, { filepath: '/notes/' }],
  ])('accepts %j', (given, read) => {
    expect(bulkDeleteInput.parse(given)).toEqual(read);
  });

  test.each([
    [{}, 'exactly one'],
    [{ reason: 'x' }, 'exactly one'],
    [{ ids: ['a'], containerTags: ['b'] }, 'exactly one'],
    [{ ids: ['a'], filepath: '/' }, 'exactly one'],
    [{ ids: [] }, 'ids'],
    [{ ids: Array.from({ length: 101 }, (_, i) => `${i}`) }, 'ids'],
    [{ ids: 'a' }, 'ids'],
    [{ containerTags: [] }, 'containerTags'],
    [{ filepath: '' }, 'filepath'],
  ])('refuses %j', (given, why) => {
    expect(problems(bulkDeleteInput, given)).toContain(why);
  });
});
