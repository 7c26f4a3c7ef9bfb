// How each part is doing, in one look.
import type { StoreCounts } from './adapters/store/port.ts';
import type { VectorIndexState } from './adapters/vectors/port.ts';
import type { IndexerState } from './domain/pipeline/indexer.ts';
import type { SpaceStatus } from './domain/spaces/spaces.ts';
import type { IngestState } from './ingest.ts';
import { VERSION } from './version.ts';

export interface PartHealth {
  status: 'ok' | 'starting' | 'degraded' | 'down';
  detail?: string;
}

export interface Health {
  ready: boolean;
  version: string;
  parts: Record<string, PartHealth>;
}

const chromaHealth = (chroma: VectorIndexState, indexer: IndexerState): PartHealth => {
  if (chroma.status !== 'ready')
    return {
      status: chroma.status === 'starting' ? 'starting' : 'degraded',
      detail: `${chroma.detail ?? 'Chroma does not answer'}; searches compare exactly meanwhile`,
    };
  if (indexer.status === 'rebuilding' || indexer.status === 'waiting')
    return { status: 'degraded', ...(indexer.detail ? { detail: indexer.detail } : {}) };
  return { status: 'ok' };
};

const name = ({ embedder, model, dimensions }: SpaceStatus['wanted']): string =>
  `${embedder} ${model}${dimensions === null ? '' : `, ${dimensions} dimensions`}`;

const because = (trouble: string | null): string => (trouble === null ? '' : `: ${trouble}`);

const silentEmbedder = (serving: string, trouble: string | null): string =>
  trouble === null
    ? `the stored vectors are ${serving}, which the settings no longer reach: searching by keyword only; run memoir reindex`
    : `${serving} does not answer, so searches go by keyword: ${trouble}`;

const embedderHealth = (space: SpaceStatus): PartHealth => {
  const { active, wanted, reindexNeeded, reindexing, trouble } = space;
  if (!active) return { status: 'down', detail: 'there is no embedding space yet' };
  const serving = name(active);
  const degraded = (detail: string): PartHealth => ({ status: 'degraded', detail });
  if (reindexing) {
    const progress = `${reindexing.done} of ${reindexing.total} chunks${because(trouble)}`;
    return degraded(`${serving}; changing to ${name(wanted)}: ${progress}`);
  }
  if (!active.answering) return degraded(silentEmbedder(serving, trouble));
  if (reindexNeeded)
    return degraded(
      `${serving} is serving, the settings ask for ${name(wanted)}; run memoir reindex to change${because(trouble)}`,
    );
  return trouble === null ? { status: 'ok', detail: serving } : degraded(`${serving}: ${trouble}`);
};

const storeHealth = (counts: StoreCounts): PartHealth => ({
  status: 'ok',
  detail: `${counts.documents} documents, ${counts.chunks} chunks`,
});

const queueHealth = (counts: StoreCounts): PartHealth => ({
  status: 'ok',
  detail: `${counts.queued} waiting or in work, ${counts.failed} failed, ${counts.outbox} vectors on their way to Chroma`,
});

/** Whom to ask. */
export interface HealthParts {
  counts(): Promise<StoreCounts>;
  ingest(): Promise<Pick<IngestState, 'chroma' | 'indexer'>>;
  space(): Promise<SpaceStatus>;
  /** As the request side sees it; null: it has not used it yet. */
  chroma(): VectorIndexState | null;
  draining(): boolean;
}

export const createHealth = (parts: HealthParts) => async (): Promise<Health> => {
  const [counts, ingest, space] = await Promise.all([parts.counts(), parts.ingest(), parts.space()]);
  return {
    ready: !parts.draining(),
    version: VERSION,
    parts: {
      store: storeHealth(counts),
      queue: queueHealth(counts),
      chroma: chromaHealth(parts.chroma() ?? ingest.chroma, ingest.indexer),
      embedder: embedderHealth(space),
    },
  };
};
