// The vectors that planned documents need: reused where a document has them, embedded where it does not.
import type { Passage } from '../../adapters/embed/port.ts';
import type { FillSpace, IndexedChunk, IngestStore, StepNews } from '../../adapters/store/ingest-port.ts';
import { seenBy } from './describe.ts';
import { type FilledSpace, needsVector, type Plan, type Vectors } from './reconcile.ts';

interface Wanted {
  hash: string;
  passage: Passage;
}

export interface Demand {
  reused: Vectors;
  /** What is to be embedded, each input once, plan by plan. */
  wanted: readonly Wanted[];
  /** How many of these came with each plan. */
  shares: ReadonlyMap<Plan, number>;
}

/** Of a shorter document nobody asks how far it is. */
const LONG_CHUNKS = 32;

/** Vectors that the document already has, by what they were computed from. */
const reusable = async (
  store: IngestStore,
  space: FillSpace,
  former: readonly IndexedChunk[],
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

/** Those of them that were computed from what is wanted now. */
const sameInputs = (former: readonly IndexedChunk[], matches: Plan['matches']): IndexedChunk[] => {
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

export const demandOf = async (
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

/** `embedded` hears of each number of vectors that came. */
export const supply = async (
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
): Promise<Vectors> => supply(space, await demandOf(store, space, plans), signal);

/** How far each document is once so many of the wanted were embedded: they come about in order. */
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
