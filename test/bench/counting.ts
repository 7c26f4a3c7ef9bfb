// (o) What counting costs: the same calls with and without usage, the log of requests and metrics, in one process. HTTP is left
// out, so the share of a whole call is smaller still.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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
import { type Interval, median, medianInterval } from './support/numbers.ts';
import { questionAbout, randomFrom, textOf } from './support/texts.ts';

const BOUND = 1.03;
const DOCUMENTS = 100;
const CHARACTERS = 1_000;
const PAIRS_OF_A_ROUND = 6;
/** As many as come in the ten seconds between two writes of what was counted, on a busy server. */
const CALLS_OF_A_RUN = 150;

interface Side {
  invoke: Invoke;
  /** The rows that are written every ten seconds. */
  flush(): Promise<void>;
}

interface Calls {
  name: string;
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

/** A text that is sent again is answered and not processed, so that nothing but the call is measured. */
const callsOf = (): Calls[] => {
  const random = randomFrom(11);
  const text = textOf(1, CHARACTERS);
  return [
    {
      ...{ name: 'search', operation: operationNamed('search.memories') },
      input: () => ({
        q: questionAbout(Math.floor(random() * DOCUMENTS), CHARACTERS, random),
        containerTag: 'n',
      }),
    },
    {
      ...{ name: 'add', operation: operationNamed('documents.add') },
      input: (n) => ({ content: text, containerTag: 'n', customId: `again-${n % 20}` }),
    },
  ];
};

const millis = ({ user, system }: NodeJS.CpuUsage): number => (user + system) / 1_000;

/** Calls are counted on this thread, so only its time is compared; a call itself costs time on others as well. */
interface Spent {
  thread: number;
  all: number;
}

const processorMsOf = async (
  side: Side,
  key: string,
  { operation, input }: Calls,
  count: number,
): Promise<Spent> => {
  const meta = { way: 'rest', address: '127.0.0.1', key } as const;
  const [ofThread, ofAll] = [process.threadCpuUsage(), process.cpuUsage()];
  for (let n = 0; n < count; n++)
    await side.invoke(operation, input(n), { ...meta, requestId: `n${n}` }, new AbortController().signal);
  const thread = millis(process.threadCpuUsage(ofThread));
  const all = millis(process.cpuUsage(ofAll));
  const ofWriting = process.cpuUsage();
  await side.flush();
  return { thread: thread + millis(process.cpuUsage(ofWriting)), all };
};

const shown = ({ from, to }: Interval): string => `${from.toFixed(3)}–${to.toFixed(3)}`;

const rowOf = async (memoir: Memoir, key: string, calls: Calls, sizes: Sizes): Promise<Row> => {
  const { on, off } = sidesOf(memoir);
  const count = CALLS_OF_A_RUN;
  for (const side of [on, off]) await processorMsOf(side, key, calls, count);
  const differences: number[] = [];
  const plain: number[] = [];
  for (let pair = 0; pair < PAIRS_OF_A_ROUND * sizes.rounds; pair++) {
    const spent = new Map<Side, Spent>();
    for (const side of pair % 2 === 0 ? [on, off] : [off, on])
      spent.set(side, await processorMsOf(side, key, calls, count));
    const [counted, without] = [spent.get(on), spent.get(off)];
    if (counted === undefined || without === undefined) continue;
    differences.push(counted.thread - without.thread);
    plain.push(without.all);
  }
  const whole = median(plain);
  const ratios = differences.map((each) => 1 + each / whole);
  const middle = medianInterval(ratios);
  const cost = `${((median(differences) * 1_000) / count).toFixed(0)} µs of ${((whole * 1_000) / count).toFixed(0)} µs a call`;
  return {
    what: `${calls.name}: processor time with counting, as a share of without, median and 95 % interval`,
    figure: `${median(ratios).toFixed(3)} (${shown(middle)}), ${cost}`,
    target: `at most ${BOUND}`,
    met: middle.from <= BOUND,
  };
};

export const counting = async (sizes: Sizes): Promise<Section> => {
  const dir = mkdtempSync(join(tmpdir(), 'memoir-bench-'));
  const config = loadConfig({
    PORT: '0',
    MEMOIR_DATA_DIR: dir,
    CHROMA_URL: 'http://127.0.0.1:9',
    MEMOIR_LOG_LEVEL: 'fatal',
  });
  const memoir = await openMemoir(config, { log: createLog({ level: 'fatal' }) });
  const key = memoir.firstKey ?? '';
  try {
    const documents = Array.from({ length: DOCUMENTS }, (_, n) => textOf(n, CHARACTERS));
    const meta = { way: 'rest', address: '127.0.0.1', key, requestId: 'fill' } as const;
    const { signal } = new AbortController();
    await memoir.invoke(operationNamed('documents.batchAdd'), { documents, containerTag: 'n' }, meta, signal);
    const all = callsOf();
    for (let n = 0; n < 20; n++)
      await memoir.invoke(operationNamed('documents.add'), all[1]?.input(n), meta, signal);
    const processing = operationNamed('documents.listProcessing');
    const waits = async () =>
      ((await memoir.invoke(processing, {}, meta, signal)) as { totalCount: number }).totalCount;
    while ((await waits()) > 0) await new Promise((resolve) => setTimeout(resolve, 100));
    const rows: Row[] = [];
    for (const calls of all) rows.push(await rowOf(memoir, key, calls, sizes));
    return { letter: 'o', title: 'Counting: usage, the log of requests and metrics', rows, notes: [] };
  } finally {
    await memoir.close();
    rmSync(dir, { recursive: true, force: true });
  }
};
