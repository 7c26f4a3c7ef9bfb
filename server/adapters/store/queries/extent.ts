// How much a scope holds: which containers, how many chunks, how long they are.
import { sql } from 'kysely';
import type { Reach } from '../../../lib/scope.ts';
import type { Extent, Restriction, Units } from '../port.ts';
import type { Db } from '../tables.ts';
import { isRestricted, restricted } from './filters.ts';
import { run } from './raw.ts';
import { anyThread } from './threads.ts';
import { units, unitsOf } from './units.ts';
import { visible, WITH_ANY } from './visible.ts';

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
const COLUMNS: Readonly<Record<Units, string>> = {
  chunks: 'chunks, body_tokens as bodyTokens, messages, message_tokens as messageTokens, memories',
  memories:
    'memories as chunks, memory_tokens as bodyTokens, memories as messages, memory_tokens as messageTokens, memories',
};

const SUMS = ['chunks', 'bodyTokens', 'messages', 'messageTokens', 'memories']
  .map((column) => `coalesce(sum(${column}), 0) as ${column}`)
  .join(', ');

/** Asked several times in each search: building the statement would cost more than running it. */
const counted = (kind: Units, { reads }: Reach): { text: string; parameters: readonly unknown[] } => ({
  text: `select n, ${COLUMNS[kind]} from containers${reads === null ? '' : ` where n in ${WITH_ANY}`}`,
  parameters: reads === null ? [] : [JSON.stringify(reads)],
});

type Counted = Omit<ContainerTotals, 'containers'> & { n: number };

const summedTotals = async (db: Db, reach: Reach, kind: Units): Promise<ContainerTotals> => {
  const { text, parameters } = counted(kind, reach);
  const { rows } = await run<Omit<ContainerTotals, 'containers'>>(
    db,
    `select ${SUMS} from (${text})`,
    parameters,
  );
  const [sums] = rows;
  if (!sums) throw new Error('A sum is always one row.');
  return { containers: null, ...sums };
};

export const totalsOf = async (db: Db, reach: Reach, kind: Units): Promise<ContainerTotals> => {
  const { text, parameters } = counted(kind, reach);
  const { rows } = await run<Counted>(db, `${text} limit ${CONTAINERS_LISTED + 1}`, parameters);
  if (rows.length > CONTAINERS_LISTED) return summedTotals(db, reach, kind);
  const sum = (pick: (row: Counted) => number) => rows.reduce((all, row) => all + pick(row), 0);
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
