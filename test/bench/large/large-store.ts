// (p), (r) A store that grows to a million chunks: speed of the first and the last of them, memory, and a search in one tag.
import { setTimeout as sleep } from 'node:timers/promises';
import { mixedSearches } from '../memory.ts';
import type { Sizes } from '../options.ts';
import type { Row, Section } from '../report.ts';
import { type Ask, post } from '../support/connection.ts';
import { fill } from '../support/fill.ts';
import { closedLoop } from '../support/load.ts';
import { median, ms, quantile, times, whole } from '../support/numbers.ts';
import { residentMb } from '../support/process.ts';
import { questions, SEARCHED_TAG, TAG_CHUNKS, tagOfChunk } from '../support/stores.ts';
import { type LargeSide, openOnPostgres, openOnSqlite } from './sides.ts';

const REST_MS = 15_000;
const LOOK_MS = 100;
const WATCH_MS = 1000;
const LONGEST_SECONDS = 30;
const WARM_UP = 400;
const MOST_AT_REST_MB = 600;
const MOST_MB = 900;
const MOST_GROWTH = 2;
const LEAST_SPEED = 0.8;

/** The largest resident memory of the server while the work goes on, in MB. */
const watched = async <T>(side: LargeSide, work: () => Promise<T>): Promise<{ result: T; most: number }> => {
  let most = residentMb(side.pid);
  const watch = setInterval(() => {
    most = Math.max(most, residentMb(side.pid));
  }, WATCH_MS);
  try {
    return { result: await work(), most };
  } finally {
    clearInterval(watch);
  }
};

const done = async (side: LargeSide): Promise<void> => {
  while ((await side.queue()).unfinished > 0) await sleep(LOOK_MS);
};

const inChroma = async (side: LargeSide): Promise<void> => {
  while ((await side.outbox()) > 0) await sleep(WATCH_MS);
};

/** Chunks a second, from the first request until the last document is done. */
const speedOf = async (side: LargeSide, from: number, to: number): Promise<number> => {
  const began = performance.now();
  await fill(side, { from, count: to - from, tagOf: tagOfChunk });
  await done(side);
  const speed = ((to - from) * 1000) / (performance.now() - began);
  console.log(`  ${whole(to)} chunks, ${whole(speed)} a second, ${whole(residentMb(side.pid))} MB`);
  return speed;
};

/** Pieces of as many chunks as the first and the last one have. */
const speedsOf = async (side: LargeSide, { chunks, piece }: Sizes['large']): Promise<number[]> => {
  const speeds: number[] = [];
  for (let from = TAG_CHUNKS; from < chunks; from += piece)
    speeds.push(await speedOf(side, from, Math.min(chunks, from + piece)));
  return speeds;
};

const narrowSearch = async (side: LargeSide, { searches, rounds }: Sizes, seed: number): Promise<number> => {
  const question = questions(seed);
  const asking = { containerTag: SEARCHED_TAG, searchMode: 'hybrid', threshold: 0, limit: 10 };
  const next = (): Ask => post('/v4/search', { q: question(), ...asking });
  const load = { connections: 1, seconds: LONGEST_SECONDS, next };
  await closedLoop(side, { ...load, most: WARM_UP });
  const p50: number[] = [];
  for (let round = 0; round < rounds; round++)
    p50.push(quantile((await closedLoop(side, { ...load, most: searches })).latencies, 0.5));
  return median(p50);
};

const memoryRow = (what: string, mb: number, most: number): Row => ({
  ...{ what, figure: `${whole(mb)} MB`, target: `at most ${most} MB`, met: mb <= most },
});

const speedRows = (speeds: readonly number[], piece: number): Row[] => {
  const [first = Number.NaN, last = Number.NaN] = [speeds[0], speeds.at(-1)];
  const ratio = last / first;
  return [
    { what: `the first ${whole(piece)} chunks, to done`, figure: `${whole(first)} a second` },
    { what: `the last ${whole(piece)} chunks, to done`, figure: `${whole(last)} a second` },
    {
      ...{ what: 'the last against the first', figure: times(ratio) },
      ...{ target: `at least ${times(LEAST_SPEED)}`, met: ratio >= LEAST_SPEED },
    },
  ];
};

const searchRow = (chunks: number, small: number, large: number): Row => ({
  what: `search in a tag of ${whole(TAG_CHUNKS)} among ${whole(chunks)} chunks, against alone, p50`,
  figure: `${ms(large)}, alone ${ms(small)}: ${times(large / small)}`,
  ...{ target: `at most ${times(MOST_GROWTH)}`, met: large / small <= MOST_GROWTH },
});

const atRest = async (side: LargeSide): Promise<number> => {
  await sleep(REST_MS);
  return residentMb(side.pid);
};

const grow = async (side: LargeSide, sizes: Sizes): Promise<{ rows: Row[]; notes: string[] }> => {
  const { chunks, piece } = sizes.large;
  await fill(side, { from: 0, count: TAG_CHUNKS, tagOf: tagOfChunk });
  await done(side);
  await inChroma(side);
  const small = await narrowSearch(side, sizes, 1);
  const filling = await watched(side, () => speedsOf(side, sizes.large));
  const waiting = await side.outbox();
  const indexing = await watched(side, () => inChroma(side));
  const filled = await atRest(side);
  const large = await narrowSearch(side, sizes, 2);
  let busy = 0;
  const onBusy = (): void => {
    busy += 1;
  };
  const load = { connections: 2, seconds: sizes.mixedSeconds, next: mixedSearches(), onBusy };
  const searching = await watched(side, () => closedLoop(side, load));
  const searched = await atRest(side);
  const began = performance.now();
  await side.restart();
  const started = performance.now() - began;
  const { rate, latencies } = searching.result;
  return {
    rows: [
      ...speedRows(filling.result, piece),
      searchRow(chunks, small, large),
      memoryRow(
        'the server at its largest while they went in',
        Math.max(filling.most, indexing.most),
        MOST_MB,
      ),
      memoryRow('at rest after they went in', filled, MOST_AT_REST_MB),
      memoryRow(`at its largest in ${sizes.mixedSeconds} s of mixed searches`, searching.most, MOST_MB),
      memoryRow('at rest after those searches', searched, MOST_AT_REST_MB),
    ],
    notes: [
      `Each piece of ${whole(piece)}, chunks a second to done: ${filling.result.map(whole).join(', ')}. ${whole(waiting)} vectors were on their way to Chroma when the last document was done.`,
      `Mixed searches as in (d): ${rate.toFixed(1)} a second, p50 ${ms(quantile(latencies, 0.5))}, p95 ${ms(quantile(latencies, 0.95))}, ${busy} of them refused at their deadline. A stop and a start took ${whole(started)} ms.`,
    ],
  };
};

const largeStore =
  (letter: string, name: string, open: () => Promise<LargeSide>) =>
  async (sizes: Sizes): Promise<Section> => {
    const side = await open();
    try {
      return {
        letter,
        title: `A store of ${whole(sizes.large.chunks)} chunks on ${name}`,
        ...(await grow(side, sizes)),
      };
    } finally {
      await side.close();
    }
  };

export const largeOnSqlite = largeStore('p', 'SQLite', openOnSqlite);
export const largeOnPostgres = largeStore('r', 'PostgreSQL', openOnPostgres);
