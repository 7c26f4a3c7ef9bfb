// The common parts of the rows of `npm run test:scale`: a database of their own, a fleet of processes, and its end.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { onPostgres } from '../support/on-postgres.ts';
import { freePort, type PostgresServer, postgresIn } from '../support/postgres.ts';
import { type Fleet, type FleetOptions, startFleet } from './fleet.ts';
import { explainWaiting, stillWaiting } from './stored.ts';

export interface RowOptions {
  readonly kills: number;
  readonly crashes: number;
  /** The time for which the network is silent, and for which a transaction stays open. */
  readonly seconds: number;
  /** The documents of the tag that floods the queue. */
  readonly flood: number;
  readonly seed: number;
  readonly say: (line: string) => void;
}

/** A row of `npm run test:scale`. */
export interface RowResult {
  readonly good: boolean;
  readonly report: object;
}

export const KEY = `sm_${'q7Zp4'.repeat(3)}x9Kd2Vb8`;

export interface World {
  readonly database: PostgresServer;
  /** Starts processes, which end with the row. */
  start(options: Pick<FleetOptions, 'roles' | 'envAt'>): Promise<Fleet>;
}

export const inWorld = async <T>(
  { say }: Pick<RowOptions, 'say'>,
  row: (world: World) => Promise<T>,
): Promise<T> => {
  const dir = mkdtempSync(join(tmpdir(), 'memoir-scale-'));
  const tables = mkdtempSync(join(tmpdir(), 'memoir-scale-postgres-'));
  const database = await postgresIn(tables, await freePort(), { keeping: true });
  await database.initialise();
  await database.start();
  const fleets: Fleet[] = [];
  try {
    return await row({
      database,
      async start(options) {
        const fleet = await startFleet({ dir, key: KEY, env: onPostgres(database.url), say, ...options });
        fleets.push(fleet);
        return fleet;
      },
    });
  } finally {
    for (const fleet of fleets) await fleet.end();
    await database.stop();
    for (const folder of [dir, tables]) rmSync(folder, { recursive: true, force: true });
  }
};

const DRAIN_MS = 300_000;
const LOOK_MS = 100;

/** Until nothing waits, or for five minutes. Resolves with the time that it took. */
export const drain = async (url: string, say: RowOptions['say']): Promise<number> => {
  const began = performance.now();
  while (performance.now() - began < DRAIN_MS && (await stillWaiting(url)) > 0) await sleep(LOOK_MS);
  if ((await stillWaiting(url)) > 0) say(`Still waiting: ${await explainWaiting(url)}`);
  return Math.round(performance.now() - began);
};
