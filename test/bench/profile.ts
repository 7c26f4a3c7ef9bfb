// (g) The profile of a person with 1,000 known facts: warm, and after a write to the tag.
import type { Sizes } from './options.ts';
import type { Row, Section } from './report.ts';
import { type Ask, asked, type Connection, connect, post } from './support/connection.ts';
import { type Server, startServer } from './support/memoir.ts';
import { median, medianRatio, ms, percent, quantile, spread, times, whole } from './support/numbers.ts';
import { questionAbout, randomFrom, textOf } from './support/texts.ts';

const MEMORIES = 1000;
const PER_REQUEST = 100;
const STATIC_EVERY = 10;
const CHARACTERS = 90;
const TAG = 'somebody';
const WARM_UP = 20;
const MOST_SHARE = 0.1;

const statement = (number: number): string => `Mara ${textOf(number, CHARACTERS)}`;

const remember = (numbers: readonly number[]): Ask =>
  post('/v4/memories', {
    containerTag: TAG,
    memories: numbers.map((number) => ({
      content: statement(number),
      isStatic: number % STATIC_EVERY === 0,
    })),
  });

const readProfile = post('/v4/profile', { containerTag: TAG, include: ['static', 'dynamic'] });
const readAll = post('/v4/profile', { containerTag: TAG });

interface Measured {
  p50: number[];
  p95: number[];
}

const empty = (): Measured => ({ p50: [], p95: [] });

/** `before` runs ahead of each request and is not timed. */
const measure = async (
  connection: Connection,
  into: Measured,
  count: number,
  next: () => Ask,
  before: () => Promise<void> = async () => undefined,
): Promise<void> => {
  const latencies: number[] = [];
  for (let at = -WARM_UP; at < count; at++) {
    await before();
    const ask = next();
    const began = performance.now();
    await asked(connection, ask);
    if (at >= 0) latencies.push(performance.now() - began);
  }
  const sorted = latencies.sort((a, b) => a - b);
  into.p50.push(quantile(sorted, 0.5));
  into.p95.push(quantile(sorted, 0.95));
};

const fill = async (connection: Connection): Promise<void> => {
  for (let from = 0; from < MEMORIES; from += PER_REQUEST)
    await asked(connection, remember(Array.from({ length: PER_REQUEST }, (_, at) => from + at)));
};

const searching = (searchMode: string) => {
  const random = randomFrom(MEMORIES);
  return (): Ask =>
    post('/v4/search', {
      q: questionAbout(Math.floor(random() * MEMORIES), CHARACTERS, random),
      containerTag: TAG,
      searchMode,
      threshold: 0,
    });
};

const row = (what: string, { p50, p95 }: Measured): Row => ({
  what: `${what}: p50 / p95`,
  figure: `${ms(median(p50))} / ${ms(median(p95))}`,
});

const share = (what: string, warm: Measured, cold: Measured): Row => {
  const ratio = medianRatio(warm.p50, cold.p50);
  const target = `at most ${times(MOST_SHARE)}`;
  return { what, figure: times(ratio), target, met: ratio <= MOST_SHARE };
};

const rounds = async (server: Server, sizes: Sizes): Promise<Section> => {
  const connection = connect(server.url, server.key);
  const [warm, cold, warmAll, coldAll, search] = [empty(), empty(), empty(), empty(), empty()];
  // The same statement again adds a source, which is a write to the tag.
  const write = async () => {
    await asked(connection, remember([1]));
  };
  try {
    await fill(connection);
    await server.settled();
    const count = sizes.searches;
    for (let round = 0; round < sizes.rounds; round++) {
      await measure(connection, warm, count, () => readProfile);
      await measure(connection, cold, count, () => readProfile, write);
      await measure(connection, warmAll, count, () => readAll);
      await measure(connection, coldAll, count, () => readAll, write);
      await measure(connection, search, count, searching('memories'));
    }
  } finally {
    connection.close();
  }
  const apart = percent(Math.max(...[warm, cold, warmAll, coldAll].map(({ p50 }) => spread(p50))));
  return {
    letter: 'g',
    title: `The profile of a tag with ${whole(MEMORIES)} memories`,
    rows: [
      row('static and dynamic, warm', warm),
      row('static and dynamic, after a write to the tag', cold),
      share('warm against after a write, static and dynamic', warm, cold),
      row('all sections, warm', warmAll),
      row('all sections, after a write to the tag', coldAll),
      share('warm against after a write, all sections', warmAll, coldAll),
      row('a search of the memories', search),
    ],
    notes: [
      `A request over HTTP on one connection, answered in full. The rounds' p50 lie up to ${apart} apart.`,
    ],
  };
};

export const profile = async (sizes: Sizes): Promise<Section> => {
  const server = await startServer();
  try {
    return await rounds(server, sizes);
  } finally {
    await server.close();
  }
};
