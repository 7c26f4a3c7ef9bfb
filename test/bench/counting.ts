// (o) What counting costs: the same calls with and without usage, the log of requests and metrics, in one process. HTTP is left
// out, so the share of a whole call is smaller still. What counting an add costs is measured where nothing else is done, with
// texts that are sent again, and judged as a share of an add of a new text until it is searchable.
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openPrometheus } from '../../server/adapters/metrics/prometheus.ts';
import { createLog } from '../../server/app/log.ts';
import { openMemoir } from '../../server/app/open.ts';
import { createInvoke, type Invoke } from '../../server/calls/invoke.ts';
import type { Memoir } from '../../server/calls/memoir.ts';
import { loadConfig } from '../../server/config/config.ts';
import { createEvents } from '../../server/core/events.ts';
import type { Operation } from '../../tools/operation.ts';
import { operations } from '../../tools/registry.generated.ts';
import type { Sizes } from './options.ts';
import type { Row, Section } from './report.ts';
import { median, medianInterval } from './support/numbers.ts';
import { questionAbout, randomFrom, textOf } from './support/texts.ts';

const BOUND = 1.03;
const DOCUMENTS = 100;
const CHARACTERS = 1_000;
/** Texts that are sent again and again. */
const REPEATED = 20;
const NEW_ADDS = 60;
const PAIRS_OF_A_ROUND = 20;
/** So that Node has compiled what both sides run by then, which a server does once. */
const WARM_UP_PAIRS = 10;
/** One after the other without a break, as on a server that is fully used: it writes its counts after 2,000 calls. */
const CALLS_OF_A_RUN = 600;
/** Both sides wait after their calls, because work that calls leave behind, as of the garbage collector, runs then. */
const LEAST_PAUSE_MS = 20;

interface Side {
  invoke: Invoke;
  /** The rows that are written every ten seconds. */
  flush(): Promise<void>;
}

interface Calls {
  operation: Operation;
  input(n: number): unknown;
}

const operationNamed = (name: string): Operation => {
  const operation = operations.find((each) => each.name === name);
  if (operation === undefined) throw new Error(`There is no operation ${name}.`);
  return operation;
};

const sidesOf = ({ service, log }: Memoir): { on: Side; off: Side } => {
  const metrics = openPrometheus();
  const counted = createEvents({
    log,
    record(call, facts) {
      service.usage.record(call, facts);
      metrics.observe(call);
    },
  });
  return {
    on: { invoke: createInvoke({ service, events: counted }), flush: service.usage.flush },
    off: { invoke: createInvoke({ service, events: createEvents({ log }) }), flush: async () => undefined },
  };
};

const searches = (): Calls => {
  const random = randomFrom(11);
  return {
    operation: operationNamed('search.memories'),
    input: () => ({
      q: questionAbout(Math.floor(random() * DOCUMENTS), CHARACTERS, random),
      containerTag: 'n',
    }),
  };
};

/** A text that is sent again is answered and not processed, so that nothing but the call is measured. */
const repeatedAdds = (): Calls => {
  const content = textOf(1, CHARACTERS);
  return {
    operation: operationNamed('documents.add'),
    input: (n) => ({ content, containerTag: 'n', customId: `again-${n % REPEATED}` }),
  };
};

const millis = ({ user, system }: NodeJS.CpuUsage): number => (user + system) / 1_000;

/** Calls are counted on this thread, so only its time is compared; a call itself costs time on others as well. */
interface Spent {
  thread: number;
  all: number;
}

/** The figures of the thread alone are those of the last tick of the system, unless those of the process were read just before. */
const spentNow = (): Spent => {
  const all = millis(process.cpuUsage());
  return { all, thread: millis(process.threadCpuUsage()) };
};

interface Run extends Spent {
  pauseMs: number;
}

const processorMsOf = async (
  { invoke, flush }: Side,
  {
    key,
    operation,
    inputs,
    pauseMs,
  }: { key: string; operation: Operation; inputs: readonly unknown[]; pauseMs: number },
): Promise<Run> => {
  const meta = { way: 'rest', address: '127.0.0.1', key } as const;
  const begun = spentNow();
  for (const input of inputs)
    await invoke(operation, input, { ...meta, requestId: randomUUID() }, new AbortController().signal);
  const called = spentNow();
  const calledAt = performance.now();
  await Promise.all([flush(), sleep(pauseMs)]);
  const ended = spentNow();
  return {
    thread: called.thread - begun.thread + ended.all - called.all,
    all: ended.all - begun.all,
    pauseMs: performance.now() - calledAt,
  };
};

interface Measured {
  /** The cost of counting, of each pair. */
  costs: number[];
  /** A call without counting, in milliseconds like the costs. */
  plain: number;
}

const measure = async (
  memoir: Memoir,
  key: string,
  { operation, input }: Calls,
  sizes: Sizes,
): Promise<Measured> => {
  const { on, off } = sidesOf(memoir);
  // A write waits for the disk: the side that writes nothing waits as long, because a server works a little while it is idle.
  let pauseMs = LEAST_PAUSE_MS;
  const runCounted = async (inputs: readonly unknown[]): Promise<Spent> => {
    const run = await processorMsOf(on, { key, operation, inputs, pauseMs: LEAST_PAUSE_MS });
    pauseMs = run.pauseMs;
    return run;
  };
  const runPlain = (inputs: readonly unknown[]): Promise<Spent> =>
    processorMsOf(off, { key, operation, inputs, pauseMs });
  const inputsOfRun = () => Array.from({ length: CALLS_OF_A_RUN }, (_, n) => input(n));
  const costs: number[] = [];
  const plain: number[] = [];
  for (let pair = -WARM_UP_PAIRS; pair < PAIRS_OF_A_ROUND * sizes.rounds; pair++) {
    const inputs = inputsOfRun();
    const early = pair % 2 === 0 ? null : await runPlain(inputs);
    const counted = await runCounted(inputs);
    const without = early ?? (await runPlain(inputs));
    if (pair < 0) continue;
    costs.push((counted.thread - without.thread) / CALLS_OF_A_RUN);
    plain.push(without.all / CALLS_OF_A_RUN);
  }
  return { costs, plain: median(plain) };
};

const shareFigure = (costs: readonly number[], of: number): { figure: string; share: number } => {
  const shares = costs.map((cost) => 1 + cost / of);
  const { from, to } = medianInterval(shares);
  const micros = (ms: number) => `${(ms * 1_000).toFixed(0)} µs`;
  const spent = `${micros(median(costs))} of ${micros(of)} a call`;
  const share = median(shares);
  return { figure: `${share.toFixed(3)} (${from.toFixed(3)}–${to.toFixed(3)}), ${spent}`, share };
};

const judgedRow = (name: string, costs: readonly number[], of: number): Row => {
  const { figure, share } = shareFigure(costs, of);
  const what = `${name}: processor time with counting, as a share of without, median and 95 % interval`;
  return { what, figure, target: `at most ${BOUND}`, met: share <= BOUND };
};

interface Opened {
  memoir: Memoir;
  key: string;
  ask(operation: string, input: unknown): Promise<unknown>;
  settled(): Promise<void>;
}

const withMemoir = async <T>(work: (opened: Opened) => Promise<T>): Promise<T> => {
  const dir = mkdtempSync(join(tmpdir(), 'memoir-bench-'));
  const config = loadConfig({
    PORT: '0',
    MEMOIR_DATA_DIR: dir,
    CHROMA_URL: 'http://127.0.0.1:9',
    MEMOIR_LOG_LEVEL: 'fatal',
  });
  const memoir = await openMemoir(config, { log: createLog({ level: 'fatal' }) });
  const key = memoir.firstKey ?? '';
  const meta = { way: 'rest', address: '127.0.0.1', key, requestId: 'fill' } as const;
  const { signal } = new AbortController();
  const ask = (operation: string, input: unknown) =>
    memoir.invoke(operationNamed(operation), input, meta, signal);
  const settled = async () => {
    const waits = async () =>
      ((await ask('documents.listProcessing', {})) as { totalCount: number }).totalCount;
    while ((await waits()) > 0) await sleep(20);
  };
  try {
    return await work({ memoir, key, ask, settled });
  } finally {
    await memoir.close();
    rmSync(dir, { recursive: true, force: true });
  }
};

/** Of one add of a new text until it is searchable, in milliseconds. */
const newAddMs = async ({ ask, settled }: Opened): Promise<number> => {
  const began = process.cpuUsage();
  for (let n = 0; n < NEW_ADDS; n++)
    await ask('documents.add', { content: textOf(DOCUMENTS + n, CHARACTERS), containerTag: 'new' });
  await settled();
  return millis(process.cpuUsage(began)) / NEW_ADDS;
};

export const counting = async (sizes: Sizes): Promise<Section> =>
  withMemoir(async (opened) => {
    const { memoir, key, ask, settled } = opened;
    const documents = Array.from({ length: DOCUMENTS }, (_, n) => textOf(n, CHARACTERS));
    await ask('documents.batchAdd', { documents, containerTag: 'n' });
    const repeated = repeatedAdds();
    for (let n = 0; n < REPEATED; n++) await ask('documents.add', repeated.input(n));
    await settled();
    const added = await newAddMs(opened);
    const search = await measure(memoir, key, searches(), sizes);
    const add = await measure(memoir, key, repeated, sizes);
    return {
      ...{ letter: 'o', title: 'Counting: usage, the log of requests and metrics' },
      rows: [
        judgedRow('search', search.costs, search.plain),
        judgedRow('add of a new text', add.costs, added),
        {
          what: 'the same of an add of a text that is stored already',
          figure: shareFigure(add.costs, add.plain).figure,
        },
      ],
      notes: [],
    };
  });
