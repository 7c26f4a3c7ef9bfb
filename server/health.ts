// How each part is doing, in one look.
import type { StoreCounts } from './adapters/store/port.ts';
import type { VectorIndexState } from './adapters/vectors/port.ts';
import type { IndexerState } from './domain/pipeline/indexer.ts';
import type { SpaceStatus } from './domain/spaces/spaces.ts';
import type { PartHealth } from './service.ts';

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

const name = ({ embedder, model }: { embedder: string; model: string }): string => `${embedder} ${model}`;

const embedderHealth = ({ active, wanted, reindexNeeded, reindexing }: SpaceStatus): PartHealth => {
  if (!active) return { status: 'down', detail: 'there is no embedding space yet' };
  const serving = `${name(active)}, ${active.dimensions} dimensions`;
  if (reindexing)
    return {
      status: 'degraded',
      detail: `${serving}; changing to ${name(wanted)}: ${reindexing.done} of ${reindexing.total} chunks`,
    };
  if (!active.answering)
    return {
      status: 'degraded',
      detail: `the stored vectors are ${serving}, which the settings no longer reach: searching by keyword only; run memoir reindex`,
    };
  if (reindexNeeded)
    return {
      status: 'degraded',
      detail: `${serving} is serving, the settings ask for ${name(wanted)}; run memoir reindex to change`,
    };
  return { status: 'ok', detail: serving };
};

const storeHealth = (counts: StoreCounts): PartHealth => ({
  status: 'ok',
  detail: `${counts.documents} documents, ${counts.chunks} chunks`,
});

const queueHealth = (counts: StoreCounts): PartHealth => ({
  status: 'ok',
  detail: `${counts.queued} waiting or in work, ${counts.failed} failed, ${counts.outbox} vectors on their way to Chroma`,
});

export const healthOf = (facts: {
  counts: StoreCounts;
  chroma: VectorIndexState;
  indexer: IndexerState;
  space: SpaceStatus;
}): Record<string, PartHealth> => ({
  store: storeHealth(facts.counts),
  queue: queueHealth(facts.counts),
  chroma: chromaHealth(facts.chroma, facts.indexer),
  embedder: embedderHealth(facts.space),
});
