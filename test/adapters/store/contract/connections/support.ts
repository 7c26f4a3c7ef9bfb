// A connection under test, and short functions for its looks and takes.
import type {
  HeldRun,
  LeasedRun,
  LedgerRules,
  NewConnection,
  RunEnd,
  SeenItem,
  WantedItem,
} from '../../../../../server/adapters/store/ports/connections/connections.ts';
import { everything, submission, type World } from '../world.ts';

export const MINUTE = 60_000;
export const RULES: LedgerRules = { folders: false, selects: false, moves: false };
export const TREE: LedgerRules = { folders: true, selects: false, moves: false };
export const CHOSEN: LedgerRules = { folders: true, selects: true, moves: false };
export const PAGE = { limit: 10, offset: 0 };
export const COMPLETED: RunEnd = { status: 'completed', errorCode: null, error: null, nextLookAt: null };

export const connect = async (world: World, more: Partial<NewConnection> = {}): Promise<string> => {
  const id = more.id ?? 'connection-of-the-test';
  await world.store.connections.create(everything, {
    id,
    provider: 's3',
    tags: ['a'],
    documentLimit: 100,
    metadata: { bucket: 'papers' },
    createdBy: null,
    createdAt: world.clock.now(),
    nextLookAt: world.clock.now(),
    sealed: 'sealed-secret',
    state: 'active',
    account: null,
    email: null,
    app: null,
    ...more,
  });
  return id;
};

export const lease = async (world: World): Promise<LeasedRun> => {
  const run = await world.syncing.leaseRun(MINUTE);
  if (run === null) throw new Error('No connection is due.');
  return run;
};

export const item = (id: string, mark = 'one', more: Partial<SeenItem> = {}): SeenItem => ({
  id,
  mark,
  face: { title: id },
  how: { key: id },
  ...more,
});

export const look = (world: World, run: LeasedRun, items: readonly SeenItem[], cursor: unknown = null) =>
  world.syncing.storePage(run, { items, cursor }, RULES, MINUTE);

export const takeOne = async (world: World, run: HeldRun, item: WantedItem, text = `Text of ${item.id}.`) =>
  world.syncing.take(
    run,
    {
      item,
      contentMark: null,
      submission: item.sameContent
        ? null
        : submission(text, { customId: item.id, tags: ['a'], replace: true, source: 's3' }),
      description: {
        ...{ provider: 's3', url: null, metadata: { key: item.id } },
        title: String(item.face.title),
        filepath: `/${item.face.title}`,
      },
      found: [],
      note: null,
    },
    RULES,
  );

/** The customIds of the documents that are there. */
export const documentNames = async (world: World): Promise<(string | null)[]> =>
  (await world.list({ sort: 'createdAt', order: 'asc' })).map(({ customId }) => customId).sort();

/** Takes all that is wanted; the ids, in order. */
export const takeAll = async (world: World, run: LeasedRun): Promise<string[]> => {
  const wanted = await world.syncing.wanted(run.connection, 1000);
  for (const each of wanted) await takeOne(world, run, each);
  return wanted.map(({ id }) => id);
};

/** A run from its beginning to its end: what was taken, and what became of that which was missing. */
export const runThrough = async (world: World, items: readonly SeenItem[]) => {
  await world.store.connections.want(everything, 'connection-of-the-test', 'manual');
  const run = await lease(world);
  await look(world, run, items);
  const end = await world.syncing.endWholeLook(run, RULES);
  const taken = await takeAll(world, run);
  await world.syncing.endRun(run, COMPLETED);
  return { end, taken };
};

export const names = (count: number, from = 0): SeenItem[] =>
  Array.from({ length: count }, (_, at) => item(`item-${String(at + from).padStart(3, '0')}`));
