// Tests of turning a submission, an item of a batch or a patch into stored fields.
import { describe, expect, it, test } from 'vitest';
import { DEFAULT_TAG } from '../../../server/core/default-tag.ts';
import { toPatch, toSubmission, withBatch } from '../../../server/domain/documents/submission.ts';
import { recogniseKind } from '../../../server/domain/ingestion/content/recognise-kind.ts';
import { sha256 } from '../../../server/lib/hash.ts';
import { type AddInput, addInput, batchInput, updateInput } from '../../../tools/documents/schemas/inputs.ts';
import { callerOf } from './samples.ts';

const parts = { newId: () => 'fresh', recogniseKind };
const submissionOf = (input: object, tags: string[] | null = null) =>
  toSubmission(addInput.parse({ content: 'text', ...input }), callerOf(tags), parts);

describe('a submission', () => {
  it('leaves missing fields empty', () => {
    expect(submissionOf({})).toEqual({
      id: 'fresh',
      customId: null,
      tags: null,
      defaultTags: [DEFAULT_TAG],
      content: 'text',
      hash: sha256('text'),
      type: 'text',
      replace: false,
      metadata: null,
      title: null,
      filepath: null,
      url: null,
      source: null,
      taskType: 'memory',
      dreaming: null,
      entityContext: null,
      sentBy: 'key',
      heavy: false,
    });
  });

  it('keeps the given fields', () => {
    const said = {
      customId: 'c',
      metadata: { a: 1 },
      title: 'T',
      taskType: 'superrag',
      dreaming: 'instant',
      entityContext: 'who',
    };
    expect(submissionOf({ ...said, containerTags: ['b', 'a'] })).toMatchObject({ ...said, tags: ['b', 'a'] });
    const filterByMetadata = { project: ['x', 'y'], year: 2026 };
    expect(submissionOf({ filterByMetadata })).toMatchObject({ contextFilter: filterByMetadata });
  });

  test.each([
    ['a full key', null, [DEFAULT_TAG]],
    ['a key with one tag', ['a'], ['a']],
  ])('without a tag goes to the tag that %s names', (_who, held, tags) => {
    expect(submissionOf({}, held)).toMatchObject({ tags: null, defaultTags: tags });
  });

  it('needs a tag or a known customId when its key has several tags', () => {
    expect(submissionOf({}, ['a', 'b/c'])).toMatchObject({ tags: null, defaultTags: [] });
    expect(submissionOf({ containerTag: 'a' }, ['a', 'b/c'])).toMatchObject({ tags: ['a'] });
  });

  test.each([
    [{ filepath: '/a.md' }, true],
    [{ metadata: { claude_memory_type: 'file' } }, true],
    [{ metadata: { claude_memory_type: 'chat' } }, false],
    [{ metadata: { kind: 'file' } }, false],
  ])('with %j replaces the whole: %s', (said, replace) => {
    expect(submissionOf(said).replace).toBe(replace);
  });

  test.each([
    [' https://example.org/a?b=1 \n', 'webpage', 'https://example.org/a?b=1'],
    ['see https://example.org/a', 'text', null],
    ['<p>Hello there</p>', 'text', null],
  ])('recognises %j as %s', (content, type, url) => {
    expect(submissionOf({ content })).toMatchObject({ content, type, url });
  });

  it('keeps documentDate in the metadata, and only when it is given', () => {
    expect(submissionOf({ documentDate: '2023-05-01' }).metadata).toEqual({ documentDate: '2023-05-01' });
    expect(submissionOf({ documentDate: '2023-05-01', metadata: { a: 1 } }).metadata).toEqual({
      a: 1,
      documentDate: '2023-05-01',
    });
  });
});

describe('an item of a batch', () => {
  const merged = (batch: object): AddInput => {
    const parsed = batchInput.parse(batch);
    const item = parsed.documents[0]?.value;
    if (item === undefined) throw new Error('The item was refused.');
    return withBatch(item, parsed);
  };

  it('takes the common fields from the batch', () => {
    const shared = { entityContext: 'who', taskType: 'superrag', dreaming: 'instant', filepath: '/all/' };
    expect(merged({ documents: ['text'], containerTag: 'all', metadata: { a: 1 }, ...shared })).toEqual({
      content: 'text',
      tags: ['all'],
      metadata: { a: 1 },
      ...shared,
    });
  });

  it('overrides the batch with its own fields, and merges metadata key by key', () => {
    const item = {
      content: 'own',
      customId: 'c',
      containerTags: ['x', 'y'],
      metadata: { a: 2, c: true },
      taskType: 'memory',
      filepath: '/own',
    };
    expect(
      merged({
        documents: [item],
        containerTag: 'all',
        metadata: { a: 1, b: 'z' },
        taskType: 'superrag',
        filepath: '/all',
      }),
    ).toEqual({
      content: 'own',
      customId: 'c',
      tags: ['x', 'y'],
      metadata: { a: 2, b: 'z', c: true },
      taskType: 'memory',
      filepath: '/own',
    });
  });

  it('has no metadata when neither has any', () => {
    expect(merged({ documents: ['text'] }).metadata).toBeUndefined();
  });
});

describe('a patch', () => {
  const patchOf = (input: object) => toPatch(updateInput.parse({ id: 'x', ...input }), callerOf(), parts);

  test.each([
    [{}, {}],
    [{ metadata: { a: 1 } }, { metadata: { a: 1 } }],
    [{ content: 'new' }, { content: 'new', hash: sha256('new'), type: 'text', sentBy: 'key' }],
    [{ content: 'https://example.org' }, { type: 'webpage' }],
    [
      { containerTag: 'b', customId: 'c', taskType: 'superrag', filepath: '/p', filterByMetadata: { a: 1 } },
      { tags: ['b'], customId: 'c', taskType: 'superrag', filepath: '/p', contextFilter: { a: 1 } },
    ],
  ])('of %j holds only the given fields', (given, patch) => {
    expect(patchOf(given)).toMatchObject(patch);
    if (!('content' in given)) expect(Object.keys(patchOf(given)).sort()).toEqual(Object.keys(patch).sort());
  });
});
