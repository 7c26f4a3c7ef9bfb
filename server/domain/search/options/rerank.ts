// The option `rerank`: orders the best results again with a model that reads query and text together. A setting asks for
// it in every search, within a time of its own.
import type { Reranker } from '../../../adapters/rerank/port.ts';
import type { SearchLimits } from '../query/plan.ts';
import { callOptional, type OptionalCallContext } from './optional-call.ts';

export interface RerankContext extends OptionalCallContext {
  /** Null: no reranker is configured. */
  readonly reranker: () => Reranker | null;
  readonly limits: Pick<SearchLimits, 'rerankMs' | 'rerankEverySearchMs'>;
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
  'Results are in their usual order because no reranker is set: run "memoir models add msmarco-minilm" and "memoir models use msmarco-minilm", or set MEMOIR_RERANK_URL.';
const FALLBACK = 'Results are in their usual order.';

/** Items with a score, best first and equals in their order; then the others in their order. */
const reordered = <T>(items: readonly T[], scores: readonly number[]): T[] => {
  const judged = scores.map((score, at) => ({ score, at })).sort((a, b) => b.score - a.score || a.at - b.at);
  const first = judged.flatMap(({ at }) => items.slice(at, at + 1));
  return [...first, ...items.slice(scores.length)];
};

interface Judging {
  readonly reranker: Reranker;
  readonly q: string;
  readonly texts: readonly string[];
  /** False: the setting asks for it. */
  readonly isWanted: boolean;
  readonly timeoutMs: number;
}

export interface Reranked<T> {
  readonly items: readonly T[];
  /** The score of each item that the reranker judged. */
  readonly scores: ReadonlyMap<T, number>;
}

/** The scores that came before the reranker ended, failed or took too long. */
const judge = async (
  context: RerankContext,
  { reranker, q, texts, isWanted, timeoutMs }: Judging,
): Promise<readonly number[]> => {
  const scores: number[] = [];
  await callOptional(context, {
    option: 'rerank',
    fallback: () =>
      scores.length === 0
        ? FALLBACK
        : `The reranker scored the first ${scores.length} of ${texts.length} results; the others keep their order.`,
    timeoutMs,
    isRoutine: !isWanted,
    run: async (signal) => {
      for await (const some of reranker.score(q, texts, signal)) scores.push(...some);
    },
  });
  return scores;
};

/** Changes the order alone: similarities stay, so that thresholds mean the same with and without a reranker. */
export const rerank = async <T>(
  context: RerankContext,
  { q, rerank: isWanted, limit }: RerankInput,
  items: readonly T[],
  textOf: (item: T) => string,
): Promise<Reranked<T>> => {
  const unchanged = { items, scores: new Map<T, number>() };
  const { limits, skipped } = context;
  const timeoutMs = isWanted ? limits.rerankMs : limits.rerankEverySearchMs;
  if (timeoutMs === null) return unchanged;
  const reranker = context.reranker();
  if (reranker === null && isWanted) skipped.add('rerank', NOT_CONFIGURED);
  if (reranker === null || items.length < 2) return unchanged;
  const { texts: most, characters } = reranker.limits;
  const judged = items.slice(0, Math.min(most, Math.max(FEWEST_JUDGED, JUDGED_PER_RESULT * limit)));
  const texts = judged.map((item) => textOf(item).slice(0, characters).toWellFormed());
  const scores = await judge(context, { reranker, q, texts, isWanted, timeoutMs });
  return {
    items: reordered(items, scores),
    scores: new Map(scores.flatMap((score, at) => judged.slice(at, at + 1).map((item) => [item, score]))),
  };
};
