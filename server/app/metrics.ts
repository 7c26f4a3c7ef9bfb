// Opens the figures for operators where they are asked for; the library is loaded only then.
import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { Metrics, MetricsSnapshot } from '../adapters/metrics/port.ts';
import type { Service } from '../calls/service.ts';
import type { ServiceParts } from './service.ts';

type MetricsParts = Pick<ServiceParts, 'config' | 'store' | 'database'>;

const sizeOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0;

/** With the log of what was written lately. */
const databaseBytes = ({ dataDir, database }: ServiceParts['config']): number | null =>
  database === null
    ? ['memoir.db', 'memoir.db-wal'].reduce((sum, name) => sum + sizeOf(join(dataDir, name)), 0)
    : null;

const readSnapshot = async (
  { config, store, database }: MetricsParts,
  { health }: Pick<Service, 'health'>,
): Promise<MetricsSnapshot> => {
  const [counts, { parts }, tokens, oldest] = await Promise.all([
    store.counts(),
    health(),
    store.usage.ofKeys(),
    store.oldestWaiting(),
  ]);
  const { documents, queued, failed } = counts;
  const spent = [...tokens.values()];
  return {
    documents: { queued, failed, done: Math.max(0, documents - queued - failed) },
    queueOldestSeconds: oldest === null ? 0 : Math.max(0, (database.now() - oldest) / 1_000),
    vectorOutbox: counts.outbox.reduce((sum, { vectors }) => sum + vectors, 0),
    parts,
    tokens: {
      input: spent.reduce((sum, { inputTokens }) => sum + inputTokens, 0),
      output: spent.reduce((sum, { outputTokens }) => sum + outputTokens, 0),
    },
    databaseBytes: databaseBytes(config),
  };
};

/** Null: they are off. */
export const openMetrics = async (
  parts: MetricsParts,
  service: Pick<Service, 'health'>,
): Promise<Metrics | null> => {
  if (parts.config.metrics === null) return null;
  const { openPrometheus } = await import('../adapters/metrics/prometheus.ts');
  return openPrometheus(() => readSnapshot(parts, service));
};
