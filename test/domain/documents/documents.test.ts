// Tests of adding, reading, changing, deleting and listing documents over a real store.
import { describe, expect, it } from 'vitest';
import {
  type AddInput,
  addInput,
  batchInput,
  bulkDeleteInput,
  listInput,
  processingInput,
  updateInput,
} from '../../../tools/documents/schemas/inputs.ts';
import { openDocuments } from './open.ts';
import { callerOf } from './samples.ts';

const full = callerOf();
const ada = callerOf(['ada']);

const text = (content: string, more: object = {}): AddInput => addInput.parse({ content, ...more });
const list = (more: object = {}) => listInput.parse(more);
const titles = (found: { memories: { customId: string | null }[] }) =>
  found.memories.map((item) => item.customId);

describe('adding', () => {
  it('answers "queued", and the document can be read at once, word for word', async () => {
    await using open = await openDocuments();
    const { documents } = open;
    const added = await documents.add(
      full,
      text('  The text.\n', {
        containerTags: ['b', 'a'],
        customId: 'c/1 x',
        metadata: { n: 1, t: 'x', f: false },
      }),
    );
    expect(added).toEqual({ id: expect.stringMatching(/^[1-9A-HJ-NP-Za-km-z]{22}$/), status: 'queued' });
    const read = await documents.get(full, added.id);
    expect(read).toMatchObject({
      id: added.id,
      customId: 'c/1 x',
      content: '  The text.\n',
      containerTags: ['b', 'a'],
      metadata: { n: 1, t: 'x', f: false },
      status: 'queued',
      step: 'queued',
    });
    expect(await documents.get(full, 'c/1 x')).toEqual(read);
  });

  it('uses sm_project_default, or the single tag of the key, when no tag is named', async () => {
    await using open = await openDocuments();
    const { documents } = open;
    const [free, bound] = [await documents.add(full, text('a')), await documents.add(ada, text('b'))];
    expect((await documents.get(full, free.id)).containerTags).toEqual(['sm_project_default']);
    expect((await documents.get(full, bound.id)).containerTags).toEqual(['ada']);
  });

  it('stores a URL as a web page that waits', async () => {
    await using open = await openDocuments();
    const { id } = await open.documents.add(full, text(' https://example.org/a '));
    expect(await open.documents.get(full, id)).toMatchObject({
      type: 'webpage',
      url: 'https://example.org/a',
      content: ' https://example.org/a ',
    });
  });

  it('keeps the document when the customId comes again', async () => {
    await using open = await openDocuments();
    const { documents } = open;
    const first = await documents.add(full, text('one', { customId: 'c', containerTag: 'a' }));
    expect(await documents.add(full, text('one two', { customId: 'c', containerTag: 'a' }))).toEqual(first);
    expect(await documents.add(full, text('three', { customId: 'c' }))).toEqual(first);
    const other = await documents.add(full, text('one', { customId: 'c', containerTag: 'b' }));
    expect(other.id).not.toBe(first.id);
  });

  it('is refused for a document that carries further tags', async () => {
    await using open = await openDocuments();
    const { documents } = open;
    await documents.add(full, text('shared', { customId: 'c', containerTags: ['ada', 'bob'] }));
    await expect(documents.add(ada, text('mine', { customId: 'c' }))).rejects.toMatchObject({ status: 403 });
  });
});

describe('adding several documents', () => {
  const batch = (more: object) => batchInput.parse(more);

  it('stores the valid ones and answers in the order of the request', async () => {
    await using open = await openDocuments();
    const { documents } = open;
    const answer = await documents.addBatch(
      full,
      batch({
        documents: ['bare', { content: '' }, { content: 'own', containerTag: 'b', customId: 'own' }, 'last'],
        containerTag: 'a',
        metadata: { from: 'batch' },
      }),
    );
    expect(answer).toMatchObject({ success: 3, failed: 1 });
    expect(answer.results.map(({ status }) => status)).toEqual(['queued', 'error', 'queued', 'queued']);
    expect(answer.results[1]).toEqual({
      id: '',
      status: 'error',
      error: 'This document is not valid, so it was not added.',
      details: 'content: must not be empty',
    });
    const read = await Promise.all(
      [0, 2, 3].map((index) => documents.get(full, answer.results[index]?.id ?? '')),
    );
    expect(read.map(({ content, containerTags }) => [content, containerTags])).toEqual([
      ['bare', ['a']],
      ['own', ['b']],
      ['last', ['a']],
    ]);
    expect(read.map(({ metadata }) => metadata)).toEqual(Array(3).fill({ from: 'batch' }));
  });

  it('reports each refusal of the store at its own item', async () => {
    await using open = await openDocuments();
    const { documents } = open;
    await documents.add(full, text('shared', { customId: 'c', containerTags: ['ada', 'bob'] }));
    const answer = await documents.addBatch(
      ada,
      batch({ documents: [{ content: 'x', customId: 'c' }, 'y'] }),
    );
    expect(answer).toMatchObject({ success: 1, failed: 1 });
    expect(answer.results[0]).toMatchObject({
      id: '',
      status: 'error',
      error: expect.stringContaining('"ada"'),
    });
  });

  it('stores nothing when no item is valid', async () => {
    await using open = await openDocuments();
    const several = callerOf(['ada', 'bob']);
    const answer = await open.documents.addBatch(several, batch({ documents: ['no tag', ''] }));
    expect(answer).toMatchObject({ success: 0, failed: 2 });
    expect(answer.results[0]?.error).toContain('"ada", "bob"');
    expect((await open.documents.list(full, list())).pagination.totalItems).toBe(0);
  });
});

describe('reading', () => {
  it('tells a missing document from a foreign one by its id, and never by its customId', async () => {
    await using open = await openDocuments();
    const { documents } = open;
    const { id } = await documents.add(full, text('secret', { customId: 'theirs', containerTag: 'bob' }));
    await expect(documents.get(ada, id)).rejects.toMatchObject({ status: 403 });
    await expect(documents.get(ada, 'theirs')).rejects.toMatchObject({ status: 404 });
    await expect(documents.get(ada, 'nowhere')).rejects.toMatchObject({ status: 404 });
    await expect(documents.chunks(ada, id)).rejects.toMatchObject({ status: 403 });
  });

  it('lists the ids when a customId belongs to several documents', async () => {
    await using open = await openDocuments();
    const { documents } = open;
    const one = await documents.add(full, text('a', { customId: 'c', containerTag: 'a' }));
    const two = await documents.add(full, text('b', { customId: 'c', containerTag: 'b' }));
    for (const refused of [
      () => documents.get(full, 'c'),
      () => documents.update(full, 'c', updateInput.parse({ id: 'c', content: 'x' })),
      () => documents.remove(full, 'c'),
      () => documents.chunks(full, 'c'),
    ])
      await expect(refused()).rejects.toMatchObject({
        status: 400,
        message: expect.stringMatching(new RegExp(`${one.id}.*${two.id}`)),
      });
    expect((await documents.get(callerOf(['a']), 'c')).id).toBe(one.id);
  });

  it('shows the processing steps and the reason of the end', async () => {
    await using open = await openDocuments();
    const { documents, ingest } = open;
    const { id } = await documents.add(full, text('a'));
    const [held] = await open.claim();
    if (held === undefined) throw new Error('Nothing was queued.');
    await ingest.report([{ claim: held, step: 'embedding', progress: { done: 1, total: 3 } }]);
    expect(await documents.get(full, id)).toMatchObject({
      status: 'processing',
      step: 'embedding',
      progress: { done: 1, total: 3 },
    });
    const failure = { code: 'unsupported', message: 'Pages are not fetched yet.', retryable: false };
    await ingest.fail(held, failure);
    expect(await documents.get(full, id)).toMatchObject({ status: 'failed', step: 'failed', failure });
    expect(await documents.chunks(full, id)).toEqual({ documentId: id, total: 0, chunks: [] });
  });
});

describe('updating', () => {
  const update = (more: object) => updateInput.parse({ id: 'c', ...more });

  it('changes metadata in place: given keys replace, and the others stay', async () => {
    await using open = await openDocuments();
    const { documents } = open;
    const { id } = await documents.add(full, text('a', { customId: 'c', metadata: { a: 1, b: 2 } }));
    await open.finish();
    expect(await documents.update(full, 'c', update({ metadata: { b: 3, c: true } }))).toEqual({
      id,
      status: 'done',
    });
    const read = await documents.get(full, id);
    expect(read).toMatchObject({ status: 'done', metadata: { a: 1, b: 3, c: true } });
    const found = await documents.list(full, list({ filters: { AND: [{ key: 'b', value: '3' }] } }));
    expect(titles(found)).toEqual(['c']);
  });

  it('replaces the whole content and processes it again', async () => {
    await using open = await openDocuments();
    const { documents } = open;
    const { id } = await documents.add(full, text('old words', { customId: 'c' }));
    await open.finish();
    expect(await documents.update(full, 'c', update({ content: 'new' }))).toEqual({ id, status: 'queued' });
    expect(await documents.get(full, id)).toMatchObject({ status: 'queued', content: 'new' });
    await open.finish();
    expect(await documents.update(full, 'c', update({ content: 'new' }))).toEqual({ id, status: 'done' });
  });

  it('is refused for a document outside the tags of the key and for a customId that is in use', async () => {
    await using open = await openDocuments();
    const { documents } = open;
    const shared = await documents.add(full, text('s', { containerTags: ['ada', 'bob'] }));
    const foreign = await documents.add(full, text('f', { containerTag: 'bob', customId: 'f' }));
    await documents.add(full, text('a', { containerTag: 'ada', customId: 'taken' }));
    await documents.add(full, text('b', { containerTag: 'ada', customId: 'c' }));
    expect(await documents.get(ada, shared.id)).toMatchObject({ content: 's' });
    for (const [ref, status] of [
      [shared.id, 403],
      [foreign.id, 403],
      ['f', 404],
    ] as const)
      await expect(documents.update(ada, ref, update({ content: 'x' }))).rejects.toMatchObject({ status });
    await expect(documents.update(ada, 'c', update({ customId: 'taken' }))).rejects.toMatchObject({
      status: 409,
    });
  });
});

describe('deleting', () => {
  it('removes a document by id or by customId for good', async () => {
    await using open = await openDocuments();
    const { documents } = open;
    const { id } = await documents.add(full, text('a'));
    await documents.add(full, text('b', { customId: 'c' }));
    await documents.remove(full, id);
    await documents.remove(full, 'c');
    for (const ref of [id, 'c']) {
      await expect(documents.get(full, ref)).rejects.toMatchObject({ status: 404 });
      await expect(documents.remove(full, ref)).rejects.toMatchObject({ status: 404 });
    }
  });

  it('of several reports the deleted ones and the failed ones', async () => {
    await using open = await openDocuments();
    const { documents } = open;
    const mine = await documents.add(ada, text('a'));
    const foreign = await documents.add(full, text('b', { containerTag: 'bob' }));
    const remove = (more: object) => documents.removeMany(ada, bulkDeleteInput.parse(more));
    expect(await remove({ ids: [mine.id, 'nowhere'] })).toEqual({
      success: true,
      deletedCount: 1,
      errors: [{ id: 'nowhere', error: 'Memory not found' }],
    });
    await expect(remove({ ids: [foreign.id] })).rejects.toMatchObject({ status: 403 });
    expect(await documents.get(full, foreign.id)).toMatchObject({ content: 'b' });
  });

  it('by tag or by path removes nothing else', async () => {
    await using open = await openDocuments();
    const { documents } = open;
    await documents.add(full, text('1', { containerTag: 'a', customId: '1', filepath: '/x/1' }));
    await documents.add(full, text('2', { containerTag: 'a', customId: '2', filepath: '/xy' }));
    await documents.add(full, text('3', { containerTag: 'b', customId: '3' }));
    const remove = (more: object) => documents.removeMany(full, bulkDeleteInput.parse(more));
    expect(await remove({ filepath: '/x/' })).toEqual({ success: true, deletedCount: 1 });
    expect(await remove({ containerTags: ['a'] })).toEqual({
      success: true,
      deletedCount: 1,
      containerTags: ['a'],
    });
    expect(titles(await documents.list(full, list()))).toEqual(['3']);
  });
});

describe('listing', () => {
  it('returns every document once, newest first', async () => {
    await using open = await openDocuments();
    const { documents } = open;
    for (const name of ['1', '2', '3', '4', '5']) await documents.add(full, text(name, { customId: name }));
    const pages = [1, 2, 3, 4].map((page) => documents.list(full, list({ page, limit: 2 })));
    expect((await Promise.all(pages)).map(titles)).toEqual([['5', '4'], ['3', '2'], ['1'], []]);
    expect((await documents.list(full, list({ page: '2', limit: '2', order: 'asc' }))).pagination).toEqual({
      currentPage: 2,
      totalItems: 5,
      totalPages: 3,
      limit: 2,
    });
  });

  it('can be narrowed by any tag or by all, by status, by metadata and by path', async () => {
    await using open = await openDocuments();
    const { documents } = open;
    await documents.add(full, text('1', { containerTag: 'a', customId: '1', metadata: { k: 'x' } }));
    await open.finish();
    await documents.add(full, text('2', { containerTags: ['a', 'b'], customId: '2', filepath: '/n/2' }));
    await documents.add(full, text('3', { containerTag: 'c', customId: '3' }));
    // The call path narrows the scope to the tags that a call names.
    const named = callerOf(null, ['a', 'b']);
    const ask = async (more: object) =>
      titles(await documents.list('containerTags' in more ? named : full, list({ order: 'asc', ...more })));
    expect(await ask({ containerTags: ['a', 'b'] })).toEqual(['1', '2']);
    expect(await ask({ containerTags: ['a', 'b'], operator: 'AND' })).toEqual(['2']);
    expect(await ask({ status: 'done' })).toEqual(['1']);
    expect(await ask({ status: ['queued', 'processing'] })).toEqual(['2', '3']);
    expect(await ask({ filters: { AND: [{ key: 'k', value: 'x', negate: true }] } })).toEqual(['2', '3']);
    expect(await ask({ filepath: '/n/' })).toEqual(['2']);
  });

  it('includes the content on request', async () => {
    await using open = await openDocuments();
    await open.documents.add(full, text('whole'));
    const [item] = (await open.documents.list(full, list({ includeContent: true }))).memories;
    expect(item?.content).toBe('whole');
  });

  it('of the queue contains every document that is neither done nor failed', async () => {
    await using open = await openDocuments();
    const { documents } = open;
    await documents.add(full, text('done'));
    await open.finish();
    const waiting = await documents.add(full, text('waiting'));
    const queue = await documents.processing(full, processingInput.parse({}));
    expect(queue).toMatchObject({ totalCount: 1, documents: [{ id: waiting.id, status: 'queued' }] });
    expect((await documents.processing(ada, processingInput.parse({}))).totalCount).toBe(0);
  });
});
