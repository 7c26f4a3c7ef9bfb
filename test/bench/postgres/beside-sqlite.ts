// (n) PostgreSQL beside SQLite: adds and narrow searches in turns, searches during an import, and several processes against one.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { comparePairsOfFleets } from '../../scale/throughput.ts';
import { startPostgres, type TestPostgres } from '../../support/postgres.ts';
import type { Part, Sizes } from '../options.ts';
import type { Row, Section } from '../report.ts';
import { type Ask, asked, connect, post } from '../support/connection.ts';
import { SEARCHED_ONLY } from '../support/fill.ts';
import { closedLoop } from '../support/load.ts';
import { median, medianRatio, ms, quantile, times, whole } from '../support/numbers.ts';
import { questionAbout, randomFrom, textOf } from '../support/texts.ts';
import { searchDuringImport } from './import.ts';
import { openPostgresServer, openSqlite, type Side } from './sides.ts';

const CHUNKS_OF_A_DOCUMENT = 50;
const CHARACTERS = 900;
const LONGEST_SECONDS = 60;
const CONNECTIONS = 16;
const BURST_SECONDS = 1.5;
const LEAST_ADDS = 0.6;
const MOST_WARM = 2;
const MOST_COLD = 5;
const LEAST_OF_SEVERAL = 0.9;

/** SQLite and PostgreSQL. */
type Sides = readonly [Side, Side];

const tagName = (tag: number): string => `person_${tag}`;

/** Long documents: each paragraph is a chunk. */
const fillSide = async (side: Side, { tags, chunks }: Sizes['narrow']): Promise<void> => {
  const connection = connect(side.url, side.key);
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
  await side.settled();
};

const searchOf = (tag: number, number: number): Ask =>
  post('/v4/search', {
    q: questionAbout(number, CHARACTERS, randomFrom(number)),
    ...{ containerTag: tagName(tag), searchMode: 'documents', threshold: 0, limit: 10 },
  });

/** The first search of each tag, in turns on both; the last tag warms up the code. */
const measureCold = async (sides: readonly Side[], { tags, chunks }: Sizes['narrow']): Promise<void> => {
  const connections = sides.map(({ url, key }) => connect(url, key));
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
    for (const side of round % 2 === 0 ? sides : sides.toReversed()) {
      let at = round;
      const next = (): Ask => {
        at += 1;
        return searchOf(at % tags, (at * 37) % (tags * chunks));
      };
      const load = { connections: 1, seconds: LONGEST_SECONDS, next, most: sizes.searches };
      side.warm.push(quantile((await closedLoop(side, load)).latencies, 0.5));
    }
};

const measureAdds = async (sides: readonly Side[], rounds: number): Promise<void> => {
  for (let round = 0; round < rounds; round++)
    for (const side of round % 2 === 0 ? sides : sides.toReversed()) {
      let at = 0;
      const next = (): Ask => {
        at += 1;
        const containerTag = `adds_${at % 50}`;
        return post('/v3/documents', { content: textOf(at, 200), containerTag, ...SEARCHED_ONLY });
      };
      const load = { connections: CONNECTIONS, seconds: BURST_SECONDS, next };
      side.adds.push((await closedLoop(side, load)).rate);
      await side.settled();
    }
};

const ratioRow = (
  what: string,
  shown: (side: Side) => string,
  [sqlite, postgres]: Sides,
  judged: { ratio: number; target: string; met: boolean },
): Row => ({
  ...{ what, target: judged.target, met: judged.met },
  figure: `${shown(postgres)}, SQLite ${shown(sqlite)}: ${times(judged.ratio)}`,
});

const compareSearches = async (sides: Sides, sizes: Sizes): Promise<Row[]> => {
  for (const side of sides) await fillSide(side, sizes.narrow);
  await measureCold(sides, sizes.narrow);
  await measureWarm(sides, sizes);
  const [sqlite, postgres] = sides;
  const row = (what: string, of: 'cold' | 'warm', most: number): Row => {
    const ratio =
      of === 'warm' ? medianRatio(postgres.warm, sqlite.warm) : median(postgres.cold) / median(sqlite.cold);
    const judged = { ratio, target: `at most ${times(most)}`, met: ratio <= most };
    return ratioRow(what, (side) => ms(median(side[of])), sides, judged);
  };
  const { tags, chunks } = sizes.narrow;
  return [
    row(`search in one of ${tags} tags of ${whole(chunks)} chunks, p50`, 'warm', MOST_WARM),
    row('the first search in each of these tags, p50', 'cold', MOST_COLD),
  ];
};

const compareAdds = async (sides: Sides, sizes: Sizes): Promise<Row[]> => {
  await measureAdds(sides, sizes.rounds);
  const [sqlite, postgres] = sides;
  const ratio = medianRatio(postgres.adds, sqlite.adds);
  const judged = { ratio, target: `at least ${times(LEAST_ADDS)}`, met: ratio >= LEAST_ADDS };
  const what = `durable adds a second, ${CONNECTIONS} at once`;
  return [ratioRow(what, ({ adds }) => whole(median(adds)), sides, judged)];
};

const BESIDE: Readonly<Record<Exclude<Part, 'fleets'>, (sides: Sides, sizes: Sizes) => Promise<Row[]>>> = {
  search: compareSearches,
  adds: compareAdds,
  import: searchDuringImport,
};

const besideSqlite = async (
  postgres: TestPostgres,
  measures: readonly ((sides: Sides, sizes: Sizes) => Promise<Row[]>)[],
  sizes: Sizes,
): Promise<Row[]> => {
  if (measures.length === 0) return [];
  const dir = mkdtempSync(join(tmpdir(), 'memoir-bench-postgres-'));
  const { server, side: sqlite } = await openSqlite();
  const { fleet, side } = await openPostgresServer(postgres, dir);
  try {
    const rows: Row[] = [];
    for (const measure of measures) rows.push(...(await measure([sqlite, side], sizes)));
    return rows;
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
  const postgres = await startPostgres(null, { durable: true });
  if ('missing' in postgres)
    return { ...section, rows: [], notes: [`No PostgreSQL could be started: ${postgres.missing}`] };
  try {
    const measures = sizes.parts.flatMap((part) => (part === 'fleets' ? [] : [BESIDE[part]]));
    const rows = await besideSqlite(postgres, measures, sizes);
    return {
      ...section,
      rows: sizes.parts.includes('fleets') ? [...rows, await severalProcesses(sizes)] : rows,
      notes: ['Both compare exactly, without Chroma. PostgreSQL runs on the same machine.'],
    };
  } finally {
    await postgres.stop();
  }
};
