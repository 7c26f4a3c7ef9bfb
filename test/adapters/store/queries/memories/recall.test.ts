// Tests of the queries for profiles: changes of a tag, remembered statements, and documents without memories.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Scope } from '../../../../../server/core/scope.ts';
import {
  type NewStatement,
  prepareStatements,
} from '../../../../../server/domain/memories/prepare-statements.ts';
import { sha256 } from '../../../../../server/lib/hash.ts';
import { newId } from '../../../../../server/lib/ids.ts';
import { openTestStore, type TestStore } from '../../../../support/store.ts';

const everything = Scope.mint(null, null);
const only = (...tags: string[]) => Scope.mint(tags, tags);

let opened: TestStore;
beforeEach(() => {
  opened = openTestStore();
});
afterEach(() => opened.close());

const statement = (memory: string, more: Partial<NewStatement> = {}): NewStatement => ({
  memory,
  isStatic: false,
  isInference: false,
  slot: null,
  about: null,
  forgetAfter: null,
  forgetReason: null,
  metadata: null,
  documentDate: null,
  eventDates: [],
  ...more,
});

const prepare = async (...statements: NewStatement[]) => prepareStatements(statements, []);

const remember = async (tags: string[], ...statements: (string | NewStatement)[]) => {
  const documentId = newId();
  const memories = await prepare(
    ...statements.map((one) => (typeof one === 'string' ? statement(one) : one)),
  );
  const made = await opened.store.memories.create(everything, { tags, documentId, memories }, []);
  return { documentId, ids: made.memories.map(({ id }) => id), ns: made.memories.map(({ n }) => n) };
};

const submit = async (tag: string, content: string, taskType = 'memory') => {
  const id = newId();
  await opened.store.documents.submit(everything, [
    {
      ...{
        id,
        customId: null,
        tags: [tag],
        defaultTags: [tag],
        content,
        hash: sha256(content),
        type: 'text',
      },
      ...{ replace: false, metadata: null, title: null, filepath: null, url: null, source: null },
      ...{ taskType, dreaming: 'dynamic', entityContext: null },
    },
  ]);
  return id;
};

const changes = (tag: string) => opened.store.recall.changes(everything, tag);

/** True if the action raises the change counter of the tag. */
const isSeen = async (tag: string, work: () => Promise<unknown>): Promise<boolean> => {
  const before = await changes(tag);
  await work();
  return (await changes(tag)) !== before;
};

describe('the change counter of a tag', () => {
  it('counts each write to its memories, and none to those of another', async () => {
    const { memories, documents } = opened.store;
    const { ids, documentId } = await remember(['a'], 'One.', 'Two.');
    await remember(['b'], 'Three.');
    const [one = '', two = ''] = ids;
    expect(await isSeen('a', () => remember(['b'], 'Four.'))).toBe(false);
    expect(await isSeen('a', () => remember(['a'], 'Five.'))).toBe(true);
    expect(await isSeen('a', () => remember(['a'], 'One.'))).toBe(true);
    const [prepared] = await prepare(statement('One and a half.'));
    if (!prepared) throw new Error('Nothing was prepared.');
    expect(await isSeen('a', () => memories.revise(everything, one, { prepared }, []))).toBe(true);
    const silently = { reason: null, batch: null };
    expect(await isSeen('a', () => memories.forget(everything, [two], silently))).toBe(true);
    expect(await isSeen('a', () => memories.forget(everything, [two], silently))).toBe(false);
    expect(await isSeen('b', () => memories.forget(everything, [two], silently))).toBe(false);
    expect(
      await isSeen('a', () => documents.update(everything, documentId, { metadata: { kind: 'note' } })),
    ).toBe(true);
    expect(await isSeen('a', () => documents.remove(everything, { by: 'ref', ref: documentId }))).toBe(true);
  });

  it('counts for the tag that a document leaves and for the one that it joins', async () => {
    const { documentId } = await remember(['a'], 'One.');
    await remember(['b'], 'Two.');
    const moved = () => opened.store.documents.update(everything, documentId, { tags: ['b'] });
    const before = await changes('b');
    expect(await isSeen('a', moved)).toBe(true);
    expect(await changes('b')).not.toBe(before);
  });

  it('counts for every tag of a shared document, and is visible to readers of the tag', async () => {
    await remember(['a', 'b'], 'One.');
    expect(await isSeen('b', () => remember(['a', 'b'], 'Two.'))).toBe(true);
    expect(await opened.store.recall.changes(only('b'), 'a')).toBeNull();
    expect(await opened.store.recall.changes(only('a'), 'a')).not.toBeNull();
    expect(await changes('nobody')).toBeNull();
  });
});

describe('a remembered statement', () => {
  it('is live, latest and no guess, by kind, with how many documents say it', async () => {
    await remember(
      ['a'],
      statement('Lasting.', { isStatic: true }),
      'Recent.',
      statement('Guessed.', { isInference: true }),
      statement('Over.', { forgetAfter: Date.now() - 1 }),
    );
    await remember(['a'], 'Recent.');
    const read = (isStatic: boolean) => opened.store.recall.remembered(only('a'), { isStatic, limit: 10 });
    expect(await read(true)).toMatchObject([{ memory: 'Lasting.', isStatic: true, sourceCount: 1 }]);
    expect(await read(false)).toMatchObject([{ memory: 'Recent.', sourceCount: 2 }]);
    expect(await opened.store.recall.remembered(only('b'), { isStatic: true, limit: 10 })).toEqual([]);
  });

  it('has its sources, as far as the scope reaches', async () => {
    const { ns, documentId } = await remember(['a'], 'One.');
    const [n = 0] = ns;
    const found = await opened.store.recall.sources(only('a'), [n]);
    expect(found.get(n)).toMatchObject({ documents: [{ id: documentId }], chunks: [] });
    expect((await opened.store.recall.sources(only('b'), [n])).get(n)).toEqual({ documents: [], chunks: [] });
    expect((await opened.store.recall.sources(everything, [n])).get(n)?.documents).toHaveLength(1);
  });
});

describe('a document without memories', () => {
  const unspoken = async (): Promise<boolean> =>
    (await opened.store.search.extent(only('a'), { unspoken: true, document: 'x' }, 10)).documentFound;

  const document = async (taskType?: string) => {
    const id = await submit('a', 'Something.', taskType);
    await opened.store.documents.update(everything, id, { customId: 'x' });
    return id;
  };

  it('is listed when it was added to be remembered, until it is only searchable', async () => {
    const id = await document();
    expect(await unspoken()).toBe(true);
    await opened.store.documents.update(everything, id, { taskType: 'superrag' });
    expect(await unspoken()).toBe(false);
    await opened.store.documents.update(everything, id, { taskType: 'memory' });
    expect(await unspoken()).toBe(true);
  });

  it('is not listed when it is only searchable, or is the source of a memory', async () => {
    await document('superrag');
    expect(await unspoken()).toBe(false);
    const { documentId } = await remember(['a'], 'One.');
    const found = await opened.store.search.extent(only('a'), { unspoken: true, document: documentId }, 10);
    expect(found.documentFound).toBe(false);
  });
});
