// Folders, selections, and items that move.
import { expect, test } from 'vitest';
import type {
  LeasedRun,
  LedgerRules,
  SeenItem,
} from '../../../../../server/adapters/store/ports/connections/connections.ts';
import { everything, type World } from '../world.ts';
import {
  CHOSEN,
  connect,
  documentNames,
  item,
  lease,
  MINUTE,
  RULES,
  runThrough,
  TREE,
  takeAll,
} from './support.ts';

export const folderContract = (opened: () => Promise<World>): void => {
  const folder = (id: string, parent?: string, title = id): SeenItem =>
    item(id, '', { kind: 'folder', face: { title }, ...(parent === undefined ? {} : { parent }) });
  const tree = (): SeenItem[] => [
    folder('plans', 'root', 'Plans'),
    folder('old', 'plans', 'Old'),
    folder('private', 'root'),
    item('a', 'one', { parent: 'plans' }),
    item('b', 'one', { parent: 'old' }),
    item('c', 'one', { parent: 'private' }),
  ];
  const showTree = async (world: World, run: LeasedRun, items: readonly SeenItem[], rules: LedgerRules) => {
    await world.syncing.storePage(run, { items, cursor: null }, rules, MINUTE);
    if (rules.selects) await world.syncing.settleChoice(run);
    return (await world.syncing.wanted(run.connection, 10)).map(({ id }) => id);
  };

  test('know the paths of their folders, and touch what lies below one that is renamed', async () => {
    await using world = await opened();
    const id = await connect(world);
    const run = await lease(world);
    await showTree(world, run, tree(), TREE);
    expect(await world.syncing.pathOf(id, 'old')).toBe('/Plans/Old');
    expect(await world.syncing.pathOf(id, 'nothing')).toBe('');
    await takeAll(world, run);
    expect(await showTree(world, run, [folder('plans', 'root', 'Projects')], TREE)).toEqual(['a', 'b']);
    expect(await world.syncing.wanted(id, 10)).toMatchObject([{ sameContent: true }, { sameContent: true }]);
    expect(await world.syncing.pathOf(id, 'old')).toBe('/Projects/Old');
  });

  test('take exactly what lies below the chosen folders, also after a folder moved out and back', async () => {
    await using world = await opened();
    const id = await connect(world, { state: 'choosing' });
    expect(await world.syncing.leaseRun(MINUTE)).toBeNull();
    expect(await world.store.connections.want(everything, id, 'manual')).toBe(false);
    const choice = [{ id: 'plans', name: 'Plans', kind: 'folder' }];
    expect(await world.store.connections.change(everything, id, { choice })).toBe(true);
    const run = await lease(world);
    expect(await showTree(world, run, tree(), CHOSEN)).toEqual(['a', 'b']);
    await takeAll(world, run);
    expect(await showTree(world, run, [folder('old', 'private', 'Old')], CHOSEN)).toEqual([]);
    while (await world.syncing.removeGone(run, 10));
    expect(await documentNames(world)).toEqual(['a']);
    expect(await showTree(world, run, [folder('old', 'plans', 'Old')], CHOSEN)).toEqual(['b']);
    await takeAll(world, run);
    expect(await documentNames(world)).toEqual(['a', 'b']);
    expect(await world.store.connections.change(everything, id, { choice: [] })).toBe(true);
    const last = await lease(world);
    expect(await showTree(world, last, [], CHOSEN)).toEqual([]);
    while (await world.syncing.removeGone(last, 10));
    expect(await documentNames(world)).toEqual([]);
  });

  test('lose what lies below a folder that is gone', async () => {
    await using world = await opened();
    await connect(world);
    const run = await lease(world);
    await showTree(world, run, tree(), TREE);
    await takeAll(world, run);
    await showTree(world, run, [item('plans', '', { gone: true })], TREE);
    while (await world.syncing.removeGone(run, 10));
    expect(await documentNames(world)).toEqual(['c']);
  });

  test('let a document follow an item that moved, and believe a part of a listing', async () => {
    await using world = await opened();
    const id = await connect(world);
    await runThrough(world, [item('repo:a'), item('repo:b', 'two'), item('other:c', 'three')]);
    const before = (await world.list()).find(({ customId }) => customId === 'repo:a');
    await world.store.connections.want(everything, id, 'manual');
    const run = await lease(world);
    const page = { items: [item('repo:moved')], cursor: null, covered: ['repo:'] };
    await world.syncing.storePage(run, page, { ...RULES, moves: true }, MINUTE);
    await takeAll(world, run);
    while (await world.syncing.removeGone(run, 10));
    expect(await documentNames(world)).toEqual(['other:c', 'repo:moved']);
    expect((await world.list()).find(({ customId }) => customId === 'repo:moved')?.id).toBe(before?.id);
  });
};
