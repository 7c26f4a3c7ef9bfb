// Statements put together from what a search found, as results of their own.
import type { Combined, SearchModel } from '../../adapters/model/search-port.ts';
import { sha256 } from '../../lib/hash.ts';
import type { Notes } from './notes.ts';
import { asked, type OutsideDeps } from './outside.ts';
import type { Result } from './present.ts';

export interface AggregateDeps extends OutsideDeps {
  /** Null: none is set. */
  model: SearchModel | null;
  limits: { modelMs: number };
}

export interface AggregateWish {
  q: string;
  aggregate: boolean;
  limit: number;
}

/** A result with the time of what it says, where that is known. */
export interface DatedResult {
  result: Result;
  date: number | null;
}

const MOST_AGGREGATED = 3;
/** Further ones are seldom of use, and a small model takes no more. */
const MOST_FINDINGS = 20;
const ID_LETTERS = 16;

const NOT_SET = 'Nothing was put together because no language model is set (OPENAI_MODEL).';
const OTHERWISE = 'Nothing was put together.';

const latest = (results: readonly Result[]): string =>
  results
    .map(({ updatedAt }) => updatedAt)
    .sort()
    .at(-1) ?? '';

const documentsOf = (results: readonly Result[]): Pick<Result, 'documents'> => {
  const all = results.flatMap(({ documents = [] }) => documents);
  const each = [...new Map(all.map((document) => [document.id, document])).values()];
  return each.length === 0 ? {} : { documents: each };
};

/** The same statement from the same results has the same id; it is stored nowhere. */
function aggregated(statement: string, from: readonly Result[]): Result {
  const ids = from.map(({ id }) => id);
  return {
    id: `aggregated_${sha256(JSON.stringify([statement, ids])).slice(0, ID_LETTERS)}`,
    memory: statement,
    similarity: Math.max(...from.map(({ similarity }) => similarity)),
    metadata: null,
    updatedAt: latest(from),
    isAggregated: true,
    aggregatedFrom: ids,
    ...documentsOf(from),
  };
}

/** Each before the first of the results that it was put together from. */
function placed(found: readonly Result[], made: readonly { result: Result; before: number }[]): Result[] {
  return found.flatMap((result, at) => [
    ...made.filter(({ before }) => before === at).map(({ result: one }) => one),
    result,
  ]);
}

/** The results with what was put together from them, still at most as many as were asked for. */
export async function aggregate(
  deps: AggregateDeps,
  wish: AggregateWish,
  found: readonly DatedResult[],
  { signal, notes }: { signal: AbortSignal; notes: Notes },
): Promise<Result[]> {
  const results = found.map(({ result }) => result);
  const { model } = deps;
  if (!wish.aggregate) return results;
  if (model === null) notes.add('aggregate', NOT_SET);
  if (model === null || results.length < 2) return results;
  const favour = {
    about: 'aggregate',
    otherwise: OTHERWISE,
    ms: deps.limits.modelMs,
    signal,
    notes,
  } as const;
  const findings = found
    .slice(0, MOST_FINDINGS)
    .map(({ result, date }) => ({ text: result.memory ?? result.chunk ?? '', date }));
  const combined = await asked(deps, favour, (stop) =>
    model.combine(wish.q, findings, { most: MOST_AGGREGATED }, stop),
  );
  const made = (combined ?? []).map(({ statement, from }: Combined) => ({
    result: aggregated(
      statement,
      from.flatMap((at) => results.slice(at, at + 1)),
    ),
    before: Math.min(...from),
  }));
  return placed(results, made).slice(0, wish.limit);
}
