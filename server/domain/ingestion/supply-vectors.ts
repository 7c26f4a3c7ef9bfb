// Computes the vectors of planned documents; a vector that a document already has is reused.
import type { Passage } from '../../adapters/embed/port.ts';
import type { StepNews, StoredChunk } from '../../adapters/store/ports/ingestion/claims.ts';
import type { IngestStore } from '../../adapters/store/ports/ingestion/ingest.ts';
import type { FillSpace } from '../../adapters/store/ports/spaces.ts';
import { seenBy } from './chunking/describe-chunks.ts';
import { type FilledSpace, needsVector, type Plan, type Vectors } from './reconcile.ts';

interface Wanted {
  hash: string;
  passage: Passage;
}

export interface Demand {
  reused: Vectors;
  /** The inputs to embed, each once, plan by plan. */
  wanted: readonly Wanted[];
  /** The number of these inputs for each plan. */
  shares: ReadonlyMap<Plan, number>;
}

/** A shorter document has no progress report. */
const LONG_CHUNKS = 32;

/** The vectors that the document already has, by the hash of their input. */
const reusable = async (
  store: IngestStore,
  space: FillSpace,
  former: readonly StoredChunk[],
): Promise<Vectors> => {
  const vectors = await store.vectorsOf(
    space,
    former.map((chunk) => chunk.n),
  );
  return new Map(
    former.flatMap((chunk) => {
      const vector = vectors.get(chunk.n);
      return vector ? [[chunk.inputHash, vector] as const] : [];
    }),
  );
};

/** The stored chunks whose vectors the new chunks need again. */
const sameInputs = (former: readonly StoredChunk[], matches: Plan['matches']): StoredChunk[] => {
  if (former.length === 0) return [];
  const wanted = new Set(matches.filter(needsVector).map(({ hash }) => hash));
  return former.filter(({ inputHash }) => wanted.has(inputHash));
};

const reusedBy = async (store: IngestStore, space: FillSpace, plans: readonly Plan[]): Promise<Vectors> => {
  const vectors: Vectors = new Map();
  for (const { prepared, matches } of plans)
    for (const [hash, vector] of await reusable(store, space, sameInputs(prepared.claim.chunks, matches)))
      vectors.set(hash, vector);
  return vectors;
};

export const vectorDemand = async (
  store: IngestStore,
  space: FilledSpace,
  plans: readonly Plan[],
): Promise<Demand> => {
  const reused = await reusedBy(store, space, plans);
  const wanted = new Map<string, Wanted>();
  const shares = new Map<Plan, number>();
  for (const plan of plans) {
    const before = wanted.size;
    for (const match of plan.matches)
      if (needsVector(match) && !reused.has(match.hash) && !wanted.has(match.hash))
        wanted.set(match.hash, {
          hash: match.hash,
          passage: seenBy(space.embedder.context, match.chunk.passage),
        });
    shares.set(plan, wanted.size - before);
  }
  return { reused, wanted: [...wanted.values()], shares };
};

/** `embedded` is called with the number of vectors of each batch. */
export const supplyVectors = async (
  space: FilledSpace,
  { reused, wanted }: Demand,
  signal: AbortSignal,
  embedded?: (count: number) => void,
): Promise<Vectors> => {
  if (wanted.length === 0) return reused;
  const vectors = new Map(reused);
  const computed = await space.embedder.embed(
    wanted.map((entry) => entry.passage),
    signal,
    embedded,
  );
  wanted.forEach((entry, index) => {
    const vector = computed[index];
    if (vector) vectors.set(entry.hash, vector);
  });
  return vectors;
};

export const vectorsFor = async (
  store: IngestStore,
  space: FilledSpace,
  plans: readonly Plan[],
  signal: AbortSignal,
): Promise<Vectors> => supplyVectors(space, await vectorDemand(store, space, plans), signal);

/** The progress of each document after this many vectors, which arrive about in order. */
export const embeddingNews = ({ shares }: Demand, embedded: number): StepNews[] => {
  let before = 0;
  return [...shares].flatMap(([{ prepared, matches, before: earlier }, share]) => {
    if (share === 0) return [];
    const missing = share - Math.min(share, Math.max(0, embedded - before));
    before += share;
    const total = prepared.drafts.length;
    const done = earlier + matches.length - missing;
    const progress = total < LONG_CHUNKS ? {} : { progress: { done, total } };
    return [{ claim: prepared.claim, step: 'embedding' as const, ...progress }];
  });
};
