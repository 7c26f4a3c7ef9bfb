// Promises about usage, and about the log of requests.
import type { PromiseRow } from '../promise.ts';

export const analytics = [
  {
    id: 'analytics:usage:counts',
    source: 'contract §4.4',
    says: 'GET /v3/analytics/usage counts the calls of a time by kind, by hour with zeros, and by key in pages, and names the stored documents.',
    ways: ['rest'],
  },
  {
    id: 'analytics:usage:groups',
    source: 'ours',
    says: 'groupBy adds the counts by operation, container tag, way or status; percentiles tell the durations, and completeUntil the moment up to which everything is counted.',
    ways: ['rest'],
  },
  {
    id: 'analytics:errors:counts',
    source: 'contract §4.4',
    says: 'GET /v3/analytics/errors counts the calls that failed, by kind, hour and status; calls without a valid key count as well.',
    ways: ['rest'],
  },
  {
    id: 'analytics:logs:narrowed',
    source: 'contract §4.4',
    says: 'GET /v3/analytics/logs and /v3/analytics/requests list single calls newest first, narrowed by kind, status, key, outcome and id, at most 100 on a page.',
    ways: ['rest'],
  },
  {
    id: 'analytics:logs:no-content',
    source: 'ours',
    says: 'The log of requests keeps names of fields, ids and numbers, and of texts only their length, unless MEMOIR_REQUEST_LOG is full; then the texts go with their document.',
    ways: ['rest'],
  },
  {
    id: 'analytics:memory:totals',
    source: 'contract §4.4',
    says: 'GET /v3/analytics/memory counts what is stored and the searches of a time, and compares with the time before.',
    ways: ['rest'],
  },
  {
    id: 'analytics:read:full-key',
    source: 'contract §4.4',
    says: 'Analytics need a key with full access.',
    ways: ['rest'],
  },
  {
    id: 'analytics:cli:published',
    source: 'contract §9.2',
    says: 'The published command line shows status and logs.',
    ways: ['rest'],
  },
  {
    id: 'metrics:off:404',
    source: 'ours',
    says: 'GET /metrics does not exist unless MEMOIR_METRICS is on.',
    ways: ['rest'],
  },
  {
    id: 'metrics:read:closed',
    source: 'ours',
    says: 'GET /metrics needs a key with full access or the token of MEMOIR_METRICS_TOKEN, which opens nothing else.',
    ways: ['rest'],
  },
  {
    id: 'metrics:labels:bounded',
    source: 'ours',
    says: 'No label of a metric holds a container tag, a key, a document or a query, and the number of series does not grow with what is stored.',
    ways: ['rest'],
  },
  {
    id: 'metrics:steps:measured',
    source: 'ours',
    says: 'Metrics tell the durations and failures of the steps of background work, of writes to the store and of mails.',
    ways: ['rest'],
  },
  {
    id: 'traces:otlp:sent',
    source: 'ours',
    says: 'Where OTEL_EXPORTER_OTLP_ENDPOINT or OTEL_TRACES_EXPORTER asks for traces, each request, operation, store call, embedding and step of background work is a span, inside the trace of the caller. No span holds content.',
    ways: ['rest'],
  },
  {
    id: 'traces:otlp:off',
    source: 'ours',
    says: 'Without these variables nothing is traced, and nothing of OpenTelemetry is loaded.',
    ways: ['rest'],
  },
] as const satisfies readonly PromiseRow[];
