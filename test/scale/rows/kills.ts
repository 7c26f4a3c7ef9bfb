// Processes of both roles are killed at random moments, and the database crashes in the middle: nothing that was acknowledged is
// lost, doubled or stuck.
import { setTimeout as sleep } from 'node:timers/promises';
import { type Chance, chanceOf } from '../../adapters/store/contract/chance.ts';
import type { PostgresServer } from '../../support/postgres.ts';
import { startLoad } from '../clients.ts';
import type { Fleet } from '../fleet.ts';
import { isGood, judge, type Verdict } from '../judge.ts';
import { drain, inWorld, KEY, type RowOptions, type RowResult, type World } from '../row.ts';
import { miscounted, storedDocuments } from '../stored.ts';

interface KillsReport extends Verdict {
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
const ROLES = ['api', 'api', 'worker', 'worker', 'worker'] as const;

const crashDatabase = async (database: PostgresServer, say: RowOptions['say']): Promise<void> => {
  say('The database crashes.');
  await database.crash();
  await sleep(1000);
  await database.start();
  say('The database is back.');
};

interface Running {
  readonly fleet: Fleet;
  readonly database: PostgresServer;
  readonly chance: Chance;
}

const killAll = async (
  { fleet, database, chance }: Running,
  { kills, crashes, say }: RowOptions,
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

const isGoodReport = (report: KillsReport): boolean =>
  isGood(report) && report.miscounted.length === 0 && report.badExits === 0 && report.acknowledged > 0;

const killUnderLoad = async ({ database, start }: World, options: RowOptions): Promise<KillsReport> => {
  const { kills, crashes, seed, say } = options;
  const fleet = await start({ roles: ROLES });
  const load = startLoad({
    ...{ clients: CLIENTS, containers: CONTAINERS, key: KEY, seed },
    to: (_client, chance) => chance.pick(fleet.urls()),
  });
  await killAll({ fleet, database, chance: chanceOf(seed + 1) }, options);
  await load.stop();
  await fleet.complete();
  const drainedMs = await drain(database.url, say);
  const verdict = judge(load.acknowledged, await storedDocuments(database.url));
  const wrong = await miscounted(database.url);
  const exits = await fleet.stop();
  say(`Ended with ${exits.join(', ')}`);
  return {
    ...verdict,
    ...{ kills, crashes, drainedMs, repeated: load.repeated(), miscounted: wrong },
    badExits: exits.filter((code) => code !== 0 && code !== null).length,
    lateExits: exits.filter((code) => code === null).length,
  };
};

export const killsRow = async (options: RowOptions): Promise<RowResult> => {
  const report = await inWorld(options, (world) => killUnderLoad(world, options));
  return { good: isGoodReport(report), report };
};
