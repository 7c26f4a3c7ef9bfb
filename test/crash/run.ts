// npm run test:crash: kills the server at random moments, again and again, and checks that no data is lost.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { type Chance, chanceOf } from '../adapters/store/contract/chance.ts';
import { newDataFolder } from '../support/data-folder.ts';
import { checkAccounts, settle, underWay } from './accounts.ts';
import { apiAt } from './api.ts';
import { type Checked, check } from './checks.ts';
import { type Client, createClient } from './clients.ts';
import { checkErased, checkFiles, checkScrubbed } from './erased.ts';
import { checkIndex } from './index-check.ts';
import { type Models, openModels, servingModel } from './reindex.ts';
import { type Folder, type Server, start } from './server.ts';
import { isForgotten } from './stories.ts';
import { checkOriginals, isReceiving } from './uploads.ts';
import type { Deed } from './work.ts';

export interface CrashOptions {
  rounds: number;
  seed: number;
  say: (line: string) => void;
}

export interface CrashReport {
  rounds: number;
  kills: number;
  /** Answered calls. */
  calls: number;
  /** At the last check, as the vectors below. */
  documents: number;
  memories: number;
  /** Kills during the memory step, erasing, a merge, a reindex, a retry, or an upload. */
  interrupted: {
    remembering: number;
    erasing: number;
    merging: number;
    reindexing: number;
    retrying: number;
    receiving: number;
  };
  /** Completed changes of the embedding model, memories that were forgotten, and documents that ran again on request. */
  reindexed: number;
  forgotten: number;
  retried: number;
  vectors: number;
  /** The number of times that the index had lost vectors and was filled again from SQL. */
  rebuilt: number;
  seconds: number;
}

const CLIENTS = 6;
const LONGEST_LOAD_MS = 1500;
const LONGEST_START_MS = 1200;
/** The last check of a folder searches for everything. */
const SEARCHES_PER_ROUND = 60;
/** After so many rounds the folder is checked to the end, and a new one is begun, so that no round takes long. */
const ROUNDS_PER_FOLDER = 25;
/** One round of so many in a folder starts with another embedding model, and embeds everything anew. */
const ROUNDS_PER_MODEL = 8;

/** In one round of so many the embedding model is at fault for a while. */
const ROUNDS_PER_FAULT = 4;
const LONGEST_FAULT_MS = 800;

const storiesOf = (clients: readonly Client[]) => clients.flatMap((client) => client.stories);

interface Test {
  folder: Folder;
  chance: Chance;
  clients: Client[];
  models: Models;
  seed: number;
  report: CrashReport;
  /** The running processes, so that a failure leaves none behind. */
  running: Pick<Server, 'kill'> | null;
  /** The embedding model that served at the last check. */
  model: string | null;
  /** The milliseconds of each part of the present round. */
  spent: Map<string, number>;
}

/** Does a part of a round and adds its time. */
const timed = async <T>({ spent }: Test, part: string, work: () => T | Promise<T>): Promise<T> => {
  const began = performance.now();
  try {
    return await work();
  } finally {
    spent.set(part, (spent.get(part) ?? 0) + Math.round(performance.now() - began));
  }
};

/** A server that is killed before it is ready, or just after. */
const stumble = async (test: Test): Promise<void> => {
  const { folder, chance, report } = test;
  const starting = start(folder);
  test.running = starting;
  await sleep(chance.below(LONGEST_START_MS));
  await starting.kill(chance.below(2) === 0);
  report.kills += 1;
};

const open = (test: Test): Promise<Server> => {
  const starting = start(test.folder);
  test.running = starting;
  return starting.ready;
};

/** A moment in the middle of the work that an action started, if there is such an action. */
const SOON_MS = 80;
const MOMENTS: readonly (Deed | null)[] = [
  null,
  null,
  'telling',
  'forgetting',
  'merge',
  'merge',
  'deletion of a tag',
  'retry',
];

const load = async (test: Test, server: Server, round: number): Promise<void> => {
  const { chance, clients, folder, seed, report, models } = test;
  const ask = apiAt(server.url, folder.key);
  const moment = chance.pick(MOMENTS);
  const soonMs = chance.below(SOON_MS);
  const longestMs = 20 + chance.below(LONGEST_LOAD_MS);
  const begun = Promise.withResolvers<void>();
  const heard = (deed: Deed) => deed === moment && begun.resolve();
  const running = Promise.all(
    clients.map((client, at) => client.run(ask, seed * 7919 + round * 101 + at, heard)),
  );
  await models.reindex(ask);
  const refused = chance.below(ROUNDS_PER_FAULT) === 0 ? models.refuse(chance.below(LONGEST_FAULT_MS)) : null;
  const midst = begun.promise.then(() => sleep(soonMs));
  await Promise.race([running, midst, sleep(longestMs)]);
  await server.kill(chance.below(2) === 0);
  report.kills += 1;
  await Promise.all([running, refused]);
  const cut = underWay(folder);
  for (const work of ['remembering', 'erasing', 'merging', 'reindexing', 'retrying'] as const)
    if (cut[work] > 0) report.interrupted[work] += 1;
  if (isReceiving(folder)) report.interrupted.receiving += 1;
};

const verify = async (test: Test, server: Server, searches: number): Promise<Checked> => {
  const { folder, clients, chance, report } = test;
  const ask = apiAt(server.url, folder.key);
  await timed(test, 'settle', () => settle(folder, (work, ms) => test.spent.set(`until ${work}`, ms)));
  const checked = await timed(test, 'check', () => check(ask, clients, { searches, chance }));
  await timed(test, 'accounts', async () => {
    checkAccounts(folder);
    checkErased(folder, storiesOf(clients));
    await checkOriginals(folder, storiesOf(clients));
  });
  const agreement = await timed(test, 'index', () => checkIndex(server, folder));
  report.documents = checked.documents;
  report.memories = checked.memories;
  report.vectors = agreement.vectors;
  if (agreement.rebuilt) report.rebuilt += 1;
  const model = servingModel(folder);
  if (test.model !== null && model !== test.model) report.reindexed += 1;
  test.model = model;
  return checked;
};

const round = async (test: Test, number: number, inFolder: number): Promise<string> => {
  const began = performance.now();
  test.spent = new Map();
  if (inFolder % ROUNDS_PER_MODEL === 2) test.models.change();
  const server = await timed(test, 'start', () => open(test));
  const { documents, memories, searched } = await verify(test, server, SEARCHES_PER_ROUND);
  const vectors = test.report.vectors;
  await timed(test, 'load', () => load(test, server, number));
  for (let more = test.chance.below(5); more > 2; more--) await timed(test, 'stumble', () => stumble(test));
  const ms = Math.round(performance.now() - began);
  const held = `${documents} documents, ${memories} memories, ${vectors} vectors`;
  const parts = [...test.spent].map(([part, each]) => `${part} ${each}`).join(', ');
  return `round ${number}: ${held}, ${searched} searched for, ${ms} ms (${parts})`;
};

const last = async (test: Test): Promise<void> => {
  const server = await open(test);
  await verify(test, server, Number.POSITIVE_INFINITY);
  await checkScrubbed(test.folder, storiesOf(test.clients));
  const code = await server.stop();
  if (code !== 0) throw new Error(`Asked to stop, the server ended with ${code}`);
  checkFiles(test.folder, storiesOf(test.clients));
};

const emptyReport = (rounds: number): CrashReport => ({
  ...{ rounds, kills: 0, calls: 0, documents: 0, memories: 0 },
  interrupted: { remembering: 0, erasing: 0, merging: 0, reindexing: 0, retrying: 0, receiving: 0 },
  ...{ reindexed: 0, forgotten: 0, retried: 0, vectors: 0, rebuilt: 0, seconds: 0 },
});

const newFolder = (compiled: string): Folder => {
  const root = newDataFolder('crash');
  const key = 'sm_crash_3ugBhZjdwbJisxCgxeZYKPv76hZd';
  return { dir: join(root, 'data'), key, logFile: join(root, 'log'), compiled };
};

const removeFolder = ({ dir }: Folder): void => rmSync(join(dir, '..'), { recursive: true, force: true });

/** Compiled modules are kept by a server that is stopped, never by one that is killed; each start is shorter then. */
const keepCompiled = async (compiled: string): Promise<void> => {
  const folder = newFolder(compiled);
  const server = await start(folder).ready;
  await server.stop();
  removeFolder(folder);
};

const openTest = async (seed: number, report: CrashReport, compiled: string): Promise<Test> => {
  const folder = newFolder(compiled);
  const clients = Array.from({ length: CLIENTS }, (_, at) => createClient(`c${at}`));
  const models = await openModels(folder);
  return {
    folder,
    clients,
    models,
    seed,
    report,
    chance: chanceOf(seed),
    running: null,
    model: null,
    spent: new Map(),
  };
};

/** The rounds of one folder. */
const playFolder = async (
  test: Test,
  first: number,
  end: number,
  say: CrashOptions['say'],
): Promise<void> => {
  const { folder, seed, report, clients, models } = test;
  say(`seed ${seed}, rounds ${first} to ${end - 1}, folder ${folder.dir}`);
  let number = first;
  try {
    for (; number < end; number++) say(await round(test, number, number - first + 1));
    await last(test);
  } catch (cause) {
    await test.running?.kill(true).catch((error: unknown) => say(String(error)));
    const where = `seed ${seed}, round ${number}, folder kept: ${folder.dir}, log: ${folder.logFile}`;
    throw new Error(`The crash test failed (${where}): ${cause instanceof Error ? cause.message : cause}`, {
      cause,
    });
  } finally {
    await models.close();
  }
  removeFolder(folder);
  report.forgotten += storiesOf(clients).filter(isForgotten).length;
  report.retried += clients.reduce((sum, client) => sum + client.retried, 0);
  report.calls += clients.reduce((sum, client) => sum + client.answered, 0);
};

export const crashTest = async ({ rounds, seed, say }: CrashOptions): Promise<CrashReport> => {
  const began = performance.now();
  const report = emptyReport(rounds);
  const compiled = newDataFolder('compiled');
  if (rounds >= ROUNDS_PER_FOLDER) await keepCompiled(compiled);
  for (let first = 1; first <= rounds; first += ROUNDS_PER_FOLDER) {
    const end = Math.min(first + ROUNDS_PER_FOLDER, rounds + 1);
    await playFolder(await openTest(seed + first - 1, report, compiled), first, end, say);
  }
  rmSync(compiled, { recursive: true, force: true });
  report.seconds = Math.round((performance.now() - began) / 1000);
  return report;
};

if (process.argv[1] === import.meta.filename) {
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => process.exit(1));
  const { values } = parseArgs({
    options: { rounds: { type: 'string', default: '30' }, seed: { type: 'string', default: '20260301' } },
  });
  const options = { rounds: Number(values.rounds), seed: Number(values.seed), say: console.log };
  console.log(JSON.stringify(await crashTest(options)));
}
