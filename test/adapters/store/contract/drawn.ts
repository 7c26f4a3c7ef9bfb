// Memories that were drawn from documents: their sources, their relations, and the guesses among them.
import { describe, expect, test } from 'vitest';
import type { MemoryRelation } from '../../../../server/adapters/store/ports/memories/memories.ts';
import type {
  MemoryHarvest,
  MemoryJob,
  PreparedRelation,
} from '../../../../server/adapters/store/ports/memories/remembering.ts';
import { listed, live, prepared, present, purgeAll, readForMemories, revised, tell } from './telling.ts';
import { contentPatch, everything, type OpenStore, only, openWorld, type World } from './world.ts';

const byText = async (world: World, memory: string) =>
  present((await listed(world)).find((one) => one.memory === memory));

const to = (kind: MemoryRelation, known: string): PreparedRelation => ({ kind, to: { known } });

const sourcesContract = (open: OpenStore): void => {
  describe('sources', () => {
    test('keep a memory alive until the last of its documents is deleted', async () => {
      await using world = await openWorld(open);
      const { documents, memories } = world.store;
      const ids = [await world.add('Tea\n\nCake'), await world.add('tea.\n\nJam')];
      await readForMemories(world);
      expect(await byText(world, 'Tea')).toMatchObject({ sourceCount: 2, documentIds: ids });
      const ns = (await Promise.all(ids.map((id) => world.get(id)))).map(({ n }) => n);
      const drawn = await memories.ofDocuments(everything, ns);
      expect(ns.map((n) => drawn.get(n)?.map(({ memory }) => memory))).toEqual([
        ['Tea', 'Cake'],
        ['Tea', 'Jam'],
      ]);
      await documents.remove(everything, { by: 'ref', ref: present(ids[0]) });
      expect((await live(world)).sort()).toEqual(['Jam', 'Tea']);
      await purgeAll(world);
      expect(await byText(world, 'Tea')).toMatchObject({ sourceCount: 1, documentIds: [ids[1]] });
      await documents.remove(everything, { by: 'ref', ref: present(ids[1]) });
      await purgeAll(world);
      for (const table of ['memories', 'memory_sources', 'memory_relations', 'memory_words'])
        expect([table, await world.rows(`select count(*) as n from ${table}`)]).toEqual([table, [{ n: 0 }]]);
      expect(await world.vectors(world.space)).toEqual([]);
    });

    test('lose their memories when the text is edited out', async () => {
      await using world = await openWorld(open);
      const id = await world.add('Tea\n\nCake', { customId: 'c' });
      await readForMemories(world);
      await world.patch(id, contentPatch('Tea\n\nJam'));
      await readForMemories(world);
      expect((await live(world)).sort()).toEqual(['Jam', 'Tea']);
    });

    test('make the previous version the latest again when the latest is erased', async () => {
      await using world = await openWorld(open);
      const first = await tell(world, 'Ada lives in Lyon');
      const id = await world.add('Ada lives in Rome');
      await readForMemories(world, () => [to('updates', first.id)]);
      expect(await live(world)).toEqual(['Ada lives in Rome']);
      await world.store.documents.remove(everything, { by: 'ref', ref: id });
      // Before anything is erased.
      expect(await live(world)).toEqual(['Ada lives in Lyon']);
      await purgeAll(world);
      expect(await listed(world)).toMatchObject([
        { id: first.id, isLatest: true, version: 1, history: [], relations: [], parentId: null },
      ]);
    });

    test('take along what they alone state when they move, and what others state stays', async () => {
      await using world = await openWorld(open);
      const { id: first } = await tell(world, 'Ada lives in Lyon');
      const id = await world.add('Ada lives in Rome');
      await readForMemories(world, () => [to('updates', first)]);
      await world.patch(id, { tags: ['b'] });
      expect(await live(world, only('a'))).toEqual(['Ada lives in Lyon']);
      expect(await live(world, only('b'))).toEqual(['Ada lives in Rome']);
      const rows = await world.rows('select memory from memories order by n');
      expect(rows.map(({ memory }) => memory)).toEqual(['Ada lives in Lyon', 'Ada lives in Rome']);
    });

    test('add their metadata to the filters of a memory', async () => {
      await using world = await openWorld(open);
      await world.add('Tea', { metadata: { kind: 'x' } });
      await world.add('Jam', { metadata: { kind: 'y' } });
      await readForMemories(world);
      const condition = { filterType: 'metadata', numericOperator: '=', ignoreCase: false } as const;
      const filter = (negate: boolean) => ({ AND: [{ key: 'kind', value: 'x', negate, ...condition }] });
      expect(await listed(world, { filter: filter(false) })).toMatchObject([{ memory: 'Tea' }]);
      expect(await listed(world, { filter: filter(true) })).toMatchObject([{ memory: 'Jam' }]);
    });

    test('under other tags cause neither a replacement nor a relation', async () => {
      await using world = await openWorld(open);
      const theirs = await tell(world, 'Bob lives in Lyon', { tags: ['b'] });
      await world.add('Ada lives in Rome');
      await readForMemories(world, () => [to('updates', theirs.id), to('extends', theirs.id)]);
      expect((await live(world)).sort()).toEqual(['Ada lives in Rome', 'Bob lives in Lyon']);
      expect(await byText(world, 'Ada lives in Rome')).toMatchObject({ version: 1, relations: [] });
    });

    test('are named only within the scope', async () => {
      await using world = await openWorld(open);
      const id = await world.add('Tea', { tags: ['a', 'b'] });
      await readForMemories(world);
      const { n } = await world.get(id);
      const { memories } = world.store;
      expect((await memories.ofDocuments(only('b'), [n])).get(n)).toMatchObject([{ memory: 'Tea' }]);
      expect(await memories.ofDocuments(only('c'), [n])).toEqual(new Map());
    });
  });
};

/**
 * The process ends after the memories are stored and before the passages are marked as read. With an outline, the two are
 * separate transactions.
 */
const cutOff = (job: MemoryJob): Partial<MemoryHarvest> => ({
  passages: Object.assign([...job.fresh], {
    map: () => {
      throw new Error('cut off');
    },
  }),
  outline: { title: 'Tea', summary: 'About tea.' },
});

/** One passage and its memory, as `readForMemories` stores them, of a document that was claimed by now. */
const claimed = async (world: World, more: (job: MemoryJob) => Partial<MemoryHarvest> = () => ({})) => {
  const [job] = await world.remembering.claimToRemember(10);
  const held = present(job);
  return () =>
    world.remembering.remember(
      {
        job: held,
        passages: held.fresh,
        prepared: held.fresh.map(({ text }) => prepared(world, text)),
        chunks: held.fresh.map(({ id }) => [id]),
        relationsOf: async () => held.fresh.map(() => []),
        wanted: { slots: [], abouts: [], ids: [] },
        ...more(held),
      },
      [],
    );
};

const fencesContract = (open: OpenStore): void => {
  describe('a document that was claimed for its memories', () => {
    test('gets none after it was deleted meanwhile', async () => {
      await using world = await openWorld(open);
      const id = await world.add('Tea');
      await world.index();
      const store = await claimed(world);
      await world.store.documents.remove(everything, { by: 'ref', ref: id });
      await store();
      expect(await world.rows('select count(*) as n from memories')).toEqual([{ n: 0 }]);
    });

    test('gets none from a claim of an earlier start, and keeps waiting for the later one', async () => {
      await using world = await openWorld(open);
      const id = await world.add('Tea');
      await world.index();
      const lost = await claimed(world);
      await world.ingest.takeOver('next');
      const taken = await claimed(world);
      await lost();
      expect(await live(world)).toEqual([]);
      expect(await world.get(id)).toMatchObject({ memoryState: 'waiting' });
      await taken();
      expect(await live(world)).toEqual(['Tea']);
      expect(await world.get(id)).toMatchObject({ memoryState: 'done' });
    });

    test('keeps waiting for the later claim when one of an earlier start found nothing in it', async () => {
      await using world = await openWorld(open);
      const id = await world.add('Tea');
      await world.index();
      const [job] = await world.remembering.claimToRemember(1);
      await world.ingest.takeOver('next');
      const taken = await claimed(world);
      const lost = present(job);
      const nothing = { prepared: [], chunks: [], relationsOf: async () => [] };
      const wanted = { slots: [], abouts: [], ids: [] };
      await world.remembering.remember({ job: lost, passages: lost.fresh, ...nothing, wanted }, []);
      expect(await world.get(id)).toMatchObject({ memoryState: 'waiting' });
      await taken();
      expect(await live(world)).toEqual(['Tea']);
    });

    test('keeps forgotten what a person forgot before a reading that was cut off ran again', async () => {
      await using world = await openWorld(open);
      const id = await world.add('Tea');
      await world.index();
      await expect((await claimed(world, cutOff))()).rejects.toThrow('cut off');
      const [tea] = await listed(world);
      await world.store.memories.forget(everything, [present(tea).id], { reason: null, batch: null });
      await world.ingest.takeOver('next');
      await (await claimed(world))();
      expect(await live(world)).toEqual([]);
      expect(await world.rows('select memory, is_forgotten from memories')).toEqual([
        { memory: 'Tea', is_forgotten: 1 },
      ]);
      expect(await world.get(id)).toMatchObject({ memoryState: 'done' });
    });

    test('gets none from its former text when it moved or was changed meanwhile', async () => {
      await using world = await openWorld(open);
      const id = await world.add('Tea', { customId: 'c' });
      await world.index();
      const lost = await claimed(world);
      await world.patch(id, contentPatch('Jam'));
      await world.index();
      await lost();
      expect(await live(world)).toEqual([]);
      const moved = await claimed(world);
      await world.patch(id, { tags: ['b'] });
      await moved();
      expect(await live(world)).toEqual([]);
      await readForMemories(world);
      expect(await live(world)).toEqual(['Jam']);
    });
  });
};

const failingContract = (open: OpenStore): void => {
  test('a document that yields no memories keeps the reason until it is sent again, and is then read anew', async () => {
    await using world = await openWorld(open);
    const { remembering } = world;
    const id = await world.add('Tea', { customId: 'c' });
    await world.index();
    expect(await world.get(id)).toMatchObject({ step: 'done', memoryState: 'waiting', memoryFailure: null });
    const failure = { code: 'model_silent', message: 'The model did not answer.', retryable: true };
    const [job] = await remembering.claimToRemember(10);
    await remembering.memoryLater(present(job), world.clock.now());
    const [again] = await remembering.claimToRemember(10);
    expect(again).toMatchObject({ documentId: id, attempts: 1 });
    await remembering.memoryFailed(present(again), failure);
    expect(await world.get(id)).toMatchObject({
      ...{ step: 'done', failure: null, memoryState: 'failed', memoryFailure: failure },
    });
    expect(await remembering.claimToRemember(10)).toEqual([]);
    expect(await world.send('Tea', { customId: 'c' })).toMatchObject({ id, status: 'done' });
    expect(await world.get(id)).toMatchObject({ memoryState: 'waiting', memoryFailure: null });
    await readForMemories(world);
    expect(await live(world)).toEqual(['Tea']);
    await world.send('Tea', { customId: 'c' });
    expect(await world.get(id)).toMatchObject({ memoryState: 'done', memoryFailure: null });
  });
};

const relativesContract = (open: OpenStore): void => {
  describe('relatives', () => {
    test('include all versions of the chain, by their distance, and related memories', async () => {
      await using world = await openWorld(open);
      const first = await tell(world, 'Ada lives in Lyon');
      const second = await revised(world, first.id, 'Ada lives in Rome');
      const third = await revised(world, second.id, 'Ada lives in Oslo');
      await world.add('Her street is Karl Johans gate');
      await readForMemories(world, () => [to('extends', third.id)]);
      const { n } = await byText(world, 'Ada lives in Oslo');
      const of = async (memory: { n: number }, forgotten = false) => {
        const found = present(
          (await world.store.memories.relatives(everything, [memory.n], forgotten)).get(memory.n),
        );
        return {
          parents: found.parents.map(({ memory: text, version, relation }) => [text, version, relation]),
          children: found.children.map(({ memory: text, version }) => [text, version]),
          related: found.related.map(({ memory: text, relation }) => [text, relation]),
        };
      };
      expect(await of({ n })).toEqual({
        parents: [
          ['Ada lives in Rome', -1, 'updates'],
          ['Ada lives in Lyon', -2, 'updates'],
        ],
        children: [],
        related: [['Her street is Karl Johans gate', 'extends']],
      });
      expect((await of(first)).children).toEqual([
        ['Ada lives in Rome', 1],
        ['Ada lives in Oslo', 2],
      ]);
      const street = await byText(world, 'Her street is Karl Johans gate');
      expect((await of(street)).related).toEqual([['Ada lives in Oslo', 'extends']]);
      expect(street.relations).toEqual([{ id: third.id, kind: 'extends' }]);
      await world.store.memories.forget(everything, [street.id], { reason: null, batch: null });
      expect((await of({ n })).related).toEqual([]);
      expect((await of({ n }, true)).related).toHaveLength(1);
      expect(await world.store.memories.relatives(only('b'), [n])).toEqual(new Map());
    });
  });
};

const guessesContract = (open: OpenStore): void => {
  const guess = (world: World, memory: string, from: readonly string[]) =>
    world.add(memory).then(() =>
      readForMemories(
        world,
        () => from.map((id) => to('derives', id)),
        () => ({ isInference: true }),
      ),
    );

  describe('guesses', () => {
    test('are listed for review, those made from most memories first, then the newest', async () => {
      await using world = await openWorld(open);
      const facts = [(await tell(world, 'one')).id, (await tell(world, 'two')).id];
      await guess(world, 'of one', facts.slice(0, 1));
      world.clock.pass(1);
      await guess(world, 'of both', facts);
      world.clock.pass(1);
      await guess(world, 'of the other', facts.slice(1));
      const { memories } = world.store;
      const waiting = async (limit = 10, scope = everything) => {
        const found = await memories.inferred(scope, limit);
        return [found.total, ...found.memories.map(({ memory, parentCount }) => [memory, parentCount])];
      };
      expect(await waiting()).toEqual([3, ['of both', 2], ['of the other', 1], ['of one', 1]]);
      expect(await waiting(1)).toEqual([3, ['of both', 2]]);
      expect(await waiting(10, only('b'))).toEqual([0]);
      const { id } = await byText(world, 'of both');
      await memories.forget(everything, [id], { reason: null, batch: null });
      expect(await waiting()).toEqual([2, ['of the other', 1], ['of one', 1]]);
    });

    test('can be approved, declined, and reset', async () => {
      await using world = await openWorld(open);
      const { memories } = world.store;
      await guess(world, 'a guess', []);
      const { id } = await byText(world, 'a guess');
      const state = { isInference: true, isForgotten: false, review: null };
      const judge = async (action: 'approve' | 'decline' | 'undo') => {
        const answer = await memories.review(everything, id, action);
        if (answer.outcome === 'refused') return 'refused';
        const { isInference, isForgotten, review } = answer.memory;
        return { isInference, isForgotten, review };
      };
      expect(await judge('undo')).toBe('refused');
      expect(await judge('approve')).toEqual({ ...state, isInference: false, review: 'approved' });
      expect(await judge('decline')).toBe('refused');
      expect(await judge('undo')).toEqual(state);
      expect(await judge('decline')).toEqual({ ...state, isForgotten: true, review: 'declined' });
      expect(await live(world)).toEqual([]);
      expect(await judge('undo')).toEqual(state);
      expect(await live(world)).toEqual(['a guess']);
    });

    test('are not reviewed after they were forgotten, and a reset does not revive them', async () => {
      await using world = await openWorld(open);
      const { memories } = world.store;
      await guess(world, 'a guess', []);
      const { id } = await byText(world, 'a guess');
      await memories.review(everything, id, 'approve');
      await memories.forget(everything, [id], { reason: null, batch: null });
      expect(await memories.review(everything, id, 'undo')).toMatchObject({ memory: { isForgotten: true } });
      for (const action of ['approve', 'decline'] as const)
        expect(await memories.review(everything, id, action)).toEqual({ outcome: 'refused' });
    });

    test('are reviewed only with all of their tags, and facts are not reviewed at all', async () => {
      await using world = await openWorld(open);
      const { memories } = world.store;
      const fact = await tell(world, 'a fact');
      expect(await memories.review(everything, fact.id, 'decline')).toEqual({ outcome: 'refused' });
      const { id } = await tell(world, 'a guess', { isInference: true, tags: ['a', 'b'] });
      for (const scope of [only('a'), only('c')])
        expect(await memories.review(scope, id, 'approve')).toEqual({ outcome: 'refused' });
      expect(await memories.review(only('a', 'b'), id, 'approve')).toMatchObject({ outcome: 'reviewed' });
    });

    test('become facts when a user states them', async () => {
      await using world = await openWorld(open);
      await guess(world, 'a guess', []);
      expect(await tell(world, 'A guess.')).toMatchObject({ isInference: false, sourceCount: 2 });
    });
  });
};

export const drawnContract = (open: OpenStore): void => {
  sourcesContract(open);
  fencesContract(open);
  failingContract(open);
  relativesContract(open);
  guessesContract(open);
};
