// The semantic side: the query as a vector, and how near the chunks are to it. Cosines always come from the vectors in
// SQL; the index only proposes where to look in a wide scope.
import type { Embedder, SpaceName } from '../../adapters/embed/port.ts';
import type {
  Calibration,
  KeywordMatches,
  Restriction,
  SearchStore,
  VectorMatch,
} from '../../adapters/store/port.ts';
import type { VectorIndex } from '../../adapters/vectors/port.ts';
import type { Scope } from '../../lib/scope.ts';
import type { Plan } from './plan.ts';
import type { Question } from './question.ts';
import { rarityOf } from './rarity.ts';

/** The embedding space that serves. */
export interface ActiveSpace {
  id: number;
  name: SpaceName;
  calibration: Calibration;
  embedder: Embedder;
}

export interface SemanticDeps {
  store: SearchStore;
  index: VectorIndex | null;
  /** Whether the index holds the space, but for what waits for it; left out: whenever it answers. */
  isWhole?: (space: number) => boolean;
  /** Told when a search went on without a part that failed. */
  trouble: (sentence: string, cause: unknown) => void;
}

export interface SemanticRequest {
  scope: Scope;
  restriction: Restriction;
  plan: Plan;
  space: ActiveSpace;
  vector: Float32Array;
  /** Chunks that the words found: their cosines are wanted too. */
  alsoCompare: readonly number[];
  signal: AbortSignal;
}

/** How near chunks are in meaning. */
export interface Nearness {
  /** Nearest first. */
  nearest: readonly number[];
  /** Null: the chunk has no vector. */
  cosine(n: number): number | null;
}

export const NO_NEARNESS: Nearness = { nearest: [], cosine: () => null };

/** The query's vector; null, and a word to `trouble`, when the embedder does not answer in time. */
export async function embedQuestion(
  deps: SemanticDeps,
  space: ActiveSpace,
  question: Question,
  found: Pick<KeywordMatches, 'frequencies' | 'chunks'>,
  wait: { signal: AbortSignal; ms: number },
): Promise<Float32Array | null> {
  const frequencies = new Map(question.terms.map((term, at) => [term, found.frequencies[at] ?? 0]));
  const weigh = (term: string) => rarityOf(term, frequencies.get(term) ?? 0, found.chunks);
  const patience = AbortSignal.any([wait.signal, AbortSignal.timeout(wait.ms)]);
  try {
    return await space.embedder.embedQuery(question.text, weigh, patience);
  } catch (error) {
    wait.signal.throwIfAborted();
    deps.trouble(`The embedder ${space.name.embedder} did not answer; searching by words alone.`, error);
    return null;
  }
}

/**
 * The index proposes from what everybody has, and SQL leaves what is the scope's own: a filter costs Chroma six to ten
 * times as much (100,000 vectors, 2 cores: 1,000 proposals 24–31 ms, of one container 177–522 ms, 2,000 28–40 ms, all on a
 * busy machine). Of scopes with 50, 30 and 14 % of all, what survives of 2,000 holds 0.99, 0.98 and 0.98 of the true ten
 * nearest; of 1,000 it holds 0.96, 0.97 and 0.93, and 0.90 where 5 % are the scope's.
 */
const AMONG_OTHERS = 2;
/** With a smaller share comparing all that the scope has is as quick and misses nothing. */
const FEWEST_SHARE = 0.1;

/** Null when the index does not answer. */
async function askIndex(
  deps: SemanticDeps & { index: VectorIndex },
  { scope, plan, space, vector, signal }: SemanticRequest,
): Promise<number[] | null> {
  try {
    const k = plan.containers === null ? plan.cosines : AMONG_OTHERS * plan.cosines;
    const nearest = await deps.index.nearest(scope, { space: space.id, vector, k }, signal);
    return nearest.map(({ n }) => n);
  } catch (error) {
    signal.throwIfAborted();
    deps.trouble('The vector index did not answer; comparing every vector instead.', error);
    return null;
  }
}

/** What the index proposes and what it lacks, compared in SQL; null when it is down, far behind, or too little survives. */
async function compareProposed(
  deps: SemanticDeps,
  request: SemanticRequest,
  fewest: number,
): Promise<VectorMatch[] | null> {
  const { scope, restriction, plan, space, vector, alsoCompare } = request;
  const { index, isWhole = () => true } = deps;
  if (index === null || !isWhole(space.id)) return null;
  const pending = await deps.store.pending(scope, space.id, plan.pending);
  if (pending === null) return null;
  const proposed = await askIndex({ ...deps, index }, request);
  if (proposed === null) return null;
  const candidates = [...new Set([...proposed, ...pending, ...alsoCompare])];
  const compared = await deps.store.compare(scope, restriction, {
    space: space.id,
    vector,
    candidates,
    limit: candidates.length + plan.cosines,
  });
  const survivors = new Set(compared.map(({ n }) => n));
  const own = proposed.filter((n) => survivors.has(n)).length;
  const tooFew = plan.containers === null ? 0 : FEWEST_SHARE * proposed.length;
  return own < Math.max(fewest, tooFew) ? null : compared;
}

async function cosinesOf(
  deps: SemanticDeps,
  request: SemanticRequest,
  fewest: number,
): Promise<VectorMatch[]> {
  const { scope, restriction, plan, space, vector } = request;
  const proposed = plan.wide ? await compareProposed(deps, request, fewest) : null;
  if (proposed !== null) return proposed;
  return deps.store.scan(scope, restriction, {
    space: space.id,
    vector,
    limit: plan.cosines,
    wide: plan.wide,
  });
}

/**
 * Of cosines that stand nearest first. A chunk beyond those that were asked for is at most as near as the last of them,
 * and that it is taken for; where all of them were compared, one that is missing has no vector yet.
 */
export function nearnessFrom(cosines: readonly VectorMatch[], plan: Plan): Nearness {
  const known = new Map(cosines.map(({ n, cosine }) => [n, cosine]));
  const complete = plan.chunks <= plan.cosines;
  const beyond = complete ? null : (cosines.at(-1)?.cosine ?? null);
  return { nearest: cosines.map(({ n }) => n), cosine: (n) => known.get(n) ?? beyond };
}

/** `fewest`: below this many surviving proposals every vector of the scope is compared. */
export async function compareMeaning(
  deps: SemanticDeps,
  request: SemanticRequest,
  fewest: number,
): Promise<Nearness> {
  return nearnessFrom(await cosinesOf(deps, request, fewest), request.plan);
}
