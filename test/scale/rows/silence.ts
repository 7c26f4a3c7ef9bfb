// The network between the database and one process of each role goes silent: no call waits for longer than five seconds, the other
// processes go on, and nothing is lost, doubled or left open when packets arrive again.
import { setTimeout as sleep } from 'node:timers/promises';
import { onPostgres } from '../../support/on-postgres.ts';
import { startSilentNetwork } from '../../support/silent-network.ts';
import { until } from '../../support/until.ts';
import { type CallOutcome, startLoad } from '../clients.ts';
import { isGood, judge } from '../judge.ts';
import { drain, inWorld, KEY, type RowOptions, type RowResult, type World } from '../row.ts';
import { miscounted, openSessions, storedDocuments } from '../stored.ts';

const ROLES = ['api', 'api', 'worker', 'worker'] as const;
/** The places of those that are cut off. */
const CUT = [0, 2];
const CLIENTS = 6;
const CONTAINERS = 8;
const BEFORE_MS = 5_000;
const LONGEST_MS = 5_000;
/** Of a process: the default of MEMOIR_DATABASE_CONNECTIONS, and three. */
const MOST_SESSIONS = 19;

const longestWait = (outcomes: readonly CallOutcome[]): number =>
  Math.round(Math.max(0, ...outcomes.map(({ ms }) => ms)));

const countStatuses = (outcomes: readonly CallOutcome[]): Record<string, number> =>
  Object.fromEntries(
    [...Map.groupBy(outcomes, ({ status }) => status)].map(([status, all]) => [status, all.length]),
  );

const addInSilence = async (
  { database, start }: World,
  { seconds, seed, say }: RowOptions,
): Promise<RowResult> => {
  const network = await startSilentNetwork(database.url);
  const fleet = await start({
    roles: ROLES,
    envAt: (at) => (CUT.includes(at) ? onPostgres(network.url) : {}),
  });
  const [cut = '', other = ''] = fleet.urls();
  const outcomes: CallOutcome[] = [];
  const load = startLoad({
    ...{ clients: CLIENTS, containers: CONTAINERS, key: KEY, seed },
    to: (client) => (client % 2 === 0 ? cut : other),
    told: (outcome) => outcomes.push(outcome),
  });
  await sleep(BEFORE_MS);
  network.silence();
  say('The network is silent.');
  const before = outcomes.length;
  await sleep(seconds * 1000);
  const during = outcomes.slice(before);
  network.heal();
  say('The network is back.');
  const healed = outcomes.length;
  const answersAgain = () => outcomes.slice(healed).some(({ url, status }) => url === cut && status === 200);
  const healedMs = Math.round(await until('an answer of the process that was cut off', answersAgain));
  await load.stop();
  const drainedMs = await drain(database.url, say);
  const verdict = judge(load.acknowledged, await storedDocuments(database.url));
  const open = await openSessions(database.url);
  const wrong = await miscounted(database.url);
  const exits = await fleet.stop();
  await network.close();
  const of = (url: string): CallOutcome[] => during.filter((outcome) => outcome.url === url);
  const report = {
    seconds,
    cutOff: { longestMs: longestWait(of(cut)), statuses: countStatuses(of(cut)) },
    others: { longestMs: longestWait(of(other)), statuses: countStatuses(of(other)) },
    ...{ healedMs, drainedMs, sessions: open, miscounted: wrong, exits, ...verdict },
  };
  const good =
    isGood(verdict) &&
    report.cutOff.longestMs <= LONGEST_MS &&
    of(cut).some(({ status }) => status === 503) &&
    of(other).every(({ status }) => status === 200) &&
    open <= ROLES.length * MOST_SESSIONS &&
    wrong.length === 0 &&
    exits.every((code) => code === 0 || code === null);
  return { good, report };
};

export const silenceRow = (options: RowOptions): Promise<RowResult> =>
  inWorld(options, (world) => addInSilence(world, options));
