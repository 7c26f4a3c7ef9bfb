// `npm run bench -- --against <checkout>`: two checkouts in alternating runs, judged by the processor time of the server
// per call. Wall times of single runs say little on a machine that does other work; processor time says more.
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
import { questionAbout, randomFrom, textOf } from './support/texts.ts';

export interface PairSizes {
  /** Alternating runs of the two checkouts. */
  pairs: number;
  /** More pairs are run while an interval is wider than the bound. */
  mostPairs: number;
  documents: number;
  /** Calls of one run. */
  calls: number;
}

export const FULL_PAIRS: PairSizes = { pairs: 10, mostPairs: 40, documents: 2000, calls: 400 };
export const QUICK_PAIRS: PairSizes = { pairs: 3, mostPairs: 3, documents: 200, calls: 50 };

/** A smaller change counts as no change. */
const BOUND = 0.1;
const CHARACTERS = 1000;
const CONNECTIONS = 4;
const LONGEST_SECONDS = 120;
const QUIET_MS = 200;
const TAGS = 20;
const REMEMBERED_TAG = 'remembered';

interface Workload {
  name: string;
  /** The next call; both checkouts get the same ones in the same order. */
  next: () => Ask;
  /** Counts the work that the server continues after its answers. */
  settles: boolean;
  /** Calls of one run, as a share of the usual number. */
  share: number;
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
    { name: 'search, hybrid', next: search('hybrid'), settles: false, share: 1 },
    { name: 'search, memories', next: search('memories'), settles: false, share: 1 },
    {
      name: 'search, documents',
      next: () =>
        post('/v3/search', {
          q: question(),
          containerTags: [tag()],
          documentThreshold: 0,
          chunkThreshold: 0,
        }),
      settles: false,
      share: 1,
    },
    {
      name: 'profile',
      next: () => post('/v4/profile', { containerTag: REMEMBERED_TAG }),
      settles: false,
      share: 1,
    },
    {
      name: 'list of documents',
      next: () => post('/v3/documents/list', { containerTags: [tag()], limit: 20 }),
      settles: false,
      share: 1,
    },
  ];
};

const settled = async (server: Server): Promise<void> => {
  await server.settled();
  while (server.queue().unread > 0) await sleep(20);
};

const MEMORIES = 300;

const open = async (sizes: PairSizes, checkout?: string): Promise<Side> => {
  const server = await startServer(checkout === undefined ? {} : { checkout });
  await fill(server, {
    from: 0,
    count: sizes.documents,
    tagOf: (number) => `tag-${number % TAGS}`,
    remembered: true,
  });
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
  await settled(server);
  return { server, workloads: workloadsOf(sizes) };
};

/** Processor time of one call, in milliseconds. */
const runOnce = async (
  side: Side,
  at: number,
  calls: number,
): Promise<{ cpu: number; latencies: Float64Array }> => {
  const { server, workloads } = side;
  const workload = workloads[at];
  if (!workload) throw new Error('There is no such workload.');
  const most = Math.max(CONNECTIONS, Math.round(calls * workload.share));
  const began = processorMs(server.pid);
  const { latencies } = await closedLoop(server, {
    connections: CONNECTIONS,
    seconds: LONGEST_SECONDS,
    next: workload.next,
    most,
  });
  if (workload.settles) await settled(server);
  await sleep(QUIET_MS);
  return { cpu: (processorMs(server.pid) - began) / latencies.length, latencies };
};

const width = ({ from, to }: Interval): number => to - from;

const measurePair = async (
  measured: Measured,
  sides: { before: Side; after: Side },
  at: number,
  calls: number,
): Promise<void> => {
  const isEven = measured.ratios.length % 2 === 0;
  const order = isEven ? (['before', 'after'] as const) : (['after', 'before'] as const);
  const found: { before?: number; after?: number } = {};
  for (const which of order) {
    const { cpu, latencies } = await runOnce(sides[which], at, calls);
    found[which] = cpu;
    measured[which].push(cpu);
    measured.latencies[which].push(...latencies);
  }
  measured.ratios.push((found.after ?? Number.NaN) / (found.before ?? Number.NaN));
};

const p99 = ({ latencies }: Measured, which: 'before' | 'after'): string => {
  const sorted = Float64Array.from(latencies[which]).sort();
  return sorted.length < LEAST_SAMPLES_OF_P99
    ? `${sorted.length} samples are too few`
    : ms(quantile(sorted, 0.99));
};

const rowsOf = (name: string, measured: Measured): Row[] => {
  const ratio = median(measured.ratios);
  const interval = medianInterval(measured.ratios);
  return [
    {
      what: `${name}: processor time per call, before / after`,
      figure: `${ms(median(measured.before))} / ${ms(median(measured.after))}`,
    },
    {
      what: `${name}: ratio, median of ${measured.ratios.length} pairs [95 % interval]`,
      figure: `${times(ratio)} [${times(interval.from)} to ${times(interval.to)}]`,
      target: `at most ${times(1 + BOUND)}`,
      met: ratio <= 1 + BOUND,
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
    await measurePair(measured, sides, at, sizes.calls);
  return measured;
};

export const comparePairs = async (checkout: string, sizes: PairSizes, calls = ''): Promise<Section> => {
  const opened: Side[] = [];
  try {
    const before = await open(sizes, checkout);
    opened.push(before);
    const after = await open(sizes);
    opened.push(after);
    const rows: Row[] = [];
    for (const [at, { name }] of after.workloads.entries()) {
      if (!name.startsWith(calls)) continue;
      await runOnce(before, at, sizes.calls);
      await runOnce(after, at, sizes.calls);
      rows.push(...rowsOf(name, await measureWorkload({ before, after }, at, sizes)));
    }
    return {
      letter: 'p',
      title: `Against ${checkout}`,
      rows,
      notes: [
        `Both servers hold ${whole(sizes.documents)} documents in ${TAGS} tags. A run is ${whole(sizes.calls)} calls over ${CONNECTIONS} connections; the order of the two alternates.`,
        `An interval wider than ${percent(BOUND)} asks for more pairs, at most ${sizes.mostPairs}.`,
      ],
    };
  } finally {
    for (const { server } of opened) await server.close();
  }
};
