// The totals of a scope: its containers, the number of its chunks and memories, and their lengths.
import type { Reach } from '../../../core/scope.ts';
import { run } from '../engine/run.ts';
import type { UnitKind } from '../ports/filters.ts';
import type { Db } from '../tables/tables.ts';
import { CONTAINERS_WITH_ANY } from './scoped-views.ts';

/** A scope of more containers is described by its tags, not by a list. */
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
const COLUMNS: Readonly<Record<UnitKind, string>> = {
  chunks: 'chunks, body_tokens as "bodyTokens", messages, message_tokens as "messageTokens", memories',
  memories:
    'memories as chunks, memory_tokens as "bodyTokens", memories as messages, memory_tokens as "messageTokens", memories',
};

const SUMS = ['chunks', 'bodyTokens', 'messages', 'messageTokens', 'memories']
  .map((column) => `coalesce(sum("${column}"), 0) as "${column}"`)
  .join(', ');

/** Counts of the whole store, or of everything that carries one of the tags of the first parameter. */
interface CountStatements {
  readonly listed: string;
  readonly summed: string;
}

const countStatements = (kind: UnitKind, scope: string): CountStatements => {
  const text = `select n, ${COLUMNS[kind]} from containers${scope}`;
  return {
    listed: `${text} limit ${CONTAINERS_LISTED + 1}`,
    summed: `select ${SUMS} from (${text}) as counted`,
  };
};

const TAGGED = ` where n in ${CONTAINERS_WITH_ANY}`;

/** Built once: they run several times in each search, and building one costs as much as running it. */
const COUNTS: Readonly<
  Record<UnitKind, { readonly everything: CountStatements; readonly tagged: CountStatements }>
> = {
  chunks: { everything: countStatements('chunks', ''), tagged: countStatements('chunks', TAGGED) },
  memories: { everything: countStatements('memories', ''), tagged: countStatements('memories', TAGGED) },
};

type CountedContainer = Omit<ContainerTotals, 'containers'> & { n: number };

const summedTotals = async (
  db: Db,
  statement: string,
  parameters: readonly unknown[],
): Promise<ContainerTotals> => {
  const { rows } = await run<Omit<ContainerTotals, 'containers'>>(db, statement, parameters);
  const [sums] = rows;
  if (!sums) throw new Error('A sum is always one row.');
  return { containers: null, ...sums };
};

export const scopeTotals = async (db: Db, { reads }: Reach, kind: UnitKind): Promise<ContainerTotals> => {
  const { listed, summed } = COUNTS[kind][reads === null ? 'everything' : 'tagged'];
  const parameters = reads === null ? [] : [JSON.stringify(reads)];
  const { rows } = await run<CountedContainer>(db, listed, parameters);
  if (rows.length > CONTAINERS_LISTED) return summedTotals(db, summed, parameters);
  const sum = (pick: (row: CountedContainer) => number) => rows.reduce((all, row) => all + pick(row), 0);
  return {
    containers: reads === null ? null : rows.map((row) => row.n),
    chunks: sum((row) => row.chunks),
    bodyTokens: sum((row) => row.bodyTokens),
    messages: sum((row) => row.messages),
    messageTokens: sum((row) => row.messageTokens),
    memories: sum((row) => row.memories),
  };
};

export interface ScopeSize {
  /** Documents that are not deleted. */
  readonly documents: number;
  /** Memories, former and forgotten ones too. */
  readonly memories: number;
}

/** Null: the scope holds more than `bound` containers. */
export const scopeSize = async (db: Db, { reads }: Reach, bound: number): Promise<ScopeSize | null> => {
  const { rows } = await run<ScopeSize>(
    db,
    `select documents, memories from containers
      ${reads === null ? '' : `where n in ${CONTAINERS_WITH_ANY}`} limit ${bound + 1}`,
    reads === null ? [] : [JSON.stringify(reads)],
  );
  if (rows.length > bound) return null;
  const sum = (what: keyof ScopeSize) => rows.reduce((all, row) => all + row[what], 0);
  return { documents: sum('documents'), memories: sum('memories') };
};
