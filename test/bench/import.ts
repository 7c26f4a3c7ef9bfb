// (f) Searches while a bulk import runs, against the same searches before it.
import { startThread } from '../../server/lib/threads/start-thread.ts';
import type { Sizes } from './options.ts';
import type { Section } from './report.ts';
import type { Ask } from './support/connection.ts';
import { CHARACTERS, fill } from './support/fill.ts';
import type { FillCommands } from './support/filling-thread.ts';
import { type Load, paced } from './support/load.ts';
import { type Server, startServer } from './support/memoir.ts';
import { median, medianRatio, ms, percent, quantile, spread, times, whole } from './support/numbers.ts';
import { questions, SEARCHED_TAG, TAG_CHUNKS } from './support/stores.ts';

const ROUNDS = 3;
const SEARCHES_PER_SECOND = 40;
const CONNECTIONS = 8;
const MOST_SLOWER = 2;

const searching = (server: Server, over: () => boolean, seed: number): Promise<Load> => {
  const question = questions(seed);
  const next = (): Ask => ({
    method: 'POST',
    path: '/v4/search',
    body: JSON.stringify({ q: question(), containerTag: SEARCHED_TAG, searchMode: 'hybrid', threshold: 0 }),
  });
  return paced(server, { perSecond: SEARCHES_PER_SECOND, connections: CONNECTIONS, over, next });
};

const whileIdle = (server: Server, seconds: number, seed: number): Promise<Load> => {
  const end = performance.now() + seconds * 1000;
  return searching(server, () => performance.now() > end, seed);
};

type FillingThread = ReturnType<typeof startThread<FillCommands>>;

/** The time from the first request of the import until the last vector is in Chroma. */
const whileImporting = async (
  { server, thread }: { server: Server; thread: FillingThread },
  { from, count, seed }: { from: number; count: number; seed: number },
): Promise<Load> => {
  const { url, key, dir } = server;
  let over = false;
  const load = searching(server, () => over, seed);
  try {
    await thread.call('fill', { url, key, dir }, { from, count, tag: 'imported' });
    await server.settled();
  } finally {
    over = true;
  }
  return load;
};

interface Quantiles {
  p50: number[];
  p95: number[];
}

const note = ({ latencies }: Load, { p50, p95 }: Quantiles): void => {
  p50.push(quantile(latencies, 0.5));
  p95.push(quantile(latencies, 0.95));
};

export const bulkImport = async (sizes: Sizes): Promise<Section> => {
  const idle: Quantiles = { p50: [], p95: [] };
  const busy: Quantiles = { p50: [], p95: [] };
  const server = await startServer();
  const file = new URL('./support/filling-thread.ts', import.meta.url);
  const thread = startThread<FillCommands>(file, {}, () => undefined);
  try {
    await fill(server, { from: 0, count: TAG_CHUNKS, tagOf: () => SEARCHED_TAG });
    await server.settled();
    await whileIdle(server, 1, 1);
    for (let round = 0; round < Math.min(ROUNDS, sizes.rounds); round += 1) {
      note(await whileIdle(server, sizes.idleSeconds, 2 * round), idle);
      const from = TAG_CHUNKS + round * sizes.documents;
      const filling = { from, count: sizes.documents, seed: 2 * round + 1 };
      note(await whileImporting({ server, thread }, filling), busy);
    }
  } finally {
    await thread.worker.terminate();
    await server.close();
  }
  const ratio = medianRatio(busy.p95, idle.p95);
  const figure = ({ p50, p95 }: Quantiles) => `${ms(median(p50))} / ${ms(median(p95))}`;
  return {
    letter: 'f',
    title: `${SEARCHES_PER_SECOND} searches a second while ${whole(sizes.documents)} documents of ${whole(CHARACTERS)} characters come in`,
    rows: [
      { what: 'idle: p50 / p95', figure: figure(idle) },
      { what: 'during the import: p50 / p95', figure: figure(busy) },
      {
        what: 'p95 during against idle',
        figure: times(ratio),
        target: `at most ${MOST_SLOWER}×`,
        met: ratio <= MOST_SLOWER,
      },
    ],
    notes: [
      `Each search is timed from the moment at which it was due. The rounds' p95 lie up to ${percent(Math.max(spread(idle.p95), spread(busy.p95)))} apart.`,
    ],
  };
};
