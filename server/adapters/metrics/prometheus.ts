// Figures in the text format of Prometheus. No label ever holds a tag, a key, a document or a query.
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Called } from '../../core/events.ts';
import type { Metrics, MetricsSnapshot } from './port.ts';

/** In seconds. */
const DURATIONS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 1, 5, 10];
/** Of a call that was refused before it reached an operation. */
const NO_OPERATION = 'none';

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
  return ({ operation: named, way, status, ms }: Called): void => {
    const operation = named === '' ? NO_OPERATION : named;
    requests.inc({ operation, way, status: statusClass(status) });
    durations.observe({ operation }, ms / 1_000);
  };
};

const createGauges = (registers: Registry[]) => {
  const gauge = <Label extends string = never>(name: string, help: string, ...labelNames: Label[]) =>
    new Gauge({ name, help, labelNames, registers });
  const documents = gauge('memoir_documents', 'Stored documents by status.', 'status');
  const oldest = gauge('memoir_queue_oldest_seconds', 'The age of the document that has waited longest.');
  const outbox = gauge('memoir_vector_outbox', 'Vectors that the index has not taken yet.');
  const parts = gauge('memoir_part_up', '1 while the part works as it should.', 'part');
  const tokens = gauge('memoir_model_tokens_total', 'Tokens of language models.', 'direction');
  const bytes = gauge('memoir_db_bytes', 'The size of the database on this machine.');
  return (now: MetricsSnapshot): void => {
    for (const [status, count] of Object.entries(now.documents)) documents.set({ status }, count);
    oldest.set(now.queueOldestSeconds);
    outbox.set(now.vectorOutbox);
    for (const [part, { status }] of Object.entries(now.parts)) parts.set({ part }, status === 'ok' ? 1 : 0);
    tokens.set({ direction: 'input' }, now.tokens.input);
    tokens.set({ direction: 'output' }, now.tokens.output);
    if (now.databaseBytes !== null) bytes.set(now.databaseBytes);
  };
};

export const openPrometheus = (read: () => Promise<MetricsSnapshot>): Metrics => {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const observe = createCallMetrics([registry]);
  const refresh = createGauges([registry]);
  return {
    observe,
    async render() {
      refresh(await read());
      return { contentType: registry.contentType, text: await registry.metrics() };
    },
  };
};
