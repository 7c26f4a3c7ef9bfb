// (b) Documents to `done` and to Chroma, against sending the same vectors to Chroma and nothing else.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Sizes } from './options.ts';
import type { Row, Section } from './report.ts';
import { CHARACTERS, fill } from './support/fill.ts';
import { type Queue, type Server, startServer } from './support/memoir.ts';
import { median, medianRatio, percent, spread, times, whole } from './support/numbers.ts';
import { startRawChroma, type TaggedVector, vectorsIn } from './support/raw-chroma.ts';

const ROUNDS = 3;
const TAGS = 100;
const WANTED_SHARE = 0.5;
const POLL_MS = 10;
const LIMIT_MS = 600_000;

interface Speeds {
  done: number[];
  drained: number[];
  /** Raw, with Chroma's own client, as the comparison. */
  raw: number[];
  /** Raw, with the requests that Memoir makes. */
  rawRequests: number[];
}

const untilZero = async (server: Server, what: keyof Queue): Promise<void> => {
  const end = performance.now() + LIMIT_MS;
  while (server.queue()[what] > 0) {
    if (performance.now() > end) throw new Error(`Not done after ${LIMIT_MS} ms.`);
    await sleep(POLL_MS);
  }
};

const ingestOnce = async (count: number, tags: number, speeds: Speeds): Promise<void> => {
  const server = await startServer();
  try {
    const start = performance.now();
    const perSecond = () => (count * 1000) / (performance.now() - start);
    await fill(server, { from: 0, count, tagOf: (number) => `tag_${number % tags}` });
    await untilZero(server, 'unfinished');
    speeds.done.push(perSecond());
    await untilZero(server, 'outbox');
    speeds.drained.push(perSecond());
    const vectors = vectorsIn(server.dir);
    speeds.raw.push(await rawSpeed(vectors, 'upsertWithClient'));
    speeds.rawRequests.push(await rawSpeed(vectors, 'upsert'));
  } finally {
    await server.close();
  }
};

const rawSpeed = async (
  vectors: readonly TaggedVector[],
  way: 'upsert' | 'upsertWithClient',
): Promise<number> => {
  const chroma = await startRawChroma();
  try {
    const start = performance.now();
    await chroma[way](vectors);
    return (vectors.length * 1000) / (performance.now() - start);
  } finally {
    await chroma.close();
  }
};

const rowsOf = (name: string, { done, drained, raw, rawRequests }: Speeds): Row[] => {
  const share = (what: string, speeds: readonly number[]): Row => {
    const ratio = medianRatio(speeds, raw);
    const target = `at least ${times(WANTED_SHARE)} of raw upserts`;
    return {
      what: `${what}, ${name}, share of raw`,
      figure: times(ratio),
      target,
      met: ratio >= WANTED_SHARE,
    };
  };
  return [
    { what: `documents/s to done, ${name}`, figure: whole(median(done)) },
    { what: `documents/s to done and in Chroma, ${name}`, figure: whole(median(drained)) },
    { what: `raw upserts/s of the same vectors with Chroma's client, ${name}`, figure: whole(median(raw)) },
    { what: `the same with Memoir's own requests, ${name}`, figure: whole(median(rawRequests)) },
    share('to done', done),
    share('in Chroma', drained),
  ];
};

interface Remembering {
  done: number[];
  read: number[];
}

/** The usual kind of documents: memories are drawn from them, each with a vector of its own. */
const rememberOnce = async (count: number, { done, read }: Remembering): Promise<void> => {
  const server = await startServer();
  try {
    const start = performance.now();
    const perSecond = () => (count * 1000) / (performance.now() - start);
    await fill(server, { from: 0, count, tagOf: (number) => `tag_${number % TAGS}`, remembered: true });
    await untilZero(server, 'unfinished');
    done.push(perSecond());
    await server.settled();
    read.push(perSecond());
  } finally {
    await server.close();
  }
};

const rememberRows = ({ done, read }: Remembering): Row[] => [
  { what: 'with memories: documents/s to done', figure: whole(median(done)) },
  { what: 'with memories: documents/s to read, their memories in Chroma too', figure: whole(median(read)) },
];

export const ingest = async (sizes: Sizes): Promise<Section> => {
  const kinds = [
    { name: 'one tag', tags: 1 },
    { name: `${TAGS} tags`, tags: TAGS },
  ].map((kind) => ({ ...kind, speeds: { done: [], drained: [], raw: [], rawRequests: [] } as Speeds }));
  const remembering: Remembering = { done: [], read: [] };
  for (let round = 0; round < Math.min(ROUNDS, sizes.rounds); round += 1) {
    for (const { tags, speeds } of kinds) await ingestOnce(sizes.documents, tags, speeds);
    await rememberOnce(sizes.remembered, remembering);
  }
  const widest = Math.max(...kinds.flatMap(({ speeds }) => Object.values(speeds).map(spread)));
  return {
    letter: 'b',
    title: `${whole(sizes.documents)} documents of ${whole(CHARACTERS)} characters, from the first request on`,
    rows: [...kinds.flatMap(({ name, speeds }) => rowsOf(name, speeds)), ...rememberRows(remembering)],
    notes: [
      `Raw: batches of 300, one after the other, to a Chroma that does nothing else. With memories: ${whole(sizes.remembered)} documents in ${TAGS} tags, read without a model. The rounds lie up to ${percent(widest)} apart.`,
    ],
  };
};
