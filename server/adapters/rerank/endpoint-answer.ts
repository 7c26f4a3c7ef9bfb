// What a rerank service may answer: a list of places and scores, however the service wraps and names it.

type Fields = Readonly<Record<string, unknown>>;

export type AnsweredScores = { scores: number[] } | { problem: string };

const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null ? (value as Fields) : {};

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** `results` (Cohere, Jina, vLLM), `data` (Voyage), or the list itself (text-embeddings-inference). */
function listIn(answer: unknown): unknown[] | null {
  if (Array.isArray(answer)) return answer;
  const { results, data } = fieldsOf(answer);
  return [results, data].find((one) => Array.isArray(one)) ?? null;
}

function entryOf(item: unknown): { index: unknown; score: unknown } {
  const { index, relevance_score, score } = fieldsOf(item);
  return { index, score: relevance_score ?? score };
}

/** Every text must have got one: what a service leaves out it did not judge. */
export function scoresIn(text: string, count: number): AnsweredScores {
  const list = listIn(parsed(text));
  if (list === null) return { problem: 'answered without a list of scores' };
  const scores = new Map<number, number>();
  for (const item of list) {
    const { index, score } = entryOf(item);
    if (typeof index !== 'number' || typeof score !== 'number' || !Number.isFinite(score))
      return { problem: 'answered with a score that is no number' };
    scores.set(index, score);
  }
  const inOrder = Array.from({ length: count }, (_, at) => scores.get(at));
  return inOrder.every((score) => score !== undefined)
    ? { scores: inOrder }
    : { problem: `answered with ${scores.size} scores for ${count} texts` };
}
