// Processing of documents: awaited memories, context for a reader, and the use of language models.
import { describe, expect, test } from 'vitest';
import type { DocumentStep } from '../../../../server/adapters/store/ports/documents.ts';
import type { ContextFilter } from '../../../../server/adapters/store/ports/metadata.ts';
import { present, readForMemories, tell } from './telling.ts';
import { contentPatch, everything, type OpenStore, only, openWorld, type World } from './world.ts';

const INSTANT = { dreaming: 'instant' };

const stepOf = async (world: World, id: string): Promise<DocumentStep> => (await world.get(id)).step;

const idsWith = async (world: World, ...steps: DocumentStep[]): Promise<string[]> =>
  (await world.list({ steps })).map(({ id }) => id);

const awaitedContract = (open: OpenStore): void => {
  describe('awaited memories', () => {
    test('keep their document at embedding until they exist, wherever it is read, listed or counted', async () => {
      await using world = await openWorld(open);
      const later = await world.add('Tea');
      const id = await world.add('Jam', INSTANT);
      await world.index();
      expect([await stepOf(world, later), await stepOf(world, id)]).toEqual(['done', 'embedding']);
      expect(await idsWith(world, 'done')).toEqual([later]);
      expect(await idsWith(world, 'queued', 'extracting', 'chunking', 'embedding')).toEqual([id]);
      expect(await world.store.counts()).toMatchObject({ queued: 1, failed: 0 });
      await readForMemories(world);
      expect(await idsWith(world, 'done')).toEqual([later, id]);
      expect(await world.store.counts()).toMatchObject({ queued: 0 });
    });

    test('keep it no longer when they cannot be drawn', async () => {
      await using world = await openWorld(open);
      const id = await world.add('Jam', INSTANT);
      await world.index();
      const { remembering } = world;
      const [job] = await remembering.claimToRemember(1);
      await remembering.memoryLater(present(job), world.clock.now());
      expect(await stepOf(world, id)).toBe('embedding');
      const [again] = await remembering.claimToRemember(1);
      const failure = { code: 'model_silent', message: 'The model did not answer.', retryable: false };
      await remembering.memoryFailed(present(again), failure);
      expect(await world.get(id)).toMatchObject({ step: 'done', memoryFailure: failure });
    });

    test('do not exist when there is nothing to read', async () => {
      await using world = await openWorld(open);
      const id = await world.add('Jam', { ...INSTANT, taskType: 'superrag' });
      await world.index();
      expect(await stepOf(world, id)).toBe('done');
    });

    test('are claimed apart, in their turn, and before others', async () => {
      await using world = await openWorld(open);
      const add = async (content: string, more: object = {}) => {
        world.clock.pass(1);
        return world.add(content, more);
      };
      await add('b1', { tags: ['b'] });
      await add('a1', INSTANT);
      await add('b2', { tags: ['b'], ...INSTANT });
      await add('a2');
      await world.index();
      const claimed = async (limit: number, dreaming?: 'instant' | 'dynamic') =>
        (await world.remembering.claimToRemember(limit, dreaming)).map(({ fresh }) => fresh[0]?.text);
      expect(await claimed(1, 'instant')).toEqual(['a1']);
      expect(await claimed(1, 'dynamic')).toEqual(['b1']);
      expect(await claimed(10)).toEqual(['b2', 'a2']);
      expect(await claimed(10)).toEqual([]);
    });

    test("follow the last submission's choice", async () => {
      await using world = await openWorld(open);
      const id = await world.add('Jam', { customId: 'c' });
      await world.index();
      expect(await world.send('Jam', { customId: 'c', ...INSTANT })).toMatchObject({ id, status: 'queued' });
      expect(await stepOf(world, id)).toBe('embedding');
      expect(await world.send('Jam', { customId: 'c', dreaming: null })).toMatchObject({ status: 'queued' });
      expect(await world.send('Jam', { customId: 'c', dreaming: 'dynamic' })).toMatchObject({
        status: 'done',
      });
      expect(await stepOf(world, id)).toBe('done');
    });
  });
};

const contextContract = (open: OpenStore): void => {
  test('the context of a reader is restricted by metadata, of memories and of their documents', async () => {
    await using world = await openWorld(open);
    await world.add('Tea', { metadata: { kind: 'drink', hot: true } });
    await readForMemories(world);
    await tell(world, 'Jam', { metadata: { kind: 'food', jars: 5 } });
    await tell(world, 'Salt');
    const ids = (await world.store.memories.live(everything, { limit: 10 })).map(({ id }) => id);
    await world.add('Cake', { contextFilter: { kind: 'none' } });
    await world.index();
    const [job] = await world.remembering.claimToRemember(1);
    const { container, contextFilter: sent } = present(job);
    expect(sent).toEqual({ kind: 'none' });
    const serving = async (contextFilter: ContextFilter | null) => {
      const wanted = { slots: [], abouts: [], ids };
      const found = await world.remembering.known({ container, contextFilter }, wanted, null);
      return found.map(({ memory }) => memory).sort();
    };
    const all = ['Jam', 'Salt', 'Tea'];
    const expected: [ContextFilter | null, string[]][] = [
      [null, all],
      [{}, all],
      [{ kind: 'drink' }, ['Tea']],
      [{ kind: ['drink', 'food'] }, ['Jam', 'Tea']],
      [{ kind: ['drink', 'food'], jars: 5 }, ['Jam']],
      [{ jars: ['5'] }, ['Jam']],
      [{ hot: true }, ['Tea']],
      [{ kind: 'Drink' }, []],
      [{ kind: [] }, []],
      [{ colour: 'red' }, []],
      [Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`key${n}`, ['a', 'b']])), []],
    ];
    for (const [filter, memories] of expected)
      expect([filter, await serving(filter)]).toEqual([filter, memories]);
  });
};

const usageContract = (open: OpenStore): void => {
  test('the use of a language model counts for the document, its tags, the sending key and the day', async () => {
    await using world = await openWorld(open);
    const { usage, tags } = world.store;
    const id = await world.add('Tea', { tags: ['a', 'b'], sentBy: 'k1', customId: 'c' });
    await world.index();
    const [job] = await world.remembering.claimToRemember(1);
    const spend = (inputTokens: number, outputTokens: number) =>
      world.remembering.spent(present(job), { inputTokens, outputTokens });
    await spend(100, 10);
    world.clock.pass(3 * 86_400_000);
    await spend(1, 2);
    const sum = { inputTokens: 101, outputTokens: 12 };
    expect((await world.get(id)).tokens).toEqual(sum);
    for (const tag of ['a', 'b']) expect(present(await tags.get(everything, tag)).tokens).toEqual(sum);
    expect(await tags.get(only('c'), 'a')).toBeNull();
    expect(await usage.ofKeys()).toEqual(new Map([['k1', sum]]));
    expect(await world.rows('select count(*) as days from key_tokens')).toEqual([{ days: 2 }]);
    await usage.add({ key: 'k2', tags: ['a', 'gone'] }, { inputTokens: 5, outputTokens: 0 });
    await usage.add({ key: null, tags: [] }, { inputTokens: 7, outputTokens: 0 });
    expect(present(await tags.get(everything, 'a')).tokens.inputTokens).toBe(106);
    expect([...(await usage.ofKeys())].map(([key, { inputTokens }]) => [key, inputTokens])).toEqual(
      expect.arrayContaining([
        ['k1', 101],
        ['k2', 5],
        ['', 7],
      ]),
    );
    await world.store.documents.remove(everything, { by: 'ref', ref: id });
    await spend(1, 1);
    expect((await usage.ofKeys()).get('k1')?.inputTokens).toBe(102);
  });

  test('the key of the last content is counted', async () => {
    await using world = await openWorld(open);
    const senderOf = async () => {
      const [job] = await world.remembering.claimToRemember(1);
      await world.remembering.memoryLater(present(job), 0);
      return present(job).sentBy;
    };
    const id = await world.add('Tea', { sentBy: 'k1', customId: 'c' });
    await world.index();
    expect(await senderOf()).toBe('k1');
    await world.send('Tea', { sentBy: 'k2', customId: 'c', metadata: { a: 1 } });
    expect(await senderOf()).toBe('k1');
    await world.send('Jam', { sentBy: 'k3', customId: 'c' });
    await world.index();
    expect(await senderOf()).toBe('k3');
    await world.patch(id, { ...contentPatch('Figs'), sentBy: 'k4' });
    await world.index();
    expect(await senderOf()).toBe('k4');
  });
};

export const processingContract = (open: OpenStore): void => {
  awaitedContract(open);
  contextContract(open);
  usageContract(open);
};
