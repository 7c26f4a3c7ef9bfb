// A transaction stays open while documents are added: the 95th percentile of the time until one is done stays below three
// times that without the transaction.
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { startLoad } from '../clients.ts';
import { isGood, judge } from '../judge.ts';
import { drain, inWorld, KEY, type RowOptions, type RowResult, type World } from '../row.ts';
import { slowestTimes, storedDocuments } from '../stored.ts';

const CLIENTS = 6;
const CONTAINERS = 8;
const TIMES = 3;
/** The part of the time without the transaction. */
const WITHOUT = 1 / 3;

const addBesideTransaction = async (
  { database, start }: World,
  { seconds, seed, say }: RowOptions,
): Promise<RowResult> => {
  const fleet = await start({ roles: ['all'] });
  const load = startLoad({
    ...{ clients: CLIENTS, containers: CONTAINERS, key: KEY, seed },
    to: () => fleet.urls()[0],
  });
  const clock = async () => (await report.query('select clock_timestamp() as now')).rows[0]?.now as Date;
  const report = new pg.Client({ connectionString: database.url });
  await report.connect();
  const began = await clock();
  await sleep(seconds * WITHOUT * 1000);
  const held = await clock();
  await report.query('begin isolation level repeatable read; select count(*) from documents');
  say('A transaction is open.');
  await sleep(seconds * 1000);
  await report.query('commit');
  const ended = await clock();
  await load.stop();
  await drain(database.url, say);
  const [without, within] = await slowestTimes(database.url, [began, held, ended]);
  const verdict = judge(load.acknowledged, await storedDocuments(database.url));
  await report.end();
  const exits = await fleet.stop();
  const good = isGood(verdict) && within !== undefined && without !== undefined && within <= TIMES * without;
  return { good, report: { seconds, p95WithoutMs: without, p95HeldMs: within, exits, ...verdict } };
};

export const heldRow = (options: RowOptions): Promise<RowResult> =>
  inWorld(options, (world) => addBesideTransaction(world, options));
