// npm run test:scale: several processes of both roles on one PostgreSQL, killed at random moments, and a crash of the
// database in the middle. Checks that nothing acknowledged is lost, doubled or stuck.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { type Chance, chanceOf } from '../adapters/store/contract/chance.ts';
import { onPostgres } from '../support/on-postgres.ts';
import { freePort, type PostgresServer, postgresIn } from '../support/postgres.ts';
import { type Fleet, startFleet } from './fleet.ts';
import { isGood, judge, type Verdict } from './judge.ts';
import { explainWaiting, miscounted, stillWaiting, storedDocuments } from './stored.ts';

export interface ScaleOptions {
  readonly kills: number;
  readonly crashes: number;
  readonly seed: number;
  readonly say: (line: string) => void;
}

export interface ScaleReport extends Verdict {
  readonly kills: number;
  readonly crashes: number;
  /** Calls that got no answer, or a 5xx: the client sent them again. */
  readonly repeated: number;
  /** From the last kill until nothing waited. */
  readonly drainedMs: number;
  /** Containers whose counts differ from what is there. */
  readonly miscounted: readonly number[];
  /** Processes that ended by themselves, or with a failure. */
  readonly badExits: number;
  /** Processes that were still ending 15 seconds after they were asked to: the machine is too busy. */
  readonly lateExits: number;
}

const CLIENTS = 6;
const CONTAINERS = 8;
const KILL_EVERY_MS = 700;
const WAIT_FOR_ANOTHER_MS = 100;
const DRAIN_MS = 300_000;
const ROLES = ['api', 'api', 'worker', 'worker', 'worker'] as const;

interface Load {
  readonly acknowledged: Map<string, string>;
  repeated: number;
  stopping: boolean;
}

const send = async (url: string, key: string, body: object): Promise<number> => {
  try {
    const response = await fetch(`${url}/v3/documents`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(20_000),
    });
    await response.arrayBuffer();
    return response.status;
  } catch {
    return 0;
  }
};

/** A client sends a document to any process until one acknowledges it. The customId makes the repetition harmless. */
const runClient = async (name: number, { fleet, load, key, chance }: Running): Promise<void> => {
  for (let n = 0; !load.stopping; n++) {
    const customId = `client-${name}-${n}`;
    const content = `Client ${name} noted number ${n}: the ferry of line ${chance.below(1000)} leaves from quay ${n}.`;
    const body = { content, customId, containerTag: `tag-${chance.below(CONTAINERS)}` };
    while (!load.stopping) {
      const url = chance.pick(fleet.urls());
      const status = url === undefined ? 0 : await send(url, key, body);
      if (status === 200) load.acknowledged.set(customId, content);
      if (status >= 200 && status < 500) break;
      load.repeated += 1;
      await sleep(50);
    }
    await sleep(chance.below(60));
  }
};

interface Running {
  readonly fleet: Fleet;
  readonly load: Load;
  readonly key: string;
  readonly chance: Chance;
}

const crashDatabase = async (database: PostgresServer, say: ScaleOptions['say']): Promise<void> => {
  say('The database crashes.');
  await database.crash();
  await sleep(1000);
  await database.start();
  say('The database is back.');
};

const killAll = async (
  { fleet, chance }: Running,
  database: PostgresServer,
  { kills, crashes, say }: ScaleOptions,
): Promise<void> => {
  const crashAt = new Set(
    Array.from({ length: crashes }, (_, at) => Math.ceil(((at + 1) * kills) / (crashes + 1))),
  );
  for (let done = 0; done < kills; ) {
    const killed = await fleet.killOne(chance);
    if (killed === null) {
      await sleep(WAIT_FOR_ANOTHER_MS);
      continue;
    }
    done += 1;
    if (done % 10 === 0) say(`${done} of ${kills} kills`);
    if (crashAt.delete(done)) await crashDatabase(database, say);
    await sleep(KILL_EVERY_MS);
  }
};

const drain = async (url: string, say: ScaleOptions['say']): Promise<number> => {
  const began = performance.now();
  while (performance.now() - began < DRAIN_MS && (await stillWaiting(url)) > 0) await sleep(100);
  if ((await stillWaiting(url)) > 0) say(`Still waiting: ${await explainWaiting(url)}`);
  return Math.round(performance.now() - began);
};

export const scaleTest = async (options: ScaleOptions): Promise<ScaleReport> => {
  const dir = mkdtempSync(join(tmpdir(), 'memoir-scale-'));
  const tables = mkdtempSync(join(tmpdir(), 'memoir-scale-postgres-'));
  const database = await postgresIn(tables, await freePort(), { keeping: true });
  await database.initialise();
  await database.start();
  const key = `sm_${'q7Zp4'.repeat(3)}x9Kd2Vb8`;
  const env = onPostgres(database.url);
  const fleet = await startFleet({ dir, key, env, roles: ROLES, say: options.say });
  try {
    const load: Load = { acknowledged: new Map(), repeated: 0, stopping: false };
    const running: Running = { fleet, load, key, chance: chanceOf(options.seed) };
    const clients = Array.from({ length: CLIENTS }, (_, name) => runClient(name, running));
    await killAll(running, database, options);
    load.stopping = true;
    await Promise.all(clients);
    await fleet.complete();
    const drainedMs = await drain(database.url, options.say);
    const verdict = judge(load.acknowledged, await storedDocuments(database.url));
    const wrong = await miscounted(database.url);
    const exits = await fleet.stop();
    options.say(`Ended with ${exits.join(', ')}`);
    const { kills, crashes } = options;
    return {
      ...verdict,
      ...{ kills, crashes, drainedMs, repeated: load.repeated, miscounted: wrong },
      badExits: exits.filter((code) => code !== 0 && code !== null).length,
      lateExits: exits.filter((code) => code === null).length,
    };
  } finally {
    await fleet.end();
    await database.stop();
    for (const folder of [dir, tables]) rmSync(folder, { recursive: true, force: true });
  }
};

export const isGoodReport = (report: ScaleReport): boolean =>
  isGood(report) && report.miscounted.length === 0 && report.badExits === 0 && report.acknowledged > 0;

if (import.meta.main) {
  const say = (line: string): void => void process.stdout.write(`${line}\n`);
  const { values } = parseArgs({
    options: {
      kills: { type: 'string', default: '100' },
      crashes: { type: 'string', default: '1' },
      seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    },
  });
  const [kills, crashes, seed] = [values.kills, values.crashes, values.seed].map(Number) as [
    number,
    number,
    number,
  ];
  say(`${kills} kills, ${crashes} crashes of the database, seed ${seed}`);
  const report = await scaleTest({ kills, crashes, seed, say });
  say(JSON.stringify(report, null, 2));
  // The package that brings PostgreSQL ends the process by itself otherwise, with 0.
  process.exit(isGoodReport(report) ? 0 : 1);
}
