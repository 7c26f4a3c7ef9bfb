// (h) Searching one large container, against a plain full-text query of SQLite for the same words in the same texts.
import type { Sizes } from './options.ts';
import type { Row, Section } from './report.ts';
import { asked, type Connection, connect } from './support/connection.ts';
import { CHARACTERS, fill } from './support/fill.ts';
import { type Server, startServer } from './support/memoir.ts';
import { median, medianRatio, ms, percent, quantile, spread, times, whole } from './support/numbers.ts';
import { openPlainFts, type PlainFts } from './support/plain-fts.ts';
import { questionAbout, randomFrom, textOf } from './support/texts.ts';

const TAG = 'large';
const WARM_UP = 20;
/** The allowed cost of a search beyond the plain query: more in a small container, where the request itself counts. */
const MOST = { small: 4, large: 3 };
/** A container is large from this number of chunks on. */
const LARGE = 50_000;

interface Candidate {
  name: string;
  /** Milliseconds of one question. */
  ask: (question: string) => number | Promise<number>;
  /** All candidates get the same questions. */
  questions: () => string;
  p50: number[];
  p95: number[];
}

const candidate = (name: string, chunks: number, ask: Candidate['ask']): Candidate => {
  const random = randomFrom(chunks);
  const questions = () => questionAbout(Math.floor(random() * chunks), CHARACTERS, random);
  return { name, ask, questions, p50: [], p95: [] };
};

const measure = async ({ ask, questions, p50, p95 }: Candidate, count: number): Promise<void> => {
  for (let at = 0; at < WARM_UP; at++) await ask(questions());
  const latencies: number[] = [];
  for (let at = 0; at < count; at++) latencies.push(await ask(questions()));
  latencies.sort((a, b) => a - b);
  p50.push(quantile(latencies, 0.5));
  p95.push(quantile(latencies, 0.95));
};

const searching =
  (connection: Connection, searchMode: string): Candidate['ask'] =>
  async (q) => {
    const body = JSON.stringify({ q, containerTag: TAG, searchMode, threshold: 0, limit: 10 });
    const began = performance.now();
    await asked(connection, { method: 'POST', path: '/v4/search', body });
    return performance.now() - began;
  };

const texts = function* (chunks: number): Generator<string> {
  for (let number = 0; number < chunks; number++) yield textOf(number, CHARACTERS);
};

const rounds = async (server: Server, plain: PlainFts, chunks: number, sizes: Sizes): Promise<Row[]> => {
  const connection = connect(server.url, server.key);
  const ours = candidate('Memoir, hybrid', chunks, searching(connection, 'hybrid'));
  const byWords = candidate('Memoir, keyword', chunks, searching(connection, 'keyword'));
  const theirs = candidate('plain FTS5 query', chunks, plain.ask);
  const all = [ours, byWords, theirs];
  try {
    for (let round = 0; round < sizes.rounds; round++)
      for (const each of all) await measure(each, sizes.searches);
  } finally {
    connection.close();
  }
  const ratio = medianRatio(ours.p50, theirs.p50);
  const most = chunks < LARGE ? MOST.small : MOST.large;
  return [
    ...all.map(({ name, p50, p95 }) => ({
      what: `${name}, ${whole(chunks)} chunks: p50 / p95`,
      figure: `${ms(median(p50))} / ${ms(median(p95))} (rounds ${percent(spread(p50))} apart)`,
    })),
    {
      what: `hybrid against the plain query, ${whole(chunks)} chunks`,
      figure: times(ratio),
      target: `at most ${times(most)}`,
      met: ratio <= most,
    },
  ];
};

const inContainerOf = async (chunks: number, sizes: Sizes): Promise<Row[]> => {
  const server = await startServer();
  const plain = openPlainFts(texts(chunks));
  try {
    await fill(server, { from: 0, count: chunks, tagOf: () => TAG });
    await server.settled();
    return await rounds(server, plain, chunks, sizes);
  } finally {
    plain.close();
    await server.close();
  }
};

export const container = async (sizes: Sizes): Promise<Section> => {
  const rows: Row[] = [];
  for (const chunks of sizes.containers) rows.push(...(await inContainerOf(chunks, sizes)));
  const note =
    'A search of Memoir is a whole request over HTTP: words and meaning, ten results with their texts. ' +
    'The plain query runs inside the bench: the words joined by OR, the ten best by bm25() with their texts.';
  return { letter: 'h', title: 'A search in one large container', rows, notes: [note] };
};
