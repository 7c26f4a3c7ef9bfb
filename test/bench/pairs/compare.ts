// `npm run bench -- --against <checkout>`: two checkouts in alternating runs, judged by the processor time of the server
// per call. Wall times of single runs say little on a machine that does other work; processor time says more. Searches at
// once are judged by how many are answered in a second.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Row, Section } from '../report.ts';
import { closedLoop } from '../support/load.ts';
import { type Server, startServer } from '../support/memoir.ts';
import {
  byThread,
  type Interval,
  LEAST_SAMPLES_OF_P99,
  median,
  medianInterval,
  ms,
  percent,
  quantile,
  times,
  whole,
} from '../support/numbers.ts';
import { processorMs, threadsMs } from '../support/process.ts';
import {
  BOUND,
  type Measure,
  NO_MORE,
  type PairSizes,
  type Run,
  type Setting,
  settingsOf,
  TAGS,
  type Workload,
} from './workloads.ts';

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

const CONNECTIONS = 4;
const LONGEST_SECONDS = 120;
const QUIET_MS = 200;
/** Runs before the first pair, so that Node has compiled the code by then. */
const WARM_UPS = 2;

interface Side {
  server: Server;
  workloads: readonly Workload[];
}

interface Measured {
  ratios: number[];
  before: number[];
  after: number[];
  latencies: { before: number[]; after: number[] };
  threads: { before: Run['threads'][]; after: Run['threads'][] };
}

const settled = async (server: Server): Promise<void> => {
  await server.settled();
  while (server.queue().unread > 0) await sleep(20);
};

const open = async (setting: Setting, checkout?: string): Promise<Side> => {
  const server = await startServer(checkout === undefined ? {} : { checkout });
  await setting.fill(server);
  await settled(server);
  return { server, workloads: setting.workloads() };
};

const runOnce = async (side: Side, at: number, usualCalls: number): Promise<Run> => {
  const { server, workloads } = side;
  const workload = workloads[at];
  if (!workload) throw new Error('There is no such workload.');
  const { next, settles = false, share = 1, connections = CONNECTIONS } = workload;
  const most = Math.max(connections, Math.round(usualCalls * share));
  const began = processorMs(server.pid);
  const threadsBegan = threadsMs(server.pid);
  const { rate, latencies } = await closedLoop(server, {
    connections,
    seconds: LONGEST_SECONDS,
    next,
    most,
  });
  if (settles) await settled(server);
  await sleep(QUIET_MS);
  const calls = latencies.length;
  const threads = [...threadsMs(server.pid)].map(
    ([name, ms]) => [name, ((ms - (threadsBegan.get(name) ?? 0)) * 1000) / calls] as const,
  );
  return { cpu: (processorMs(server.pid) - began) / calls, rate, latencies, threads: new Map(threads) };
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
    measured.threads[which].push(run.threads);
  }
  measured.ratios.push((found.after ?? Number.NaN) / (found.before ?? Number.NaN));
};

const p99 = ({ latencies }: Measured, which: 'before' | 'after'): string => {
  const sorted = Float64Array.from(latencies[which]).sort();
  return sorted.length < LEAST_SAMPLES_OF_P99
    ? `${sorted.length} samples are too few`
    : ms(quantile(sorted, 0.99));
};

/** The median of the runs, thread by thread. */
const threadsOf = (runs: readonly Run['threads'][]): string => {
  const names = new Set(runs.flatMap((threads) => [...threads.keys()]));
  return byThread([...names].map((name) => [name, median(runs.map((threads) => threads.get(name) ?? 0))]));
};

const rowsOf = (workload: Workload, measured: Measured): Row[] => {
  const { name, threads = false } = workload;
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
    ...(threads
      ? [
          {
            what: `${name}: processor time of each thread for one, before / after`,
            figure: `${threadsOf(measured.threads.before)} / ${threadsOf(measured.threads.after)}`,
          },
        ]
      : []),
  ];
};

const measureWorkload = async (
  sides: { before: Side; after: Side },
  at: number,
  sizes: PairSizes,
): Promise<Measured> => {
  const measured: Measured = {
    ...{ ratios: [], before: [], after: [] },
    latencies: { before: [], after: [] },
    threads: { before: [], after: [] },
  };
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
    letter: 'pairs',
    title: `Against ${checkout}`,
    rows,
    notes: [
      `Both servers hold ${whole(sizes.documents)} documents in ${TAGS} tags, and for searches in one tag as many chunks as the row says. A run is ${whole(sizes.calls)} calls over ${CONNECTIONS} connections, or as many as the row says; the order of the two alternates.`,
      `An interval wider than ${percent(BOUND)} asks for more pairs, at most ${sizes.mostPairs}.`,
    ],
  };
};
