// The option `aggregate`: a language model writes statements that rest on several results; each becomes a result itself.
import type { CombinedStatement, SearchModel } from '../../../adapters/language-model/ports/search-model.ts';
import { sha256 } from '../../../lib/hash.ts';
import type { MemorySearchResult } from '../results/present.ts';
import { callOptional, type OptionalCallContext } from './optional-call.ts';

export interface AggregateContext extends OptionalCallContext {
  /** Null: no language model is configured. */
  readonly model: SearchModel | null;
  readonly limits: { readonly modelMs: number };
}

export interface AggregateInput {
  q: string;
  aggregate: boolean;
  limit: number;
}

/** A result with the time of its statement, where that is known. */
export interface DatedResult {
  result: MemorySearchResult;
  date: number | null;
}

const MOST_AGGREGATED = 3;
/** More texts seldom help, and a small model takes no more. */
const MOST_TEXTS = 20;
const ID_LETTERS = 16;

const NOT_CONFIGURED = 'Nothing was put together because no language model is set (OPENAI_MODEL).';
const FALLBACK = 'Nothing was put together.';

const latestUpdate = (results: readonly MemorySearchResult[]): string =>
  results
    .map(({ updatedAt }) => updatedAt)
    .sort()
    .at(-1) ?? '';

const distinctDocuments = (results: readonly MemorySearchResult[]): Pick<MemorySearchResult, 'documents'> => {
  const all = results.flatMap(({ documents = [] }) => documents);
  const each = [...new Map(all.map((document) => [document.id, document])).values()];
  return each.length === 0 ? {} : { documents: each };
};

/** The same statement from the same results has the same id; it is stored nowhere. */
const aggregatedResult = (statement: string, from: readonly MemorySearchResult[]): MemorySearchResult => {
  const ids = from.map(({ id }) => id);
  return {
    id: `aggregated_${sha256(JSON.stringify([statement, ids])).slice(0, ID_LETTERS)}`,
    memory: statement,
    content: statement,
    similarity: Math.max(...from.map(({ similarity }) => similarity)),
    metadata: null,
    updatedAt: latestUpdate(from),
    isAggregated: true,
    aggregatedFrom: ids,
    ...distinctDocuments(from),
  };
};

/** Inserts each aggregated result before the first of the results on which it rests. */
const insertAggregated = (
  results: readonly MemorySearchResult[],
  aggregated: readonly { result: MemorySearchResult; before: number }[],
): MemorySearchResult[] =>
  results.flatMap((result, at) => [
    ...aggregated.filter(({ before }) => before === at).map(({ result: one }) => one),
    result,
  ]);

/** The results with the aggregated ones, at most as many as the caller wants. */
export const aggregate = async (
  context: AggregateContext,
  { q, aggregate: isWanted, limit }: AggregateInput,
  found: readonly DatedResult[],
): Promise<MemorySearchResult[]> => {
  const results = found.map(({ result }) => result);
  const { model, limits, skipped } = context;
  if (!isWanted) return results;
  if (model === null) skipped.add('aggregate', NOT_CONFIGURED);
  if (model === null || results.length < 2) return results;
  const texts = found
    .slice(0, MOST_TEXTS)
    .map(({ result, date }) => ({ text: result.passage?.content ?? result.content, date }));
  const combined = await callOptional(context, {
    option: 'aggregate',
    fallback: () => FALLBACK,
    timeoutMs: limits.modelMs,
    run: (signal) => model.combine(q, texts, { most: MOST_AGGREGATED }, signal),
  });
  const aggregated = (combined ?? []).map(({ statement, from }: CombinedStatement) => ({
    result: aggregatedResult(
      statement,
      from.flatMap((at) => results.slice(at, at + 1)),
    ),
    before: Math.min(...from),
  }));
  return insertAggregated(results, aggregated).slice(0, limit);
};
