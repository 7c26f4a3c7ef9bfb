// The figures for operators, read when somebody asks for them.
import type { Metrics, MetricsSnapshot } from '../../adapters/metrics/port.ts';
import type { Service } from '../../calls/service.ts';
import { residentMb } from '../../lib/resident-memory.ts';
import type { ServiceParts } from '../service.ts';

type MetricsParts = Pick<ServiceParts, 'store' | 'database' | 'thread' | 'chroma'>;

const MEGABYTE = 1_048_576;

const chromaBytes = ({ chroma }: MetricsParts): number | null => {
  const pid = chroma.pid();
  const megabytes = pid === null ? null : residentMb(pid);
  return megabytes === null ? null : megabytes * MEGABYTE;
};

const readSnapshot = async (
  parts: MetricsParts,
  { health, team }: Pick<Service, 'health' | 'team'>,
): Promise<MetricsSnapshot> => {
  const { store, database, thread } = parts;
  const [counts, healthy, tokens, oldest, databaseBytes, { childRestarts }] = await Promise.all([
    ...([store.counts(), health(), store.usage.ofKeys()] as const),
    ...([store.oldestWaiting(), database.bytes(), thread.state()] as const),
  ]);
  const { documents, queued, failed } = counts;
  const spent = [...tokens.values()];
  return {
    documents: { queued, failed, done: Math.max(0, documents - queued - failed) },
    queueOldestSeconds: oldest === null ? 0 : Math.max(0, (database.now() - oldest) / 1_000),
    vectorOutbox: counts.outbox.reduce((sum, { vectors }) => sum + vectors, 0),
    parts: healthy.parts,
    tokens: {
      input: spent.reduce((sum, { inputTokens }) => sum + inputTokens, 0),
      output: spent.reduce((sum, { outputTokens }) => sum + outputTokens, 0),
    },
    mails: team.mail.ended(),
    ...{ childRestarts, databaseBytes, chromaBytes: chromaBytes(parts) },
  };
};

/** The text of GET /metrics; null: it is off. */
export const metricsSource = (
  metrics: Metrics | null,
  parts: MetricsParts,
  service: Pick<Service, 'health' | 'team'>,
) => {
  if (metrics === null) return null;
  parts.thread.onNews((news) => {
    if (news.event === 'steps') metrics.observeSteps(news.samples);
  });
  return { render: async () => metrics.render(await readSnapshot(parts, service)) };
};
