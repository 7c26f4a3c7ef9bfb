// (c) Searching one person's 1,000 chunks while the store grows, against Chroma filtering by a tag.
import type { Sizes } from './options.ts';
import type { Row, Section } from './report.ts';
import type { Ask } from './support/connection.ts';
import { closedLoop, type Target } from './support/load.ts';
import { median, medianRatio, ms, percent, quantile, spread, times, whole } from './support/numbers.ts';
import {
  queryBody,
  type RawChroma,
  startRawChroma,
  type TaggedVector,
  vectorsIn,
} from './support/raw-chroma.ts';
import { questions, SEARCHED_TAG, type Store, type Stores, TAG_CHUNKS } from './support/stores.ts';

/** Warms up before the first round, so that Node has compiled the code by then. */
const FIRST_WARM_UP = 400;
const WARM_UP = 20;
const LONGEST_SECONDS = 30;
const NEIGHBOURS = [10, 100] as const;
const CONCURRENCIES = [1, 8] as const;
const MOST_GROWTH = 2;
const LEAST_GAIN = 8;

interface Candidate {
  name: string;
  target: Target;
  next: () => Ask;
  connections: number;
  p50: number[];
  p95: number[];
}

const searchAsk = (next: () => string) => (): Ask => ({
  method: 'POST',
  path: '/v4/search',
  body: JSON.stringify({
    q: next(),
    containerTag: SEARCHED_TAG,
    searchMode: 'hybrid',
    threshold: 0,
    limit: 10,
  }),
});

const chromaAsk = (chroma: RawChroma, inTag: readonly TaggedVector[], k: number) => {
  let at = 0;
  return (): Ask => {
    at += 7;
    const asked = inTag[at % inTag.length];
    if (!asked) throw new Error('The searched tag holds no vector.');
    return { method: 'POST', path: `${chroma.path}/query`, body: queryBody(asked.vector, asked.tag, k) };
  };
};

const candidate = (name: string, target: Target, next: () => Ask, connections: number): Candidate => ({
  ...{ name, target, next, connections },
  p50: [],
  p95: [],
});

const measure = async ({ target, next, connections, p50, p95 }: Candidate, count: number): Promise<void> => {
  const most = p50.length === 0 ? FIRST_WARM_UP : WARM_UP;
  await closedLoop(target, { connections, seconds: LONGEST_SECONDS, next, most });
  const { latencies } = await closedLoop(target, {
    connections,
    seconds: LONGEST_SECONDS,
    next,
    most: count,
  });
  p50.push(quantile(latencies, 0.5));
  p95.push(quantile(latencies, 0.95));
};

const memoirs = (stores: readonly Store[]): Candidate[] =>
  CONCURRENCIES.flatMap((connections) =>
    stores.map(({ chunks, server }) =>
      candidate(
        `Memoir, ${whole(chunks)} chunks, ${connections} at once`,
        server,
        searchAsk(questions(chunks + connections)),
        connections,
      ),
    ),
  );

const chromas = (chroma: RawChroma, vectors: readonly TaggedVector[]): Candidate[] => {
  const tag = vectors[0]?.tag;
  const inTag = vectors.filter((row) => row.tag === tag).slice(0, TAG_CHUNKS);
  return CONCURRENCIES.flatMap((connections) =>
    NEIGHBOURS.map((k) =>
      candidate(
        `Chroma filtered by tag, ${whole(vectors.length)} vectors, k=${k}, ${connections} at once`,
        { url: chroma.url, key: null },
        chromaAsk(chroma, inTag, k),
        connections,
      ),
    ),
  );
};

const ratioRows = (
  ours: readonly Candidate[],
  theirs: readonly Candidate[],
  stores: readonly Store[],
): Row[] => {
  const smallest = ours[0];
  const largest = ours[stores.length - 1];
  if (!smallest || !largest) return [];
  const growth = medianRatio(largest.p50, smallest.p50);
  const sizes = `${whole(stores.at(-1)?.chunks ?? 0)} against ${whole(stores[0]?.chunks ?? 0)}`;
  const gains = theirs
    .filter(({ connections }) => connections === 1)
    .map((each, i) => {
      const gain = medianRatio(each.p50, largest.p50);
      const what = `p50 of Chroma's filtered query (k=${NEIGHBOURS[i]}) against Memoir's whole search, 1 at once`;
      return { what, figure: times(gain), target: `at least ${LEAST_GAIN}×`, met: gain >= LEAST_GAIN };
    });
  const grown = { target: `at most ${MOST_GROWTH}×`, met: growth <= MOST_GROWTH };
  return [{ what: `p50 at ${sizes} chunks, 1 at once`, figure: times(growth), ...grown }, ...gains];
};

export const search = async (sizes: Sizes, stores: Stores): Promise<Section> => {
  const all = await stores.all();
  const vectors = vectorsIn((await stores.largest()).server.dir);
  const chroma = await startRawChroma();
  try {
    await chroma.upsert(vectors);
    const ours = memoirs(all);
    const theirs = chromas(chroma, vectors);
    for (let round = 0; round < sizes.rounds; round += 1)
      for (const each of [...ours, ...theirs]) await measure(each, sizes.searches);
    const rows = [...ours, ...theirs].map(({ name, p50, p95 }) => ({
      what: `${name}: p50 / p95`,
      figure: `${ms(median(p50))} / ${ms(median(p95))}`,
    }));
    const widest = Math.max(...[...ours, ...theirs].map(({ p50 }) => spread(p50)));
    const note =
      'A search of Memoir is the whole request: words and meaning, ten results with their texts. Chroma answers numbers and distances. ' +
      `The rounds' p50 lie up to ${percent(widest)} apart.`;
    const title = `A search in a tag of ${whole(TAG_CHUNKS)} chunks`;
    return { letter: 'c', title, rows: [...rows, ...ratioRows(ours, theirs, all)], notes: [note] };
  } finally {
    await chroma.close();
  }
};
