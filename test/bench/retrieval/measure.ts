// One set through the service: each space in a container of its own, each question asked once.
import { quantile } from '../support/numbers.ts';
import type { Asking, Client, Found } from './client.ts';
import { createMatcher, type Matcher } from './covered.ts';
import { meanOf, type Returned, type Score, scoreOf } from './metrics.ts';
import { type Sending, sentAs } from './sent.ts';
import type { BenchSet, Space } from './space.ts';

export interface Measured {
  questions: number;
  score: Score;
  byCategory: ReadonlyMap<string, { questions: number; score: Score }>;
  /** The length of the first ten results together, on average. */
  characters: number;
  /** Milliseconds of a search, measured by the client. */
  p50: number;
  p95: number;
  /** The searches whose results were not reranked, or only the first of them. */
  notReranked: number;
  /** Seconds from the first document to the last that is done. */
  ingest: number;
}

export interface Method extends Sending, Omit<Asking, 'limit'> {
  limit: number;
  /** The largest number of questions of each space. */
  questions: number | undefined;
}

interface Asked {
  category: string;
  score: Score;
  characters: number;
  ms: number;
  isReranked: boolean;
}

const namedIn = (metadata: Found['metadata'], key: string): string | null => {
  const value = metadata[key];
  return typeof value === 'string' ? value : null;
};

/** The items that a result counts for: its turns, or its document. */
function returnedBy(level: BenchSet['level'], matcher: Matcher, { text, metadata }: Found): Returned {
  const document = namedIn(metadata, 'bench_doc');
  const turn = namedIn(metadata, 'bench_turn');
  const named = level === 'document' ? document : turn;
  const holds = level === 'turn' ? matcher.turnsIn(text, document) : [];
  return { holds: named === null ? holds : [...new Set([named, ...holds])], characters: text.length };
}

/** Keeps each document once, when documents count. */
function countedOnce(returned: readonly Returned[], limit: number): Returned[] {
  const seen = new Set<string>();
  return returned
    .filter(({ holds: [document] }) => document !== undefined && !seen.has(document) && seen.add(document))
    .slice(0, limit);
}

async function askAll(
  client: Client,
  tag: string,
  { level, perQuestion }: BenchSet,
  space: Space,
  method: Method,
): Promise<Asked[]> {
  const matcher = createMatcher(space.documents);
  const { mode, window, rerank } = method;
  const asking = { mode, window, rerank, limit: perQuestion(method.limit) };
  const asked: Asked[] = [];
  for (const { text, category, evidence } of space.questions.slice(0, method.questions)) {
    const started = performance.now();
    const { found, isReranked } = await client.search(tag, text, asking);
    const ms = performance.now() - started;
    const returned = found.map((one) => returnedBy(level, matcher, one));
    const counted = level === 'turn' ? returned : countedOnce(returned, method.limit);
    const characters = returned.slice(0, 10).reduce((sum, one) => sum + one.characters, 0);
    asked.push({ category, score: scoreOf(counted, evidence), characters, ms, isReranked });
  }
  return asked;
}

/** `run` separates this run's containers from those of others. */
async function measureSpace(client: Client, run: string, set: BenchSet, space: Space, method: Method) {
  const tag = `bench_${run}_${space.id}`.replace(/[^\w-]/g, '_').slice(0, 100);
  const started = performance.now();
  try {
    const ids: string[] = [];
    for (const document of space.documents)
      for (const sent of sentAs(tag, document, method)) ids.push(await client.add(tag, sent));
    await client.done(ids);
    const ingest = (performance.now() - started) / 1000;
    return { ingest, asked: await askAll(client, tag, set, space, method) };
  } finally {
    await client.forgetTag(tag);
  }
}

const scoresOf = (asked: readonly Asked[]): Score => meanOf(asked.map(({ score }) => score));

export async function measure(client: Client, set: BenchSet, method: Method): Promise<Measured> {
  const run = Date.now().toString(36);
  const all: Asked[] = [];
  let ingest = 0;
  for (const space of set.spaces) {
    const measured = await measureSpace(client, run, set, space, method);
    ingest += measured.ingest;
    all.push(...measured.asked);
  }
  const latencies = all.map(({ ms }) => ms).sort((a, b) => a - b);
  return {
    questions: all.length,
    score: scoresOf(all),
    byCategory: new Map(
      [...Map.groupBy(all, ({ category }) => category)].map(([category, asked]) => [
        category,
        { questions: asked.length, score: scoresOf(asked) },
      ]),
    ),
    characters: all.reduce((sum, { characters }) => sum + characters, 0) / all.length,
    p50: quantile(latencies, 0.5),
    p95: quantile(latencies, 0.95),
    notReranked: all.filter(({ isReranked }) => !isReranked).length,
    ingest,
  };
}
