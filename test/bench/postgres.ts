// (n) PostgreSQL beside SQLite: adds and narrow searches in turns, and several processes against one.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Fleet, startFleet } from '../scale/fleet.ts';
import { stillWaiting } from '../scale/stored.ts';
import { comparePairsOfFleets } from '../scale/throughput.ts';
import { NO_CHROMA, onPostgres } from '../support/on-postgres.ts';
import { startPostgres, type TestPostgres } from '../support/postgres.ts';
import { until } from '../support/until.ts';
import type { Sizes } from './options.ts';
import type { Row, Section } from './report.ts';
import { type Ask, asked, connect, post } from './support/connection.ts';
import { SEARCHED_ONLY } from './support/fill.ts';
import { closedLoop, type Target } from './support/load.ts';
import { type Server, startServer } from './support/memoir.ts';
import { median, medianRatio, ms, quantile, times, whole } from './support/numbers.ts';
import { questionAbout, randomFrom, textOf } from './support/texts.ts';

const CHUNKS_OF_A_DOCUMENT = 50;
const CHARACTERS = 900;
const LONGEST_SECONDS = 60;
const CONNECTIONS = 16;
const BURST_SECONDS = 1.5;
const FILL_MS = 600_000;
const KEY = `sm_${'q7Zp4'.repeat(3)}x9Kd2Vb8`;
const LEAST_ADDS = 0.6;
const MOST_WARM = 2;
const MOST_COLD = 5;
const LEAST_OF_SEVERAL = 0.9;

/** One of the two databases. */
interface Side {
  readonly target: Target;
  settled(): Promise<void>;
  readonly adds: number[];
  readonly cold: number[];
  readonly warm: number[];
}

const tagName = (tag: number): string => `person_${tag}`;

/** Long documents: each paragraph is a chunk. */
const fillSide = async ({ target, settled }: Side, { tags, chunks }: Sizes['narrow']): Promise<void> => {
  const connection = connect(target.url, target.key);
  let number = 0;
  for (let tag = 0; tag < tags; tag++)
    for (let at = 0; at < chunks; at += CHUNKS_OF_A_DOCUMENT) {
      const paragraphs = Array.from({ length: CHUNKS_OF_A_DOCUMENT }, () => {
        number += 1;
        return textOf(number, CHARACTERS);
      });
      const document = { content: paragraphs.join('\n\n'), containerTag: tagName(tag), ...SEARCHED_ONLY };
      await asked(connection, post('/v3/documents', document));
    }
  connection.close();
  await settled();
};

const searchOf = (tag: number, number: number): Ask =>
  post('/v4/search', {
    q: questionAbout(number, CHARACTERS, randomFrom(number)),
    ...{ containerTag: tagName(tag), searchMode: 'documents', threshold: 0, limit: 10 },
  });

/** The first search of each tag, in turns on both; the last tag warms up the code. */
const measureCold = async (sides: readonly Side[], { tags, chunks }: Sizes['narrow']): Promise<void> => {
  const connections = sides.map(({ target }) => connect(target.url, target.key));
  const search = async (side: number, tag: number, question: number): Promise<number> => {
    const connection = connections[side];
    if (connection === undefined) throw new Error('There are two sides.');
    const began = performance.now();
    await asked(connection, searchOf(tag, tag * chunks + question));
    return performance.now() - began;
  };
  for (let at = 0; at < 2 * chunks; at++) await search(at % 2, tags - 1, at % chunks);
  for (let tag = 0; tag < tags - 1; tag++)
    for (const at of tag % 2 === 0 ? [0, 1] : [1, 0]) sides[at]?.cold.push(await search(at, tag, 1));
  for (const connection of connections) connection.close();
};

const measureWarm = async (sides: readonly Side[], sizes: Sizes): Promise<void> => {
  const { tags, chunks } = sizes.narrow;
  for (let round = 0; round < sizes.rounds; round++)
    for (const { target, warm } of round % 2 === 0 ? sides : sides.toReversed()) {
      let at = round;
      const next = (): Ask => {
        at += 1;
        return searchOf(at % tags, (at * 37) % (tags * chunks));
      };
      const load = { connections: 1, seconds: LONGEST_SECONDS, next, most: sizes.searches };
      warm.push(quantile((await closedLoop(target, load)).latencies, 0.5));
    }
};

const measureAdds = async (sides: readonly Side[], rounds: number): Promise<void> => {
  for (let round = 0; round < rounds; round++)
    for (const { target, adds, settled } of round % 2 === 0 ? sides : sides.toReversed()) {
      let at = 0;
      const next = (): Ask => {
        at += 1;
        const containerTag = `adds_${at % 50}`;
        return post('/v3/documents', { content: textOf(at, 200), containerTag, ...SEARCHED_ONLY });
      };
      adds.push((await closedLoop(target, { connections: CONNECTIONS, seconds: BURST_SECONDS, next })).rate);
      await settled();
    }
};

const sideOf = (target: Target, settled: Side['settled']): Side => ({
  ...{ target, settled },
  ...{ adds: [], cold: [], warm: [] },
});

const compareSides = async (sqlite: Side, postgres: Side, sizes: Sizes): Promise<Row[]> => {
  const sides = [sqlite, postgres];
  for (const side of sides) await fillSide(side, sizes.narrow);
  await measureCold(sides, sizes.narrow);
  await measureWarm(sides, sizes);
  await measureAdds(sides, sizes.rounds);
  const row = (what: string, of: 'cold' | 'warm', most: number): Row => {
    const ratio =
      of === 'warm' ? medianRatio(postgres.warm, sqlite.warm) : median(postgres.cold) / median(sqlite.cold);
    const figure = `${ms(median(postgres[of]))}, SQLite ${ms(median(sqlite[of]))}: ${times(ratio)}`;
    return { what, figure, target: `at most ${times(most)}`, met: ratio <= most };
  };
  const adds = medianRatio(postgres.adds, sqlite.adds);
  const { tags, chunks } = sizes.narrow;
  return [
    row(`search in one of ${tags} tags of ${whole(chunks)} chunks, p50`, 'warm', MOST_WARM),
    row('the first search in each of these tags, p50', 'cold', MOST_COLD),
    {
      what: `durable adds a second, ${CONNECTIONS} at once`,
      figure: `${whole(median(postgres.adds))}, SQLite ${whole(median(sqlite.adds))}: ${times(adds)}`,
      target: `at least ${times(LEAST_ADDS)}`,
      met: adds >= LEAST_ADDS,
    },
  ];
};

const openSqlite = async (): Promise<{ server: Server; side: Side }> => {
  const server = await startServer({ env: { CHROMA_URL: NO_CHROMA } });
  const settled = async (): Promise<void> => {
    await until('an empty queue', () => server.queue().unfinished === 0, FILL_MS);
  };
  return { server, side: sideOf(server, settled) };
};

const openPostgresServer = async (
  postgres: TestPostgres,
  dir: string,
): Promise<{ fleet: Fleet; side: Side }> => {
  const database = await postgres.take();
  const fleet = await startFleet({
    ...{
      dir,
      key: KEY,
      env: { ...onPostgres(database), MEMOIR_LOG_LEVEL: 'error' },
      roles: ['all'] as const,
    },
    say: console.log,
  });
  const settled = async (): Promise<void> => {
    await until('an empty queue', async () => (await stillWaiting(database)) === 0, FILL_MS);
  };
  return { fleet, side: sideOf({ url: fleet.urls()[0] ?? '', key: KEY }, settled) };
};

const besideSqlite = async (postgres: TestPostgres, sizes: Sizes): Promise<Row[]> => {
  const dir = mkdtempSync(join(tmpdir(), 'memoir-bench-postgres-'));
  const { server, side: sqlite } = await openSqlite();
  const { fleet, side } = await openPostgresServer(postgres, dir);
  try {
    return await compareSides(sqlite, side, sizes);
  } finally {
    await fleet.stop();
    await fleet.end();
    await server.close();
    rmSync(dir, { recursive: true, force: true });
  }
};

const severalProcesses = async (sizes: Sizes): Promise<Row> => {
  const pairs = await comparePairsOfFleets({ pairs: sizes.fleets, documents: sizes.documents, tags: 50 });
  const ratios = pairs.map(({ several, one }) => several.done / one.done);
  return {
    what: `two processes that answer and two workers, against one for everything, documents done a second, ${pairs.length} pairs`,
    figure: `${times(median(ratios))} (${ratios.map((ratio) => ratio.toFixed(2)).join(', ')})`,
    target: `at least ${times(LEAST_OF_SEVERAL)}`,
    met: median(ratios) >= LEAST_OF_SEVERAL,
  };
};

export const postgresBesideSqlite = async (sizes: Sizes): Promise<Section> => {
  const section = { letter: 'n', title: 'PostgreSQL beside SQLite' };
  const postgres = await startPostgres(async () => undefined, { durable: true });
  if ('missing' in postgres)
    return { ...section, rows: [], notes: [`No PostgreSQL could be started: ${postgres.missing}`] };
  try {
    const rows = await besideSqlite(postgres, sizes);
    return {
      ...section,
      rows: [...rows, await severalProcesses(sizes)],
      notes: ['Both compare exactly, without Chroma. PostgreSQL runs on the same machine.'],
    };
  } finally {
    await postgres.stop();
  }
};
