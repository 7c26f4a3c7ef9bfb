// `npm run bench -- --against <checkout>`: two checkouts in alternating runs, judged by the processor time of the server
// per call. Wall times of single runs say little on a machine that does other work; processor time says more. Searches at
// once are judged by how many are answered in a second.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Row, Section } from './report.ts';
import { type Ask, asked, connect, post } from './support/connection.ts';
import { fill } from './support/fill.ts';
import { closedLoop } from './support/load.ts';
import { type Server, startServer } from './support/memoir.ts';
import {
  type Interval,
  LEAST_SAMPLES_OF_P99,
  median,
  medianInterval,
  ms,
  percent,
  quantile,
  times,
  whole,
} from './support/numbers.ts';
import { processorMs } from './support/process.ts';
import { questions, SEARCHED_TAG, TAG_CHUNKS, tagOfChunk } from './support/stores.ts';
import { questionAbout, randomFrom, textOf } from './support/texts.ts';

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

export const FULL_PAIRS: PairSizes = {
  pairs: 10,
  mostPairs: 40,
  documents: 2000,
  stores: [1000, 10_000, 100_000],
  calls: 400,
};
export const QUICK_PAIRS: PairSizes = {
  pairs: 3,
  mostPairs: 3,
  documents: 200,
  stores: [1000],
  calls: 50,
};

/** A smaller change counts as no change. */
const BOUND = 0.1;
const CHARACTERS = 1000;
const CONNECTIONS = 4;
const LONGEST_SECONDS = 120;
const QUIET_MS = 200;
/** Runs before the first pair, so that Node has compiled the code by then. */
const WARM_UPS = 2;
const TAGS = 20;
const REMEMBERED_TAG = 'remembered';

/** One run of one checkout. */
interface Run {
  /** Processor time of the server for one call, in milliseconds. */
  cpu: number;
  /** Calls per second. */
  rate: number;
  latencies: Float64Array;
}

/** A figure by which two checkouts are compared. */
interface Measure {
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

const NO_MORE = processorTime(1 + BOUND);

interface Workload {
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
}

/** The content of both checkouts, and the calls to them. */
interface Setting {
  workloads: () => Workload[];
  fill: (server: Server) => Promise<void>;
}

interface Side {
  server: Server;
  workloads: readonly Workload[];
}

interface Measured {
  ratios: number[];
  before: number[];
  after: number[];
  latencies: { before: number[]; after: number[] };
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

const settled = async (server: Server): Promise<void> => {
  await server.settled();
  while (server.queue().unread > 0) await sleep(20);
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

const settingsOf = (sizes: PairSizes): Setting[] => [
  { workloads: () => workloadsOf(sizes), fill: (server) => fillUsual(server, sizes) },
  ...sizes.stores.map((chunks) => ({
    workloads: () => searchesInOneTag(chunks),
    fill: (server: Server) => fill(server, { from: 0, count: chunks, tagOf: tagOfChunk }),
  })),
];

const open = async (setting: Setting, checkout?: string): Promise<Side> => {
  const server = await startServer(checkout === undefined ? {} : { checkout });
  await setting.fill(server);
  await settled(server);
  return { server, workloads: setting.workloads() };
};

const runOnce = async (side: Side, at: number, calls: number): Promise<Run> => {
  const { server, workloads } = side;
  const workload = workloads[at];
  if (!workload) throw new Error('There is no such workload.');
  const { next, settles = false, share = 1, connections = CONNECTIONS } = workload;
  const most = Math.max(connections, Math.round(calls * share));
  const began = processorMs(server.pid);
  const { rate, latencies } = await closedLoop(server, {
    connections,
    seconds: LONGEST_SECONDS,
    next,
    most,
  });
  if (settles) await settled(server);
  await sleep(QUIET_MS);
  return { cpu: (processorMs(server.pid) - began) / latencies.length, rate, latencies };
};

const width = ({ from, to }: Interval): number => to - from;

const measureOf = ({ measure = NO_MORE }: Workload): Measure => measure;

const measurePair = async (
  measured: Measured,
  sides: { before: Side; after: Side },
  at: number,
  { calls }: PairSizes,
): Promise<void> => {
  const { of } = measureOf(sides.after.workloads[at] as Workload);
  const isEven = measured.ratios.length % 2 === 0;
  const order = isEven ? (['before', 'after'] as const) : (['after', 'before'] as const);
  const found: { before?: number; after?: number } = {};
  for (const which of order) {
    const run = await runOnce(sides[which], at, calls);
    found[which] = of(run);
    measured[which].push(of(run));
    measured.latencies[which].push(...run.latencies);
  }
  measured.ratios.push((found.after ?? Number.NaN) / (found.before ?? Number.NaN));
};

const p99 = ({ latencies }: Measured, which: 'before' | 'after'): string => {
  const sorted = Float64Array.from(latencies[which]).sort();
  return sorted.length < LEAST_SAMPLES_OF_P99
    ? `${sorted.length} samples are too few`
    : ms(quantile(sorted, 0.99));
};

const rowsOf = (workload: Workload, measured: Measured): Row[] => {
  const { name } = workload;
  const { what, shown, target, meets } = measureOf(workload);
  const ratio = median(measured.ratios);
  const interval = medianInterval(measured.ratios);
  return [
    {
      what: `${name}: ${what}, before / after`,
      figure: `${shown(median(measured.before))} / ${shown(median(measured.after))}`,
    },
    {
      what: `${name}: ratio, median of ${measured.ratios.length} pairs [95 % interval]`,
      figure: `${times(ratio)} [${times(interval.from)} to ${times(interval.to)}]`,
      target,
      met: meets(ratio),
    },
    {
      what: `${name}: p99, before / after`,
      figure: `${p99(measured, 'before')} / ${p99(measured, 'after')}`,
    },
  ];
};

const measureWorkload = async (
  sides: { before: Side; after: Side },
  at: number,
  sizes: PairSizes,
): Promise<Measured> => {
  const measured: Measured = { ratios: [], before: [], after: [], latencies: { before: [], after: [] } };
  const isWide = () => width(medianInterval(measured.ratios)) > BOUND;
  while (measured.ratios.length < sizes.pairs || (isWide() && measured.ratios.length < sizes.mostPairs))
    await measurePair(measured, sides, at, sizes);
  return measured;
};

const compareIn = async (
  setting: Setting,
  checkout: string,
  { sizes, calls }: { sizes: PairSizes; calls: string },
): Promise<Row[]> => {
  const opened: Side[] = [];
  try {
    const before = await open(setting, checkout);
    opened.push(before);
    const after = await open(setting);
    opened.push(after);
    const rows: Row[] = [];
    for (const [at, workload] of after.workloads.entries()) {
      if (!workload.name.startsWith(calls)) continue;
      for (const side of opened) await runOnce(side, at, WARM_UPS * sizes.calls);
      rows.push(...rowsOf(workload, await measureWorkload({ before, after }, at, sizes)));
    }
    return rows;
  } finally {
    for (const { server } of opened) await server.close();
  }
};

export const comparePairs = async (checkout: string, sizes: PairSizes, calls = ''): Promise<Section> => {
  const rows: Row[] = [];
  for (const setting of settingsOf(sizes))
    if (setting.workloads().some(({ name }) => name.startsWith(calls)))
      rows.push(...(await compareIn(setting, checkout, { sizes, calls })));
  return {
    letter: 'p',
    title: `Against ${checkout}`,
    rows,
    notes: [
      `Both servers hold ${whole(sizes.documents)} documents in ${TAGS} tags, and for searches in one tag as many chunks as the row says. A run is ${whole(sizes.calls)} calls over ${CONNECTIONS} connections, or as many as the row says; the order of the two alternates.`,
      `An interval wider than ${percent(BOUND)} asks for more pairs, at most ${sizes.mostPairs}.`,
    ],
  };
};
