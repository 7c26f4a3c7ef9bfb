// (k) Calls of one tag while another one does its worst, against the same calls while the other rests.
import { setTimeout as sleep } from 'node:timers/promises';
import { startThread } from '../../server/lib/threads/start-thread.ts';
import type { Sizes } from './options.ts';
import type { Row, Section } from './report.ts';
import type { AttackCommands } from './support/attacking-thread.ts';
import {
  ATTACKS,
  type Attack,
  type Attacker,
  FILTERED_DOCUMENTS,
  filteredMetadata,
} from './support/attacks.ts';
import { type Ask, asked, type Connection, connect, post } from './support/connection.ts';
import { CHARACTERS, fill, SEARCHED_ONLY } from './support/fill.ts';
import { paced } from './support/load.ts';
import { type Queue, type Server, startServer } from './support/memoir.ts';
import { LEAST_SAMPLES_OF_P99, ms, quantile, times, whole } from './support/numbers.ts';
import { questions, SEARCHED_TAG, type Stores, TAG_CHUNKS } from './support/stores.ts';
import { textOf } from './support/texts.ts';

/** More fill two cores without any attack, and then nothing but their queue is measured. */
const PER_SECOND = 15;
const CONNECTIONS = 8;
const REVOCATIONS_PER_SECOND = 2;
const MOST_SLOWER = 2;
const REVOKED_WITHIN_MS = 1000;
const ATTACKING_TAG = 'attacker';
/** Of the same tenant as the searched tag, which stays as it is, so that a search costs the same in every turn. */
const ADDED_TAG = 'added';
const PER_BATCH = 100;
const MEMORIES = 100;
const REST_MS = 500;
const POLL_MS = 20;
/** The bounds of the server: the attacker is not slowed by its own rate. */
const FASTEST = { rateLimitMax: 10_000, rateLimitTimeWindow: 1000 };

const CALLS = ['add', 'search', 'profile'] as const;
type Call = (typeof CALLS)[number];

const calls = (): Record<Call, () => Ask> => {
  const question = questions(11);
  let added = 2_000_000;
  return {
    add: () => post('/v3/documents', { content: textOf(added++, CHARACTERS), containerTag: ADDED_TAG }),
    search: () => post('/v4/search', { q: question(), containerTag: SEARCHED_TAG, threshold: 0 }),
    profile: () => post('/v4/profile', { containerTag: SEARCHED_TAG }),
  };
};

interface NewKey {
  id: string;
  key: string;
}

const createKey = async (connection: Connection, tag: string): Promise<NewKey> => {
  const asking = { name: 'bench', permission: 'write', containerTags: [tag], ...FASTEST };
  return JSON.parse(await asked(connection, post('/v3/auth/agent-key', asking))) as NewKey;
};

/** The time from the request that disables a key until a request with it gets 401. */
const revokeOnce = async (server: Server, owner: Connection): Promise<number> => {
  const { id, key } = await createKey(owner, SEARCHED_TAG);
  const other = connect(server.url, key);
  const session: Ask = { method: 'GET', path: '/v3/session' };
  try {
    await asked(other, session);
    const began = performance.now();
    await asked(owner, { method: 'DELETE', path: `/v3/auth/scoped-key/${id}` });
    while ((await other.ask(session)).status !== 401);
    return performance.now() - began;
  } finally {
    other.close();
  }
};

const revokeUntil = async (server: Server, over: () => boolean): Promise<number[]> => {
  const owner = connect(server.url, server.key);
  const measured: number[] = [];
  try {
    while (!over()) {
      measured.push(await revokeOnce(server, owner));
      await sleep(1000 / REVOCATIONS_PER_SECOND);
    }
    return measured;
  } finally {
    owner.close();
  }
};

type Measured = Record<Call | 'revoke', number[]>;

const nothingYet = (): Measured => ({ add: [], search: [], profile: [], revoke: [] });

/** All calls of the measured tag for this long. */
const measure = async (server: Server, seconds: number, into: Measured): Promise<void> => {
  const end = performance.now() + seconds * 1000;
  const over = () => performance.now() > end;
  const next = calls();
  const load = { perSecond: PER_SECOND, connections: CONNECTIONS, over };
  const [revoked, ...loads] = await Promise.all([
    revokeUntil(server, over),
    ...CALLS.map((call) => paced(server, { ...load, next: next[call] })),
  ]);
  into.revoke.push(...revoked);
  for (const [at, call] of CALLS.entries()) into[call].push(...(loads[at]?.latencies ?? []));
};

const isBusy = ({ unfinished, failed, outbox, unread }: Queue): boolean =>
  unfinished > failed || outbox > 0 || unread > 0;

/** Hostile files fail, as they should. */
const settled = async (server: Server): Promise<void> => {
  while (isBusy(server.queue())) await sleep(POLL_MS);
  await sleep(REST_MS);
};

const prepare = async (server: Server): Promise<Attacker> => {
  await fill(server, { from: 0, count: TAG_CHUNKS, tagOf: () => SEARCHED_TAG });
  const owner = connect(server.url, server.key);
  try {
    const memories = Array.from({ length: MEMORIES }, (_, at) => ({ content: `Mara ${textOf(at, 90)}` }));
    await asked(owner, post('/v4/memories', { containerTag: SEARCHED_TAG, memories }));
    for (let from = 0; from < FILTERED_DOCUMENTS; from += PER_BATCH) {
      const documents = Array.from({ length: PER_BATCH }, (_, at) => ({ content: `Note ${from + at}` }));
      const batch = { documents, containerTag: ATTACKING_TAG, metadata: filteredMetadata, ...SEARCHED_ONLY };
      await asked(owner, post('/v3/documents/batch', batch));
    }
    const { key } = await createKey(owner, ATTACKING_TAG);
    await settled(server);
    return { url: server.url, tag: ATTACKING_TAG, key };
  } finally {
    owner.close();
  }
};

const p99 = (sorted: Float64Array): string =>
  sorted.length < LEAST_SAMPLES_OF_P99 ? `${sorted.length} samples are too few` : ms(quantile(sorted, 0.99));

const sortedOf = (values: readonly number[]): Float64Array => Float64Array.from(values).sort();

const rowsOfCall = (attack: Attack, call: Call, alone: Measured, attacked: Measured): Row[] => {
  const [before, during] = [sortedOf(alone[call]), sortedOf(attacked[call])];
  const ratio = quantile(during, 0.99) / quantile(before, 0.99);
  const shown = (sorted: Float64Array) => `${ms(quantile(sorted, 0.5))} / ${p99(sorted)}`;
  const enough = Math.min(before.length, during.length) >= LEAST_SAMPLES_OF_P99;
  const verdict = enough ? { target: `at most ${MOST_SLOWER}×`, met: ratio <= MOST_SLOWER } : {};
  return [
    { what: `${attack}: ${call} alone: p50 / p99`, figure: shown(before) },
    { what: `${attack}: ${call} meanwhile: p50 / p99`, figure: shown(during) },
    { what: `${attack}: p99 of ${call}, meanwhile against alone`, figure: times(ratio), ...verdict },
  ];
};

const rowOfRevocation = (attack: Attack, { revoke }: Measured): Row => {
  const slowest = Math.max(...revoke);
  return {
    what: `${attack}: a disabled key is refused, slowest of ${revoke.length}`,
    figure: ms(slowest),
    target: `within ${ms(REVOKED_WITHIN_MS)}`,
    met: slowest <= REVOKED_WITHIN_MS,
  };
};

type AttackingThread = ReturnType<typeof startThread<AttackCommands>>;

const measureAttack = async (
  { server, attacker, thread }: { server: Server; attacker: Attacker; thread: AttackingThread },
  attack: Attack,
  { rounds, stallSeconds }: Sizes,
): Promise<Row[]> => {
  const [alone, attacked] = [nothingYet(), nothingYet()];
  const began = performance.now();
  await thread.call('prepare', attack);
  for (let round = 0; round < rounds; round += 1) {
    await measure(server, stallSeconds, alone);
    await thread.call('begin', attack, attacker);
    await measure(server, stallSeconds, attacked);
    await thread.call('end');
    await settled(server);
  }
  console.log(`  ${attack}: ${rounds} rounds in ${whole((performance.now() - began) / 1000)} s`);
  const rows = CALLS.flatMap((call) => rowsOfCall(attack, call, alone, attacked));
  return [...rows, rowOfRevocation(attack, attacked)];
};

export const stalls = async (sizes: Sizes, _stores: Stores, attacks = ''): Promise<Section> => {
  const server = await startServer();
  const file = new URL('./support/attacking-thread.ts', import.meta.url);
  const thread = startThread<AttackCommands>(file, {}, () => undefined);
  try {
    const attacker = await prepare(server);
    await measure(server, 2, nothingYet());
    const rows: Row[] = [];
    for (const attack of ATTACKS.filter((name) => name.startsWith(attacks)))
      rows.push(...(await measureAttack({ server, attacker, thread }, attack, sizes)));
    return {
      letter: 'k',
      title: 'Calls of one tag while another one does its worst',
      rows,
      notes: [
        `${PER_SECOND} adds, searches and profiles a second each, the adds to a tag beside the searched one, timed from the moment at which they were due, in turns of ${sizes.stallSeconds} s with and without the attack. The attacker has one key, because availability against many keys of one attacker is not promised; it shares the cores with the server.`,
        `A p99 is judged from ${whole(LEAST_SAMPLES_OF_P99)} samples on.`,
      ],
    };
  } finally {
    await thread.worker.terminate();
    await server.close();
  }
};
