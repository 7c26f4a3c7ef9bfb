// What goes away: upstream, by a person, or with a tag.
import { expect, test } from 'vitest';
import { everything, only, type World } from '../world.ts';
import {
  COMPLETED,
  connect,
  documentNames,
  item,
  lease,
  look,
  names,
  PAGE,
  RULES,
  runThrough,
  takeOne,
} from './support.ts';

export const removalContract = (opened: () => Promise<World>): void => {
  test('let go of what a whole listing does not show, and bring it back when it shows it again', async () => {
    await using world = await opened();
    const id = await connect(world);
    await runThrough(world, names(3));
    expect((await runThrough(world, names(2))).end).toEqual({ outcome: 'removed', items: 1 });
    await world.store.connections.want(everything, id, 'manual');
    const run = await lease(world);
    while (await world.syncing.removeGone(run, 10));
    expect(await documentNames(world)).toEqual(['item-000', 'item-001']);
    await world.syncing.endRun(run, COMPLETED);
    expect((await runThrough(world, names(3))).taken).toEqual(['item-002']);
    expect(await documentNames(world)).toEqual(['item-000', 'item-001', 'item-002']);
  });

  test('believe at once what the source says it removed', async () => {
    await using world = await opened();
    const id = await connect(world);
    await runThrough(world, names(2));
    await world.store.connections.want(everything, id, 'event');
    const run = await lease(world);
    await look(world, run, [item('item-000', '', { gone: true }), item('never-seen', '', { gone: true })]);
    expect((await world.store.connections.counts(everything, [id])).get(id)).toEqual({ gone: 1, taken: 1 });
    expect(await world.syncing.removeGone(run, 10)).toBe(true);
    expect(await world.syncing.removeGone(run, 10)).toBe(false);
    expect((await world.store.connections.counts(everything, [id])).get(id)).toEqual({ taken: 1 });
    expect(await documentNames(world)).toEqual(['item-001']);
  });

  test('leave a document alone that a caller made under the same customId', async () => {
    await using world = await opened();
    await connect(world);
    await world.add('Of a caller.', { customId: 'note', tags: ['a'] });
    const run = await lease(world);
    await look(world, run, [item('note')]);
    const [wanted] = await world.syncing.wanted(run.connection, 1);
    if (wanted === undefined) throw new Error('Nothing is wanted.');
    expect(await takeOne(world, run, wanted)).toEqual({ outcome: 'occupied' });
    expect((await world.list({ content: true })).map(({ content }) => content)).toEqual(['Of a caller.']);
  });

  test('do not bring back a document that a person deleted, unless a person includes it again', async () => {
    await using world = await opened();
    const id = await connect(world);
    await runThrough(world, names(2));
    const doomed = (await world.list()).find(({ customId }) => customId === 'item-000');
    await world.store.documents.remove(everything, { by: 'ref', ref: doomed?.id ?? '' });
    expect(
      (
        await runThrough(
          world,
          names(2).map((each) => ({ ...each, mark: 'two' })),
        )
      ).taken,
    ).toEqual(['item-001']);
    expect(await world.store.connections.items(everything, id, 'excluded', PAGE)).toMatchObject([
      { id: 'item-000' },
    ]);
    expect(await world.store.connections.include(only('c'), id, ['item-000'])).toBe(0);
    // A file that is here already is not read again.
    expect(await world.store.connections.include(everything, id, ['item-000', 'item-001'])).toBe(1);
    expect((await world.store.connections.counts(everything, [id])).get(id)).toEqual({ wanted: 1, taken: 1 });
    expect(
      (
        await runThrough(
          world,
          names(2).map((each) => ({ ...each, mark: 'two' })),
        )
      ).taken,
    ).toEqual(['item-000']);
    expect(await documentNames(world)).toEqual(['item-000', 'item-001']);
  });

  test('are tried again only where a person includes them: no other item, and none of another connection', async () => {
    await using world = await opened();
    for (const id of ['one', 'two']) {
      await connect(world, { id });
      await look(world, await lease(world), names(2));
    }
    await world.meddle("update connection_items set state = 'failed'");
    expect(await world.store.connections.include(everything, 'one', ['item-000'])).toBe(1);
    expect(await world.store.connections.counts(everything, ['one', 'two'])).toEqual(
      new Map([
        ['one', { wanted: 1, failed: 1 }],
        ['two', { failed: 2 }],
      ]),
    );
  });

  test('change a title in place, and replace the metadata as a set', async () => {
    await using world = await opened();
    await connect(world);
    await runThrough(world, [item('note')]);
    await world.index();
    await runThrough(world, [item('note', 'one', { face: { title: 'New' } })]);
    expect(await world.list()).toMatchObject([
      { title: 'New', filepath: '/New', metadata: { key: 'note' }, step: 'done', revision: 1 },
    ]);
  });

  test('hold the removals of an empty listing until a person accepts them', async () => {
    await using world = await opened();
    const id = await connect(world);
    await runThrough(world, names(21));
    expect((await runThrough(world, [])).end).toEqual({ outcome: 'held', items: 21 });
    expect(await world.store.connections.get(everything, id)).toMatchObject({ state: 'held', held: 21 });
    expect(await world.store.connections.want(everything, id, 'manual')).toBe(false);
    expect((await world.store.connections.counts(everything, [id])).get(id)).toEqual({ taken: 21 });
    expect(await world.store.connections.acceptRemovals(everything, id)).toBe(true);
    const run = await lease(world);
    expect(await world.syncing.endWholeLook(run, RULES)).toEqual({ outcome: 'removed', items: 21 });
    await world.syncing.endRun(run, COMPLETED);
    expect(await world.store.connections.acceptRemovals(everything, id)).toBe(false);
  });

  test('follow a merge of their tags, end with their last tag, and go with a reset', async () => {
    await using world = await opened();
    for (const tag of ['a', 'b', 'c']) await world.add(`Of ${tag}.`, { tags: [tag] });
    await connect(world, { tags: ['a', 'c'] });
    await connect(world, { id: 'another', tags: ['c'] });
    await world.store.tags.merge(everything, { id: 'merge', sources: ['a'], target: 'b' });
    while (await world.merges.mergeSlice(10));
    const { connections } = world.store;
    expect((await connections.list(only('b'))).map(({ tags }) => tags)).toEqual([['b', 'c']]);
    await world.store.tags.remove(everything, 'c');
    expect((await connections.list(everything)).map(({ tags }) => tags)).toEqual([['b']]);
    expect(await world.store.settings.reset('default')).toMatchObject({ connections: 1 });
    expect(await connections.list(everything)).toEqual([]);
    expect(await world.rows('select * from connection_secrets')).toEqual([]);
  });
};
