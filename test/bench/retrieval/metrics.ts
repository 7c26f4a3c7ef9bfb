// The share of a question's evidence among the first results, and its rank.

/** One result: the evidence in it, and its length. */
export interface Returned {
  holds: readonly string[];
  characters: number;
}

export interface Score {
  recall1: number;
  recall5: number;
  recall10: number;
  /** Within the first 4,000 returned characters. */
  recall4k: number;
  mrr: number;
  ndcg10: number;
}

const READ = 4_000;
const gain = (rank: number): number => 1 / Math.log2(rank + 2);

/** For each result, the evidence that no result before it contained. */
function newsOf(returned: readonly Returned[], evidence: ReadonlySet<string>): number[] {
  const seen = new Set<string>();
  return returned.map(({ holds }) => {
    const before = seen.size;
    for (const id of holds) if (evidence.has(id)) seen.add(id);
    return seen.size - before;
  });
}

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);

/** The number of results that can be read; the first one always counts. */
function readable(returned: readonly Returned[]): number {
  let used = 0;
  const past = returned.findIndex(({ characters }, at) => {
    used += characters;
    return used > READ && at > 0;
  });
  return past < 0 ? returned.length : past;
}

/** Binary gains: a result is right when it contains new evidence. */
export function scoreOf(returned: readonly Returned[], evidence: readonly string[]): Score {
  const wanted = new Set(evidence);
  const news = newsOf(returned, wanted);
  const recall = (results: number): number => sum(news.slice(0, results)) / wanted.size;
  const first = news.findIndex((count) => count > 0);
  const reached = sum(news.slice(0, 10).map((count, rank) => (count > 0 ? gain(rank) : 0)));
  const ideal = sum(Array.from({ length: Math.min(10, wanted.size) }, (_, rank) => gain(rank)));
  return {
    recall1: recall(1),
    recall5: recall(5),
    recall10: recall(10),
    recall4k: recall(readable(returned)),
    mrr: first < 0 ? 0 : 1 / (first + 1),
    ndcg10: reached / ideal,
  };
}

const MEASURES = ['recall1', 'recall5', 'recall10', 'recall4k', 'mrr', 'ndcg10'] as const;

export function meanOf(scores: readonly Score[]): Score {
  const mean = (measure: keyof Score) => sum(scores.map((score) => score[measure])) / scores.length;
  return Object.fromEntries(MEASURES.map((measure) => [measure, mean(measure)])) as Record<
    (typeof MEASURES)[number],
    number
  >;
}
