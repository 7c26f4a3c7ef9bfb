// Keyword searches while documents come in, against the same searches before, on both databases.
import type { Sizes } from '../options.ts';
import type { Row } from '../report.ts';
import { type Ask, post } from '../support/connection.ts';
import { fill } from '../support/fill.ts';
import { type Load, paced } from '../support/load.ts';
import { median, medianRatio, ms, quantile, times } from '../support/numbers.ts';
import { questions, SEARCHED_TAG, TAG_CHUNKS } from '../support/stores.ts';
import type { Side } from './sides.ts';

const ROUNDS = 3;
const SEARCHES_PER_SECOND = 20;
const CONNECTIONS = 4;
const IMPORTED = 'imported';
const MOST_SLOWER = 2;

const searching = (side: Side, over: () => boolean, seed: number): Promise<Load> => {
  const question = questions(seed);
  const asking = { containerTag: SEARCHED_TAG, searchMode: 'keyword', threshold: 0 };
  const next = (): Ask => post('/v4/search', { q: question(), ...asking });
  return paced(side, { perSecond: SEARCHES_PER_SECOND, connections: CONNECTIONS, over, next });
};

const whileIdle = (side: Side, seconds: number, seed: number): Promise<Load> => {
  const end = performance.now() + seconds * 1000;
  return searching(side, () => performance.now() > end, seed);
};

/** Until the last document is done. */
const whileImporting = async (side: Side, from: number, count: number): Promise<Load> => {
  let over = false;
  const load = searching(side, () => over, from);
  try {
    await fill(side, { from, count, tagOf: () => IMPORTED });
    await side.settled();
  } finally {
    over = true;
  }
  return load;
};

const middle = ({ latencies }: Load): number => quantile(latencies, 0.5);

const measureSide = async (side: Side, sizes: Sizes, round: number): Promise<void> => {
  side.idle.push(middle(await whileIdle(side, sizes.idleSeconds, round)));
  const from = TAG_CHUNKS + round * sizes.documents;
  side.importing.push(middle(await whileImporting(side, from, sizes.documents)));
};

const rowOf = (name: string, side: Side, isJudged: boolean): Row => {
  const ratio = medianRatio(side.importing, side.idle);
  return {
    what: `${name}: search by words while documents come in, against before, p50`,
    figure: `${ms(median(side.importing))}, before ${ms(median(side.idle))}: ${times(ratio)}`,
    ...(isJudged ? { target: `at most ${times(MOST_SLOWER)}`, met: ratio <= MOST_SLOWER } : {}),
  };
};

export const searchDuringImport = async (sides: readonly [Side, Side], sizes: Sizes): Promise<Row[]> => {
  for (const side of sides) {
    await fill(side, { from: 0, count: TAG_CHUNKS, tagOf: () => SEARCHED_TAG });
    await side.settled();
    await whileIdle(side, 1, 1);
  }
  for (let round = 0; round < Math.min(ROUNDS, sizes.rounds); round++)
    for (const side of round % 2 === 0 ? sides : sides.toReversed()) await measureSide(side, sizes, round);
  const [sqlite, postgres] = sides;
  return [rowOf('PostgreSQL', postgres, true), rowOf('SQLite', sqlite, false)];
};
