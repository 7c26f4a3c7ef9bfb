// Figures in the text format of Prometheus. No label ever holds a tag, a key, a document or a query.
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Called } from '../../core/events.ts';
import { createTogether } from '../../lib/async/together.ts';
import { STORE_WRITE, type StepSample, type WorkWatch } from '../../lib/async/work-watch.ts';
import type { Metrics, MetricsSnapshot } from './port.ts';

/** In seconds. */
const DURATIONS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 1, 5, 10];
/** A step may read a long recording. */
const STEP_DURATIONS = [0.001, 0.005, 0.025, 0.1, 0.5, 1, 5, 10, 60, 300, 1_800];
/** The label of a call that was refused before it reached an operation. */
const NO_OPERATION = 'none';

/** Calls are counted some at a time: alone, between the work of two calls, each costs several times as much. */
const COUNTED_TOGETHER = { mostItems: 256, waitMs: 1_000 };

const statusClass = (status: number): string => `${Math.floor(status / 100)}xx`;

const createCallMetrics = (registers: Registry[]) => {
  const requests = new Counter({
    name: 'memoir_requests_total',
    help: 'Calls by operation, way in and class of status.',
    labelNames: ['operation', 'way', 'status'],
    registers,
  });
  const durations = new Histogram({
    name: 'memoir_request_duration_seconds',
    help: 'The durations of calls by operation.',
    labelNames: ['operation'],
    buckets: DURATIONS,
    registers,
  });
  return createTogether<Called>((calls) => {
    for (const { operation: named, way, status, ms } of calls) {
      const operation = named === '' ? NO_OPERATION : named;
      requests.inc({ operation, way, status: statusClass(status) });
      durations.observe({ operation }, ms / 1_000);
    }
  }, COUNTED_TOGETHER);
};

const createStepMetrics = (registers: Registry[]) => {
  const durations = new Histogram({
    name: 'memoir_step_duration_seconds',
    help: 'The durations of the steps of background work.',
    labelNames: ['step'],
    buckets: STEP_DURATIONS,
    registers,
  });
  const failures = new Counter({
    name: 'memoir_step_failures_total',
    help: 'Failed steps of background work, by code.',
    labelNames: ['step', 'code'],
    registers,
  });
  return (samples: readonly StepSample[]): void => {
    for (const { step, ms, failure } of samples) {
      durations.observe({ step }, ms / 1_000);
      if (failure !== null) failures.inc({ step, code: failure });
    }
  };
};

const createWriteMetric = (registers: Registry[]): WorkWatch => {
  const durations = new Histogram({
    name: 'memoir_store_write_seconds',
    help: 'The time from a write of a request to its commit.',
    buckets: DURATIONS,
    registers,
  });
  return async (name, work) => {
    if (name !== STORE_WRITE) return work();
    const started = performance.now();
    try {
      return await work();
    } finally {
      durations.observe((performance.now() - started) / 1_000);
    }
  };
};

const createGauges = (registers: Registry[]) => {
  const gauge = <Label extends string = never>(name: string, help: string, ...labelNames: Label[]) =>
    new Gauge({ name, help, labelNames, registers });
  const documents = gauge('memoir_documents', 'Stored documents by status.', 'status');
  const oldest = gauge('memoir_queue_oldest_seconds', 'The age of the document that has waited longest.');
  const outbox = gauge('memoir_vector_outbox', 'Vectors that the index has not taken yet.');
  const parts = gauge('memoir_part_up', '1 while the part works as it should.', 'part');
  const bytes = gauge('memoir_db_bytes', 'The size of the database.');
  const chroma = gauge('memoir_chroma_rss_bytes', 'The resident memory of the Chroma of this server.');
  return (now: MetricsSnapshot): void => {
    for (const [status, count] of Object.entries(now.documents)) documents.set({ status }, count);
    oldest.set(now.queueOldestSeconds);
    outbox.set(now.vectorOutbox);
    for (const [part, { status }] of Object.entries(now.parts)) parts.set({ part }, status === 'ok' ? 1 : 0);
    bytes.set(now.databaseBytes);
    chroma.set(now.chromaBytes ?? 0);
  };
};

/** Counts that others keep. */
const createTotals = (registers: Registry[]) => {
  const counter = <Label extends string = never>(name: string, help: string, ...labelNames: Label[]) =>
    new Counter({ name, help, labelNames, registers });
  const tokens = counter('memoir_model_tokens_total', 'Tokens of language models.', 'direction');
  const mails = counter('memoir_mail_total', 'Mails that this process ended, by how.', 'state');
  const restarts = counter(
    'memoir_extract_child_restarts_total',
    'Extraction processes that were started in the place of one that failed.',
  );
  return (now: MetricsSnapshot): void => {
    for (const each of [tokens, mails, restarts]) each.reset();
    for (const [direction, count] of Object.entries(now.tokens)) tokens.inc({ direction }, count);
    for (const [state, count = 0] of Object.entries(now.mails)) mails.inc({ state }, count);
    restarts.inc(now.childRestarts);
  };
};

export const openPrometheus = (): Metrics => {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const calls = createCallMetrics([registry]);
  const observeSteps = createStepMetrics([registry]);
  const watch = createWriteMetric([registry]);
  const refresh = [createGauges([registry]), createTotals([registry])];
  return {
    observe: calls.add,
    observeSteps,
    watch,
    async render(now) {
      calls.flush();
      for (const set of refresh) set(now);
      return { contentType: registry.contentType, text: await registry.metrics() };
    },
  };
};
