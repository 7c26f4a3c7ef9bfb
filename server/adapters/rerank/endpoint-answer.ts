// Reads the answer of a rerank service: a list of indexes and scores, in the forms of several services.
import { fieldsOf } from '../../lib/objects.ts';

export type AnsweredScores = { scores: number[] } | { problem: string };

const parsedJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** `results` (Cohere, Jina, vLLM), `data` (Voyage), or the list itself (text-embeddings-inference). */
const scoreList = (answer: unknown): unknown[] | null => {
  if (Array.isArray(answer)) return answer;
  const { results, data } = fieldsOf(answer);
  return [results, data].find((one) => Array.isArray(one)) ?? null;
};

const scoreEntry = (item: unknown): { index: unknown; score: unknown } => {
  const { index, relevance_score, score } = fieldsOf(item);
  return { index, score: relevance_score ?? score };
};

/** Every text needs a score: a service that omits one did not rank it. */
export const readScores = (text: string, count: number): AnsweredScores => {
  const list = scoreList(parsedJson(text));
  if (list === null) return { problem: 'answered without a list of scores' };
  const scores = new Map<number, number>();
  for (const item of list) {
    const { index, score } = scoreEntry(item);
    if (typeof index !== 'number' || typeof score !== 'number' || !Number.isFinite(score))
      return { problem: 'answered with a score that is no number' };
    scores.set(index, score);
  }
  const inOrder = Array.from({ length: count }, (_, at) => scores.get(at));
  return inOrder.every((score) => score !== undefined)
    ? { scores: inOrder }
    : { problem: `answered with ${scores.size} scores for ${count} texts` };
};
