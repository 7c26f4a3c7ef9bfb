// The order of the results once more, by something that reads each of them together with the query.
import type { Reranker } from '../../adapters/rerank/port.ts';
import type { Notes } from './notes.ts';
import { asked, type OutsideDeps } from './outside.ts';

export interface RerankDeps extends OutsideDeps {
  /** Null: none is set. */
  reranker: Reranker | null;
  limits: { rerankMs: number };
}

export interface RerankWish {
  q: string;
  rerank: boolean;
  limit: number;
}

/** More than are shown, so that what was ranked too low can come up; judging costs by the text. */
const JUDGED_PER_RESULT = 3;
const FEWEST_JUDGED = 20;

const NOT_SET =
  'Results are in their usual order because no reranker is set: set MEMOIR_RERANK_URL or MEMOIR_RERANK_FOLDER.';
const OTHERWISE = 'Results are in their usual order.';

/** What was judged, the best first; what was not follows as it came. Equals keep their order. */
function reordered<T>(items: readonly T[], scores: readonly number[]): T[] {
  const judged = scores.map((score, at) => ({ score, at })).sort((a, b) => b.score - a.score || a.at - b.at);
  const first = judged.flatMap(({ at }) => items.slice(at, at + 1));
  return [...first, ...items.slice(scores.length)];
}

/**
 * The items in their new order, and the score of each that was judged. It changes the order alone: what a result is
 * worth stays what it was, so that thresholds mean the same with and without it.
 */
export async function rerank<T>(
  deps: RerankDeps,
  wish: RerankWish,
  items: readonly T[],
  textOf: (item: T) => string,
  { signal, notes }: { signal: AbortSignal; notes: Notes },
): Promise<{ items: readonly T[]; scores: ReadonlyMap<T, number> }> {
  const asItIs = { items, scores: new Map<T, number>() };
  const { reranker } = deps;
  if (!wish.rerank) return asItIs;
  if (reranker === null) notes.add('rerank', NOT_SET);
  if (reranker === null || items.length < 2) return asItIs;
  const { texts: most, characters } = reranker.limits;
  const judged = items.slice(0, Math.min(most, Math.max(FEWEST_JUDGED, JUDGED_PER_RESULT * wish.limit)));
  const favour = { about: 'rerank', otherwise: OTHERWISE, ms: deps.limits.rerankMs, signal, notes } as const;
  const scores = await asked(deps, favour, (stop) =>
    reranker.score(
      wish.q,
      judged.map((item) => textOf(item).slice(0, characters).toWellFormed()),
      stop,
    ),
  );
  if (scores === null) return asItIs;
  return {
    items: reordered(items, scores),
    scores: new Map(judged.map((item, at) => [item, scores[at] ?? 0])),
  };
}
