// The calls that `npm run bench -- --against <checkout>` compares, the content that they meet, and by which figure.
import { type Ask, asked, connect, post } from '../support/connection.ts';
import { fill, SEARCHED_ONLY } from '../support/fill.ts';
import type { Server } from '../support/memoir.ts';
import { ms, times, whole } from '../support/numbers.ts';
import { questions, SEARCHED_TAG, TAG_CHUNKS, tagOfChunk } from '../support/stores.ts';
import { questionAbout, randomFrom, textOf } from '../support/texts.ts';

export interface PairSizes {
  /** Alternating runs of the two checkouts. */
  pairs: number;
  /** More pairs are run while an interval is wider than the bound. */
  mostPairs: number;
  documents: number;
  /** Chunks in each store of which one tag of 1,000 is searched. */
  stores: readonly number[];
  /** Calls of one run. */
  calls: number;
}

/** A smaller change counts as no change. */
export const BOUND = 0.1;
const CHARACTERS = 1000;
export const TAGS = 20;
const REMEMBERED_TAG = 'remembered';

/** One run of one checkout. */
export interface Run {
  /** Processor time of the server for one call, in milliseconds. */
  cpu: number;
  /** Calls per second. */
  rate: number;
  latencies: Float64Array;
  /** Processor time of each thread for one call, in microseconds. */
  threads: ReadonlyMap<string, number>;
}

/** A figure by which two checkouts are compared. */
export interface Measure {
  what: string;
  of: (run: Run) => number;
  shown: (value: number) => string;
  target: string;
  meets: (ratio: number) => boolean;
}

const processorTime = (most: number): Measure => ({
  what: 'processor time per call',
  of: ({ cpu }) => cpu,
  shown: ms,
  target: `at most ${times(most)}`,
  meets: (ratio) => ratio <= most,
});

const callsPerSecond = (least: number): Measure => ({
  what: 'calls per second',
  of: ({ rate }) => rate,
  shown: whole,
  target: `at least ${times(least)}`,
  meets: (ratio) => ratio >= least,
});

export const NO_MORE = processorTime(1 + BOUND);

export interface Workload {
  name: string;
  /** The next call; both checkouts get the same ones in the same order. */
  next: () => Ask;
  /** Counts the work that the server continues after its answers. Default: false. */
  settles?: boolean;
  /** Calls of one run, as a share of the usual number. Default: 1. */
  share?: number;
  /** Default: 4. */
  connections?: number;
  /** Default: no more processor time. */
  measure?: Measure;
  /** Also prints what each thread takes. Default: false. */
  threads?: boolean;
}

/** The content of both checkouts, and the calls to them. */
export interface Setting {
  workloads: () => Workload[];
  fill: (server: Server) => Promise<void>;
}

const workloadsOf = (sizes: PairSizes): Workload[] => {
  const random = randomFrom(7);
  let added = 1_000_000;
  const question = () => questionAbout(Math.floor(random() * sizes.documents), CHARACTERS, random);
  const tag = () => `tag-${Math.floor(random() * TAGS)}`;
  const add = () => post('/v3/documents', { content: textOf(added++, CHARACTERS), containerTag: tag() });
  const search = (searchMode: string) => () =>
    post('/v4/search', { q: question(), containerTag: tag(), searchMode, threshold: 0 });
  return [
    { name: 'add, until it is searchable and read for memories', next: add, settles: true, share: 0.25 },
    { name: 'search, hybrid', next: search('hybrid') },
    { name: 'search, memories', next: search('memories') },
    {
      name: 'search, documents',
      next: () =>
        post('/v3/search', {
          q: question(),
          containerTags: [tag()],
          documentThreshold: 0,
          chunkThreshold: 0,
        }),
    },
    { name: 'profile', next: () => post('/v4/profile', { containerTag: REMEMBERED_TAG }) },
    {
      name: 'list of documents',
      next: () => post('/v3/documents/list', { containerTags: [tag()], limit: 20 }),
    },
  ];
};

const AT_ONCE = 8;
const LESS_TIME_ALONE = 0.75;
const MORE_AT_ONCE = 1.6;
const HALF = { AND: [{ key: 'half', value: 'even' }] };

const searchesInOneTag = (chunks: number): Workload[] =>
  [undefined, HALF].flatMap((filters) => {
    const question = questions(chunks);
    const asking = { containerTag: SEARCHED_TAG, searchMode: 'hybrid', threshold: 0, filters };
    const next = () => post('/v4/search', { q: question(), ...asking });
    const where = `${filters ? 'with a filter, ' : ''}${whole(TAG_CHUNKS)} of ${whole(chunks)} chunks`;
    return [
      {
        name: `one search at a time, ${where}`,
        next,
        connections: 1,
        measure: processorTime(LESS_TIME_ALONE),
      },
      {
        name: `eight searches at once, ${where}`,
        next,
        connections: AT_ONCE,
        measure: callsPerSecond(MORE_AT_ONCE),
      },
    ];
  });

const ADDED_AT_ONCE = 16;
const MORE_ADDS = 1.5;
const ADDED_CHARACTERS = 200;
const ADDED_TAGS = 50;

const addsAtOnce = (): Workload[] => {
  let added = 0;
  const next = () => {
    added += 1;
    return post('/v3/documents', {
      content: textOf(added, ADDED_CHARACTERS),
      containerTag: `person_${added % ADDED_TAGS}`,
      ...SEARCHED_ONLY,
    });
  };
  return [
    {
      name: 'durable adds, 16 at once, read and indexed meanwhile',
      next,
      ...{ settles: true, share: 8, connections: ADDED_AT_ONCE },
      measure: callsPerSecond(MORE_ADDS),
      threads: true,
    },
  ];
};

const MEMORIES = 300;

const fillUsual = async (server: Server, { documents }: PairSizes): Promise<void> => {
  const tagOf = (number: number) => `tag-${number % TAGS}`;
  await fill(server, { from: 0, count: documents, tagOf, remembered: true });
  const connection = connect(server.url, server.key);
  const memories = Array.from({ length: MEMORIES }, (_, at) => ({
    content: `Mara ${textOf(at, 90)}`,
    isStatic: at % 10 === 0,
  }));
  for (let from = 0; from < MEMORIES; from += 100)
    await asked(
      connection,
      post('/v4/memories', { containerTag: REMEMBERED_TAG, memories: memories.slice(from, from + 100) }),
    );
  connection.close();
};

export const settingsOf = (sizes: PairSizes): Setting[] => [
  { workloads: () => workloadsOf(sizes), fill: (server) => fillUsual(server, sizes) },
  { workloads: addsAtOnce, fill: async () => undefined },
  ...sizes.stores.map((chunks) => ({
    workloads: () => searchesInOneTag(chunks),
    fill: (server: Server) => fill(server, { from: 0, count: chunks, tagOf: tagOfChunk }),
  })),
];
