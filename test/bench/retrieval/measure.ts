// One set through the service: each space in a container of its own, each question asked without a threshold. A set with
// questions that nothing answers is asked at the default threshold too.
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
  /** Null: the set has no questions that nothing answers. */
  atThreshold: AtThreshold | null;
  /** Seconds from the first document to the last that is done. */
  ingest: number;
}

/** The answers at the default threshold. */
export interface AtThreshold {
  /** The share of questions whose evidence is among the results. */
  answered: number;
  /** Of the questions that nothing answers, by category: the share with an empty result. */
  empty: ReadonlyMap<string, { questions: number; share: number }>;
}

export interface Method extends Sending, Omit<Asking, 'limit' | 'threshold'> {
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
  const asking = { mode, window, rerank, limit: perQuestion(method.limit), threshold: 0 };
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

interface AskedAtThreshold {
  /** Null for questions with an answer. */
  category: string | null;
  isRight: boolean;
}

async function askAtThreshold(
  client: Client,
  tag: string,
  { level, perQuestion }: BenchSet,
  { documents, questions, unanswered = [] }: Space,
  { mode, window, rerank, limit, questions: most }: Method,
): Promise<AskedAtThreshold[]> {
  const matcher = createMatcher(documents);
  const asking = { mode, window, rerank, limit: perQuestion(limit), threshold: undefined };
  const returned = async (text: string): Promise<Returned[]> =>
    (await client.search(tag, text, asking)).found.map((one) => returnedBy(level, matcher, one));
  const asked: AskedAtThreshold[] = [];
  for (const { text, evidence } of questions.slice(0, most)) {
    const held = (await returned(text)).flatMap(({ holds }) => holds);
    asked.push({ category: null, isRight: evidence.some((id) => held.includes(id)) });
  }
  for (const { text, category } of unanswered.slice(0, most))
    asked.push({ category, isRight: (await returned(text)).length === 0 });
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
    return {
      ingest,
      asked: await askAll(client, tag, set, space, method),
      askedAtThreshold: hasUnanswered(set) ? await askAtThreshold(client, tag, set, space, method) : [],
    };
  } finally {
    await client.forgetTag(tag);
  }
}

const hasUnanswered = ({ spaces }: BenchSet): boolean =>
  spaces.some(({ unanswered = [] }) => unanswered.length > 0);

const shareRight = (asked: readonly AskedAtThreshold[]): number =>
  asked.filter(({ isRight }) => isRight).length / asked.length;

function atThreshold(asked: readonly AskedAtThreshold[]): AtThreshold | null {
  if (asked.length === 0) return null;
  const byCategory = Map.groupBy(asked, ({ category }) => category);
  const empty = [...byCategory].flatMap(([category, of]) =>
    category === null ? [] : [[category, { questions: of.length, share: shareRight(of) }] as const],
  );
  return { answered: shareRight(byCategory.get(null) ?? []), empty: new Map(empty) };
}

const scoresOf = (asked: readonly Asked[]): Score => meanOf(asked.map(({ score }) => score));

export async function measure(client: Client, set: BenchSet, method: Method): Promise<Measured> {
  const run = Date.now().toString(36);
  const all: Asked[] = [];
  const allAtThreshold: AskedAtThreshold[] = [];
  let ingest = 0;
  for (const space of set.spaces) {
    const measured = await measureSpace(client, run, set, space, method);
    ingest += measured.ingest;
    all.push(...measured.asked);
    allAtThreshold.push(...measured.askedAtThreshold);
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
    atThreshold: atThreshold(allAtThreshold),
    ingest,
  };
}
