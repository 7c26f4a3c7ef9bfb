// (d) Resident memory of the server, without Chroma's process.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Sizes } from './options.ts';
import type { Section } from './report.ts';
import type { Ask } from './support/connection.ts';
import { closedLoop } from './support/load.ts';
import { startServer } from './support/memoir.ts';
import { ms, quantile, whole } from './support/numbers.ts';
import { childrenNamed, residentMb } from './support/process.ts';
import { questions, SEARCHED_TAG, type Stores } from './support/stores.ts';

const MOST_MB = 400;
const CALM_MS = 3000;
/** After this rest the server has returned all the memory that it can. */
const REST_MS = 15_000;

/** One tag, everything, everything under a filter, by words alone, whole documents. */
export const mixedSearches = (): (() => Ask) => {
  const question = questions(99);
  const kinds: readonly [string, object][] = [
    ['/v4/search', { containerTag: SEARCHED_TAG, searchMode: 'hybrid', threshold: 0 }],
    ['/v4/search', { searchMode: 'hybrid', threshold: 0 }],
    ['/v4/search', { searchMode: 'documents', filters: { AND: [{ key: 'half', value: 'even' }] } }],
    ['/v4/search', { containerTag: 'tag_1', searchMode: 'keyword', threshold: 0 }],
    ['/v3/search', { containerTag: SEARCHED_TAG, onlyMatchingChunks: false, includeFullDocs: true }],
    ['/v4/search', { searchMode: 'semantic', threshold: 0 }],
  ];
  let at = 0;
  return () => {
    const [path, fields] = kinds[at++ % kinds.length] ?? ['/v4/search', {}];
    return { method: 'POST', path, body: JSON.stringify({ q: question(), ...fields }) };
  };
};

const chromaMb = (pid: number): number =>
  childrenNamed(pid, 'chroma').reduce((sum, child) => sum + residentMb(child), 0);

const idleEmpty = async (): Promise<number> => {
  const server = await startServer();
  try {
    await sleep(CALM_MS);
    return residentMb(server.pid);
  } finally {
    await server.close();
  }
};

const target = (mb: number) => ({ target: `under ${MOST_MB} MB`, met: mb < MOST_MB });
const shown = (mb: number): string => `${whole(mb)} MB`;

export const memory = async (sizes: Sizes, stores: Stores): Promise<Section> => {
  const idle = await idleEmpty();
  const { server, chunks, filledMb } = await stores.largest();
  await sleep(REST_MS);
  const afterFilling = residentMb(server.pid);
  await server.stop();
  await server.start();
  await sleep(CALM_MS);
  const restarted = residentMb(server.pid);
  const load = { connections: 2, seconds: sizes.mixedSeconds, next: mixedSearches() };
  const { rate, latencies } = await closedLoop(server, load);
  const searched = residentMb(server.pid);
  await sleep(REST_MS);
  const afterSearching = residentMb(server.pid);
  const size = whole(chunks);
  return {
    letter: 'd',
    title: 'Resident memory of the server process',
    rows: [
      { what: 'idle, empty', figure: shown(idle), ...target(idle) },
      { what: `when the last of ${size} chunks was in`, figure: shown(filledMb) },
      {
        what: `${size} chunks, at rest after they went in`,
        figure: shown(afterFilling),
        ...target(afterFilling),
      },
      { what: `${size} chunks, idle after a restart`, figure: shown(restarted), ...target(restarted) },
      { what: `at the end of ${sizes.mixedSeconds} s of mixed searches`, figure: shown(searched) },
      {
        what: `${size} chunks, at rest after those searches`,
        figure: shown(afterSearching),
        ...target(afterSearching),
      },
      { what: `Chroma's own process with ${size} vectors`, figure: shown(chromaMb(server.pid)) },
    ],
    notes: [
      `Mixed: one tag, everything, filters, words alone, meaning alone, whole documents; ${rate.toFixed(0)} searches/s, p50 ${ms(quantile(latencies, 0.5))}, p95 ${ms(quantile(latencies, 0.95))}.`,
    ],
  };
};
