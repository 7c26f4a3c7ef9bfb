// The option `rerank`: orders the best results again with a model that reads query and text together.
import type { Reranker } from '../../../adapters/rerank/port.ts';
import { callOptional, type OptionalCallContext } from './optional-call.ts';

export interface RerankContext extends OptionalCallContext {
  /** Null: no reranker is configured. */
  readonly reranker: Reranker | null;
  readonly limits: { readonly rerankMs: number };
}

export interface RerankInput {
  q: string;
  rerank: boolean;
  limit: number;
}

/** More than are shown, so that a result that ranked too low can move up; the cost grows with the number of texts. */
const JUDGED_PER_RESULT = 3;
const FEWEST_JUDGED = 20;

const NOT_CONFIGURED =
  'Results are in their usual order because no reranker is set: set MEMOIR_RERANK_URL or MEMOIR_RERANK_FOLDER.';
const FALLBACK = 'Results are in their usual order.';

/** Items with a score, best first and equals in their order; then the others in their order. */
const reordered = <T>(items: readonly T[], scores: readonly number[]): T[] => {
  const judged = scores.map((score, at) => ({ score, at })).sort((a, b) => b.score - a.score || a.at - b.at);
  const first = judged.flatMap(({ at }) => items.slice(at, at + 1));
  return [...first, ...items.slice(scores.length)];
};

export interface Reranked<T> {
  readonly items: readonly T[];
  /** The score of each item that the reranker judged. */
  readonly scores: ReadonlyMap<T, number>;
}

/** Changes the order alone: similarities stay, so that thresholds mean the same with and without a reranker. */
export const rerank = async <T>(
  context: RerankContext,
  { q, rerank: isWanted, limit }: RerankInput,
  items: readonly T[],
  textOf: (item: T) => string,
): Promise<Reranked<T>> => {
  const unchanged = { items, scores: new Map<T, number>() };
  const { reranker, limits, skipped } = context;
  if (!isWanted) return unchanged;
  if (reranker === null) skipped.add('rerank', NOT_CONFIGURED);
  if (reranker === null || items.length < 2) return unchanged;
  const { texts: most, characters } = reranker.limits;
  const judged = items.slice(0, Math.min(most, Math.max(FEWEST_JUDGED, JUDGED_PER_RESULT * limit)));
  const texts = judged.map((item) => textOf(item).slice(0, characters).toWellFormed());
  const scores = await callOptional(context, {
    option: 'rerank',
    fallback: FALLBACK,
    timeoutMs: limits.rerankMs,
    run: (signal) => reranker.score(q, texts, signal),
  });
  if (scores === null) return unchanged;
  return {
    items: reordered(items, scores),
    scores: new Map(judged.map((item, at) => [item, scores[at] ?? 0])),
  };
};
