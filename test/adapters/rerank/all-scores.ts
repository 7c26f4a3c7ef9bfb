import type { Reranker } from '../../../server/adapters/rerank/port.ts';

/** Waits for the scores of all texts. */
export const allScores = async (
  reranker: Reranker,
  query: string,
  texts: readonly string[],
  signal: AbortSignal = new AbortController().signal,
): Promise<number[]> => {
  const scores: number[] = [];
  for await (const some of reranker.score(query, texts, signal)) scores.push(...some);
  return scores;
};
