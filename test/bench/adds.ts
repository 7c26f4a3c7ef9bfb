// (a) Durable adds per second over HTTP: one commit for all waiting adds, against a commit for each.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Sizes } from './options.ts';
import type { Row, Section } from './report.ts';
import type { Ask } from './support/connection.ts';
import { SEARCHED_ONLY } from './support/fill.ts';
import { closedLoop, type Target } from './support/load.ts';
import { newFolder, removeFolder, type Server, startServer } from './support/memoir.ts';
import { byThread, median, medianRatio, percent, spread, times, whole } from './support/numbers.ts';
import { startProcess } from './support/process.ts';
import { slowFsyncEnv } from './support/slow-fsync.ts';
import { textOf } from './support/texts.ts';
import type { WriterAlone } from './support/writer-alone.ts';

const CHARACTERS = 200;
const TAGS = 50;
const MOST_PER_BURST = 15_000;
const CONCURRENCIES = [1, 16] as const;
const SLOWER_MS = 4;
const WANTED_ON_A_SLOW_DISK = 3;

/** One way of committing on one disk, with the rates of each round by concurrency. */
interface Candidate {
  server: Server;
  rates: Map<number, number[]>;
}

const asks = (): (() => Ask) => {
  let number = 0;
  return () => {
    number += 1;
    const content = textOf(number, CHARACTERS);
    const body = JSON.stringify({ content, containerTag: `person_${number % TAGS}`, ...SEARCHED_ONLY });
    return { method: 'POST', path: '/v3/documents', body };
  };
};

const burst = async (target: Target, connections: number, seconds: number): Promise<number> =>
  (await closedLoop(target, { connections, seconds, next: asks(), most: MOST_PER_BURST })).rate;

const most = async (seconds: number): Promise<number> => {
  const nothing = await startProcess([join(import.meta.dirname, 'support/noop.ts')]);
  try {
    return await burst({ url: nothing.url, key: 'none' }, 16, seconds);
  } finally {
    await nothing.stop();
  }
};

/** A process of its own for each round. */
const addThroughWriter = async (seconds: number): Promise<WriterAlone> => {
  const script = join(import.meta.dirname, 'support/writer-alone.ts');
  const sizes = [16, seconds, CHARACTERS, TAGS].map(String);
  const { stdout } = await promisify(execFile)(process.execPath, [
    '--disable-warning=ExperimentalWarning',
    script,
    ...sizes,
  ]);
  return JSON.parse(stdout) as WriterAlone;
};

const writerRows = (runs: readonly WriterAlone[]): Row[] => {
  const names = Object.keys(runs[0]?.threads ?? {});
  const threads = names.map((name) => [name, median(runs.map((run) => run.threads[name] ?? 0))] as const);
  const what = 'through the writer thread alone, this disk, 16 at once';
  return [
    { what: `adds/s ${what}`, figure: whole(median(runs.map(({ rate }) => rate))) },
    { what: `processor time of each thread for an add ${what}`, figure: byThread(threads) },
  ];
};

const measure = async (candidate: Candidate, sizes: Sizes): Promise<void> => {
  for (const connections of CONCURRENCIES) {
    const rate = await burst(candidate.server, connections, sizes.burstSeconds);
    const rates = candidate.rates.get(connections) ?? [];
    candidate.rates.set(connections, [...rates, rate]);
    await candidate.server.settled();
  }
};

interface Disk {
  name: string;
  /** The required gain of a common commit. Null: only shown, because commits may cost less than requests there. */
  wanted: number | null;
  grouped: Candidate;
  single: Candidate;
}

const openDisk = async (
  { name, wanted }: Pick<Disk, 'name' | 'wanted'>,
  env: Record<string, string>,
): Promise<Disk> => {
  const candidate = async (commitPerRequest: boolean): Promise<Candidate> => ({
    server: await startServer({ env, commitPerRequest }),
    rates: new Map(),
  });
  return { name, wanted, grouped: await candidate(false), single: await candidate(true) };
};

const rowsOf = ({ name, wanted, grouped, single }: Disk): Row[] => {
  const rates = (candidate: Candidate, connections: number) => candidate.rates.get(connections) ?? [];
  const shown = CONCURRENCIES.flatMap((connections) => [
    {
      what: `adds/s, ${name}, ${connections} at once, one commit for all that wait`,
      figure: whole(median(rates(grouped, connections))),
    },
    {
      what: `adds/s, ${name}, ${connections} at once, a commit for each`,
      figure: whole(median(rates(single, connections))),
    },
  ]);
  const ratio = medianRatio(rates(grouped, 16), rates(single, 16));
  const target = wanted === null ? {} : { target: `at least ${wanted}×`, met: ratio >= wanted };
  return [...shown, { what: `ratio, ${name}, 16 at once`, figure: times(ratio), ...target }];
};

const spreadOf = (disks: readonly Disk[]): number =>
  Math.max(
    ...disks.flatMap(({ grouped, single }) =>
      [grouped, single].flatMap(({ rates }) => [...rates.values()].map(spread)),
    ),
  );

export const adds = async (sizes: Sizes): Promise<Section> => {
  const folder = newFolder();
  const notes = [
    `Texts of ${CHARACTERS} characters; the server reads and indexes them meanwhile, as it always does.`,
  ];
  const disks: Disk[] = [];
  try {
    const ceiling = await most(sizes.burstSeconds);
    disks.push(await openDisk({ name: 'this disk', wanted: null }, {}));
    const slow = slowFsyncEnv(folder, SLOWER_MS);
    if (slow)
      disks.push(
        await openDisk({ name: `fsync ${SLOWER_MS} ms slower`, wanted: WANTED_ON_A_SLOW_DISK }, slow),
      );
    else notes.push('There is no C compiler here, so a slower disk was not simulated.');
    const candidates = disks.flatMap(({ grouped, single }) => [grouped, single]);
    const alone: WriterAlone[] = [];
    for (let round = 0; round < sizes.rounds; round += 1) {
      for (const candidate of candidates) await measure(candidate, sizes);
      alone.push(await addThroughWriter(sizes.burstSeconds));
    }
    notes.push(`The rounds lie up to ${percent(spreadOf(disks))} apart.`);
    const rows = [...disks.flatMap(rowsOf), ...writerRows(alone)];
    const limit = {
      what: 'requests/s of this load generator against a server that does nothing, 16 at once',
    };
    rows.push({ ...limit, figure: whole(ceiling) });
    return { letter: 'a', title: 'Durable adds over HTTP', rows, notes };
  } finally {
    for (const { grouped, single } of disks) {
      await grouped.server.close();
      await single.server.close();
    }
    removeFolder(folder);
  }
};
