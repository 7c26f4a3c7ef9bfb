// How much a scope holds: which containers, how many chunks, how long they are.
import { sql } from 'kysely';
import type { Reach } from '../../../lib/scope.ts';
import type { Extent, Restriction, Units } from '../port.ts';
import type { Db } from '../tables.ts';
import { isRestricted, restricted } from './filters.ts';
import { anyThread } from './threads.ts';
import { units, unitsOf } from './units.ts';
import { containersWithAny, visible } from './visible.ts';

/** Above this many containers a scope is told by its tags, not by a list. */
const CONTAINERS_LISTED = 2000;

interface ContainerTotals {
  containers: number[] | null;
  chunks: number;
  bodyTokens: number;
  messages: number;
  messageTokens: number;
  memories: number;
}

/** A memory is one piece and one message. */
const COLUMNS = {
  chunks: ['chunks', 'body_tokens', 'messages', 'message_tokens'],
  memories: ['memories', 'memory_tokens', 'memories', 'memory_tokens'],
} as const;

const chosenContainers = (db: Db, reach: Reach) =>
  reach.reads === null
    ? db.selectFrom('containers')
    : db.selectFrom('containers').where('n', 'in', containersWithAny(reach.reads));

const counted = (db: Db, reach: Reach, kind: Units) => {
  const [chunks, bodyTokens, messages, messageTokens] = COLUMNS[kind];
  return chosenContainers(db, reach).select((eb) => [
    'n',
    eb.ref(chunks).as('chunks'),
    eb.ref(bodyTokens).as('bodyTokens'),
    eb.ref(messages).as('messages'),
    eb.ref(messageTokens).as('messageTokens'),
    'memories',
  ]);
};

const summedTotals = async (db: Db, reach: Reach, kind: Units): Promise<ContainerTotals> => {
  const sums = await db
    .selectFrom(counted(db, reach, kind).as('each'))
    .select((eb) => [
      eb.fn.sum<number>('chunks').as('chunks'),
      eb.fn.sum<number>('bodyTokens').as('bodyTokens'),
      eb.fn.sum<number>('messages').as('messages'),
      eb.fn.sum<number>('messageTokens').as('messageTokens'),
      eb.fn.sum<number>('memories').as('memories'),
    ])
    .executeTakeFirstOrThrow();
  return { containers: null, ...sums };
};

export const totalsOf = async (db: Db, reach: Reach, kind: Units): Promise<ContainerTotals> => {
  const rows = await counted(db, reach, kind)
    .limit(CONTAINERS_LISTED + 1)
    .execute();
  if (rows.length > CONTAINERS_LISTED) return summedTotals(db, reach, kind);
  const sum = (pick: (row: (typeof rows)[number]) => number) => rows.reduce((all, row) => all + pick(row), 0);
  return {
    containers: reach.reads === null ? null : rows.map((row) => row.n),
    chunks: sum((row) => row.chunks),
    bodyTokens: sum((row) => row.bodyTokens),
    messages: sum((row) => row.messages),
    messageTokens: sum((row) => row.messageTokens),
    memories: sum((row) => row.memories),
  };
};

const documentsIn = async (db: Db, reach: Reach, restriction: Restriction, bound: number) => {
  const surviving = await visible(db, reach)
    .selectFrom((query) =>
      query
        .selectFrom('visible')
        .select('chunks')
        .where(restricted(reach, restriction, 'visible'))
        .limit(bound + 1)
        .as('surviving'),
    )
    .select([sql<number>`coalesce(sum(chunks), 0)`.as('chunks'), sql<number>`count(*)`.as('documents')])
    .executeTakeFirstOrThrow();
  return surviving;
};

const memoriesIn = async (db: Db, reach: Reach, restriction: Restriction, bound: number): Promise<number> => {
  const { count } = await units(db, reach, restriction)
    .selectFrom((query) =>
      query
        .selectFrom('visible_units')
        .select('n')
        .limit(bound + 1)
        .as('surviving'),
    )
    .select(sql<number>`count(*)`.as('count'))
    .executeTakeFirstOrThrow();
  return count;
};

export const extent = async (
  db: Db,
  reach: Reach,
  restriction: Restriction,
  bound: number,
): Promise<Extent> => {
  const kind = unitsOf(restriction);
  const { containers, chunks, memories } = await totalsOf(db, reach, kind);
  const threaded = kind === 'chunks' && (await anyThread(db, reach));
  if (!isRestricted(restriction)) return { chunks, containers, documentFound: true, threaded, memories };
  const found = await documentsIn(db, reach, restriction, bound);
  return {
    chunks: kind === 'chunks' ? found.chunks : await memoriesIn(db, reach, restriction, bound),
    containers,
    documentFound: restriction.document === undefined || found.documents > 0,
    threaded,
    memories,
  };
};
