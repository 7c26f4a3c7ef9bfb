// `node test/scale/throughput.ts`: fleets of processes in turns on one PostgreSQL under the same load, as ratios of pairs.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { type Ask, type Connection, connect } from '../bench/support/connection.ts';
import { SEARCHED_ONLY } from '../bench/support/fill.ts';
import { median } from '../bench/support/numbers.ts';
import { textOf } from '../bench/support/texts.ts';
import { onPostgres } from '../support/on-postgres.ts';
import { startPostgres } from '../support/postgres.ts';
import { type FleetRole, startFleet } from './fleet.ts';
import { stillWaiting } from './stored.ts';

const CONNECTIONS = 16;
const CHARACTERS = 300;
const WARM_UP = 100;
const LOOK_MS = 20;

interface Rates {
  /** Acknowledged documents a second, while they were sent. */
  readonly adds: number;
  /** Documents a second, from the first add until none waits. */
  readonly done: number;
}

interface Sent {
  readonly urls: readonly string[];
  readonly key: string;
  readonly from: number;
  readonly count: number;
  readonly tags: number;
}

const ask = (number: number, tags: number): Ask => ({
  method: 'POST',
  path: '/v3/documents',
  body: JSON.stringify({
    content: textOf(number, CHARACTERS),
    containerTag: `person_${number % tags}`,
    ...SEARCHED_ONLY,
  }),
});

/** A process that is overloaded asks its clients to come again; only what was stored counts. */
const BUSY = 503;
const AGAIN_MS = 100;

const sendUntilStored = async (connection: Connection, document: Ask): Promise<void> => {
  for (;;) {
    const { status, body } = await connection.ask(document);
    if (status >= 200 && status < 300) return;
    if (status !== BUSY) throw new Error(`An add was answered ${status}: ${body.slice(0, 300)}`);
    await sleep(AGAIN_MS);
  }
};

/** Each connection sends its next document after an answer; the connections are spread over the processes. */
const sendAll = async ({ urls, key, from, count, tags }: Sent): Promise<void> => {
  let next = from;
  const connections = Array.from({ length: CONNECTIONS }, (_, at) =>
    connect(urls[at % urls.length] ?? '', key),
  );
  await Promise.all(
    connections.map(async (connection) => {
      while (next < from + count) {
        const number = next;
        next += 1;
        await sendUntilStored(connection, ask(number, tags));
      }
    }),
  );
  for (const connection of connections) connection.close();
};

const settled = async (database: string): Promise<void> => {
  while ((await stillWaiting(database)) > 0) await sleep(LOOK_MS);
};

interface Measured {
  readonly database: string;
  readonly roles: readonly FleetRole[];
  readonly documents: number;
  readonly tags: number;
  readonly dir: string;
}

const measure = async ({ database, roles, documents, tags, dir }: Measured): Promise<Rates> => {
  const key = `sm_${'q7Zp4'.repeat(3)}x9Kd2Vb8`;
  const say = (line: string): void => void process.stderr.write(`${line}\n`);
  const fleet = await startFleet({ dir, key, env: onPostgres(database), roles, say });
  try {
    const sent = { urls: fleet.urls(), key, tags };
    await sendAll({ ...sent, from: 0, count: WARM_UP });
    await settled(database);
    const began = performance.now();
    await sendAll({ ...sent, from: WARM_UP, count: documents });
    const added = performance.now();
    await settled(database);
    const ended = performance.now();
    return {
      adds: (documents * 1000) / (added - began),
      done: (documents * 1000) / (ended - began),
    };
  } finally {
    await fleet.stop();
    await fleet.end();
  }
};

const SEVERAL: readonly FleetRole[] = ['api', 'api', 'worker', 'worker'];
const ONE: readonly FleetRole[] = ['all'];

interface Pair {
  readonly several: Rates;
  readonly one: Rates;
}

/** The one that comes first takes turns. */
const measurePair = async (
  at: number,
  measureFleet: (roles: typeof ONE) => Promise<Rates>,
): Promise<Pair> => {
  if (at % 2 === 0) {
    const several = await measureFleet(SEVERAL);
    return { several, one: await measureFleet(ONE) };
  }
  const one = await measureFleet(ONE);
  return { one, several: await measureFleet(SEVERAL) };
};

export const comparePairsOfFleets = async (
  { pairs, documents, tags }: { pairs: number; documents: number; tags: number },
  say: (line: string) => void = () => undefined,
): Promise<Pair[]> => {
  const postgres = await startPostgres(null);
  if ('missing' in postgres) throw new Error(`No PostgreSQL could be started: ${postgres.missing}`);
  const dir = mkdtempSync(join(tmpdir(), 'memoir-throughput-'));
  const measured: Pair[] = [];
  const show = ({ adds, done }: Rates): string => `${Math.round(adds)} adds/s, ${Math.round(done)} done/s`;
  try {
    for (let at = 0; at < pairs; at++) {
      const pair = await measurePair(at, async (roles) =>
        measure({ database: await postgres.take(), roles, documents, tags, dir }),
      );
      measured.push(pair);
      const { several, one } = pair;
      say(`two and two ${show(several)}; one ${show(one)}; ratio ${(several.done / one.done).toFixed(2)}`);
    }
    return measured;
  } finally {
    await postgres.stop();
    rmSync(dir, { recursive: true, force: true });
  }
};

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      pairs: { type: 'string', default: '7' },
      documents: { type: 'string', default: '2000' },
      tags: { type: 'string', default: '50' },
    },
  });
  const sizes = {
    pairs: Number(values.pairs),
    documents: Number(values.documents),
    tags: Number(values.tags),
  };
  const say = (line: string): void => void process.stdout.write(`${line}\n`);
  const pairs = await comparePairsOfFleets(sizes, say);
  const ratio = (rate: keyof Rates) => median(pairs.map(({ several, one }) => several[rate] / one[rate]));
  say(`Median of ${pairs.length} pairs: done ${ratio('done').toFixed(2)}, adds ${ratio('adds').toFixed(2)}`);
  // The package that brings PostgreSQL ends the process by itself otherwise, with 0.
  process.exit(0);
}
