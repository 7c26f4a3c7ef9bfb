// How much a scope holds: which containers, how many chunks, how long they are.
import { sql } from 'kysely';
import type { Reach } from '../../../lib/scope.ts';
import type { Extent, Restriction } from '../port.ts';
import type { Db } from '../tables.ts';
import { isRestricted, restricted } from './filters.ts';
import { containersWithAny, visible } from './visible.ts';

/** Above this many containers a scope is told by its tags, not by a list. */
const CONTAINERS_LISTED = 2000;

interface ContainerTotals {
  containers: number[] | null;
  chunks: number;
  bodyTokens: number;
  messages: number;
  messageTokens: number;
}

const chosenContainers = (db: Db, reach: Reach) =>
  reach.reads === null
    ? db.selectFrom('containers')
    : db.selectFrom('containers').where('n', 'in', containersWithAny(reach.reads));

const summedTotals = async (db: Db, reach: Reach): Promise<ContainerTotals> => {
  const sums = await chosenContainers(db, reach)
    .select((eb) => [
      eb.fn.sum<number>('chunks').as('chunks'),
      eb.fn.sum<number>('body_tokens').as('bodyTokens'),
      eb.fn.sum<number>('messages').as('messages'),
      eb.fn.sum<number>('message_tokens').as('messageTokens'),
    ])
    .executeTakeFirstOrThrow();
  return { containers: null, ...sums };
};

export const totalsOf = async (db: Db, reach: Reach): Promise<ContainerTotals> => {
  const rows = await chosenContainers(db, reach)
    .select(['n', 'chunks', 'body_tokens', 'messages', 'message_tokens'])
    .limit(CONTAINERS_LISTED + 1)
    .execute();
  if (rows.length > CONTAINERS_LISTED) return summedTotals(db, reach);
  const sum = (pick: (row: (typeof rows)[number]) => number) => rows.reduce((all, row) => all + pick(row), 0);
  return {
    containers: reach.reads === null ? null : rows.map((row) => row.n),
    chunks: sum((row) => row.chunks),
    bodyTokens: sum((row) => row.body_tokens),
    messages: sum((row) => row.messages),
    messageTokens: sum((row) => row.message_tokens),
  };
};

export const extent = async (
  db: Db,
  reach: Reach,
  restriction: Restriction,
  bound: number,
): Promise<Extent> => {
  const totals = await totalsOf(db, reach);
  if (!isRestricted(restriction))
    return { chunks: totals.chunks, containers: totals.containers, documentFound: true };
  const { rows } = await visible(db, reach)
    .selectFrom((query) =>
      query
        .selectFrom('visible')
        .select('chunks')
        .where(restricted(reach, restriction, 'visible'))
        .limit(bound + 1)
        .as('surviving'),
    )
    .select([sql<number>`coalesce(sum(chunks), 0)`.as('chunks'), sql<number>`count(*)`.as('documents')])
    .execute()
    .then((found) => ({ rows: found }));
  const found = rows[0];
  return {
    chunks: found?.chunks ?? 0,
    containers: totals.containers,
    documentFound: restriction.document === undefined || (found?.documents ?? 0) > 0,
  };
};
