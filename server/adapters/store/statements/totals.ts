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

/** Runs several times in each search: building the statement would cost more than running it. */
const countStatement = (
  kind: UnitKind,
  { reads }: Reach,
): { text: string; parameters: readonly unknown[] } => ({
  text: `select n, ${COLUMNS[kind]} from containers${reads === null ? '' : ` where n in ${CONTAINERS_WITH_ANY}`}`,
  parameters: reads === null ? [] : [JSON.stringify(reads)],
});

type CountedContainer = Omit<ContainerTotals, 'containers'> & { n: number };

const summedTotals = async (db: Db, reach: Reach, kind: UnitKind): Promise<ContainerTotals> => {
  const { text, parameters } = countStatement(kind, reach);
  const { rows } = await run<Omit<ContainerTotals, 'containers'>>(
    db,
    `select ${SUMS} from (${text}) as counted`,
    parameters,
  );
  const [sums] = rows;
  if (!sums) throw new Error('A sum is always one row.');
  return { containers: null, ...sums };
};

export const scopeTotals = async (db: Db, reach: Reach, kind: UnitKind): Promise<ContainerTotals> => {
  const { text, parameters } = countStatement(kind, reach);
  const { rows } = await run<CountedContainer>(db, `${text} limit ${CONTAINERS_LISTED + 1}`, parameters);
  if (rows.length > CONTAINERS_LISTED) return summedTotals(db, reach, kind);
  const sum = (pick: (row: CountedContainer) => number) => rows.reduce((all, row) => all + pick(row), 0);
  return {
    containers: reach.reads === null ? null : rows.map((row) => row.n),
    chunks: sum((row) => row.chunks),
    bodyTokens: sum((row) => row.bodyTokens),
    messages: sum((row) => row.messages),
    messageTokens: sum((row) => row.messageTokens),
    memories: sum((row) => row.memories),
  };
};

export interface ScopeSize {
  /** Those that are not deleted. */
  readonly documents: number;
  /** Former and forgotten ones too. */
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
