// The search of /v4: memories, passages of documents, or both as one list.
// Find → fuse wordings → thresholds → fuse memories and passages → rerank → windows → present → aggregate.
import type { SearchMemoriesInput } from '../../../tools/search/schemas/inputs.ts';
import type { Stated } from '../../adapters/store/ports/recall.ts';
import { createResultExplainer, explanationField, type ResultExplainer } from './explain/explain.ts';
import { embedForTargets, openTarget, rankTarget, startQuery } from './find-candidates.ts';
import { readMemoryContexts } from './memory-context.ts';
import { memorySearchTargets } from './memory-search-targets.ts';
import { aggregate, type DatedResult } from './options/aggregate.ts';
import { rerank } from './options/rerank.ts';
import { searchAllWordings } from './options/rewrite-query.ts';
import { evidenceBasis } from './query/search-mode.ts';
import {
  fuseMemoriesAndPassages,
  type RankedMemory,
  type RankedPassage,
  type SearchHit,
} from './ranking/fuse-memories-and-passages.ts';
import { fuseWordings } from './ranking/fuse-wordings.ts';
import { speakersIn } from './ranking/priors.ts';
import { aboveDocumentThreshold, aboveThreshold } from './ranking/thresholds.ts';
import { chunkPositions } from './results/chunk-positions.ts';
import { chunkResult, type MemorySearchResult, rerankText, type ShownPassage } from './results/present.ts';
import { type MemoryContext, memoryResult } from './results/present-memory.ts';
import { showInWindows } from './results/windows.ts';
import { type Conceal, concealForgotten, concealNothing } from './results/without-forgotten.ts';
import type { SearchContext } from './search-context.ts';

interface FoundCandidates {
  memories: readonly RankedMemory[];
  chunks: readonly RankedPassage[];
  /** False: no chunk in the searched scope can state a memory. */
  mayState: boolean;
}

// --- find -------------------------------------------------------------------------------------------

/** Searches both kinds of candidates with one vector. */
const findBothKinds = async (
  context: SearchContext,
  input: SearchMemoriesInput,
  text: string,
): Promise<FoundCandidates> => {
  const targets = memorySearchTargets(context, input);
  const run = startQuery(context, text, evidenceBasis(input.searchMode));
  // Memories come second: a memory that is drawn in between must not be missing on both sides.
  const chunks = await openTarget(run, targets.chunks);
  const memories = targets.memories && (await openTarget(run, targets.memories));
  const vector = await embedForTargets(run, [memories, chunks]);
  const [rankedMemories, rankedChunks] = await Promise.all([
    rankTarget(run, memories, vector),
    rankTarget(run, chunks, vector),
  ]);
  const mayState = memories !== null || (chunks?.plan.anyMemory ?? false);
  return { memories: rankedMemories, chunks: rankedChunks, mayState };
};

const findInAllWordings = async (
  context: SearchContext,
  input: SearchMemoriesInput,
): Promise<FoundCandidates> => {
  const [original, ...others] = await searchAllWordings<FoundCandidates>(context, input, {
    find: (text) => findBothKinds(context, input, text),
    speakers: ({ chunks }) => speakersIn(chunks.map(({ candidate }) => candidate)),
  });
  return {
    memories: fuseWordings([original.memories, ...others.map(({ memories }) => memories)]),
    chunks: fuseWordings([original.chunks, ...others.map(({ chunks }) => chunks)]),
    mayState: original.mayState,
  };
};

// --- thresholds -------------------------------------------------------------------------------------

const aboveThresholds = async (
  context: SearchContext,
  { threshold, chunkThreshold, documentThreshold }: SearchMemoriesInput,
  found: FoundCandidates,
): Promise<FoundCandidates> => {
  const { trace } = context;
  const lowest = Math.max(threshold, chunkThreshold);
  const above = {
    ...found,
    memories: aboveThreshold(found.memories, lowest),
    chunks: aboveThreshold(found.chunks, lowest),
  };
  trace?.addStep('threshold', [...above.memories, ...above.chunks]);
  const remaining = await aboveDocumentThreshold(context, above, documentThreshold);
  trace?.addStep('documentThreshold', [...remaining.memories, ...remaining.chunks]);
  return remaining;
};

// --- fuse -------------------------------------------------------------------------------------------

interface FusedHits {
  hits: SearchHit[];
  /** The passages that state what is forgotten beside other things. */
  partly: ReadonlySet<number>;
}

const fuse = async (
  { recall, scope }: SearchContext,
  { include, searchMode }: SearchMemoriesInput,
  found: FoundCandidates,
): Promise<FusedHits> => {
  const readsStated = searchMode !== 'documents' && found.mayState;
  const stated = readsStated
    ? await recall.stated(
        scope,
        found.chunks.map(({ candidate }) => candidate.n),
      )
    : new Map<number, Stated>();
  const { forgottenMemories: forgotten } = include;
  // In memories mode a passage may come along as the neighbour of another; its memory is what was asked for.
  const memoriesFirst = include.chunks || searchMode === 'memories';
  const partly = new Set([...stated].flatMap(([n, of]) => (of.partly ? [n] : [])));
  return { hits: fuseMemoriesAndPassages({ ...found, stated, forgotten, memoriesFirst }), partly };
};

// --- rerank -----------------------------------------------------------------------------------------

const rankedOf = ({ ranked }: SearchHit) => ranked;

const hitText = ({ kind, ranked }: SearchHit): string =>
  kind === 'memory' ? ranked.candidate.text : rerankText(ranked.candidate);

const rerankHits = async (
  context: SearchContext,
  input: SearchMemoriesInput,
  hits: readonly SearchHit[],
): Promise<readonly SearchHit[]> => {
  const { items, scores } = await rerank(context, input, hits, hitText);
  for (const [{ ranked }, score] of scores) context.trace?.addRerankScore(ranked.candidate.n, score);
  return items;
};

// --- windows ----------------------------------------------------------------------------------------

/** A forgotten memory must not come back inside a passage, nor in the neighbour of another. */
const concealFor = (
  context: SearchContext,
  { include, searchMode }: SearchMemoriesInput,
  { mayState }: FoundCandidates,
): Conceal =>
  include.forgottenMemories || searchMode === 'documents' || !mayState
    ? concealNothing
    : concealForgotten(context);

/** The hits with their passages as they may be shown. */
const concealHits = async (
  hits: readonly SearchHit[],
  partly: ReadonlySet<number>,
  conceal: Conceal,
): Promise<readonly SearchHit[]> => {
  if (partly.size === 0) return hits;
  const passages = hits.flatMap(({ kind, ranked }) => (kind === 'chunk' ? [ranked.candidate] : []));
  const concealed = await conceal(passages.filter(({ n }) => partly.has(n)));
  const shown = new Map(concealed.map((passage) => [passage.n, passage]));
  return hits.flatMap((hit): SearchHit[] => {
    if (hit.kind === 'memory' || !partly.has(hit.ranked.candidate.n)) return [hit];
    const candidate = shown.get(hit.ranked.candidate.n);
    return candidate ? [{ kind: 'chunk', ranked: { ...hit.ranked, candidate } }] : [];
  });
};

/** The passages with their windows, by number; a passage inside the window of another is not among them. */
const showPassages = async (
  context: SearchContext,
  input: SearchMemoriesInput,
  hits: readonly SearchHit[],
  conceal: Conceal,
): Promise<Map<number, ShownPassage>> => {
  const { limit, window } = input;
  const passages = hits.flatMap(({ kind, ranked }) => (kind === 'chunk' ? [ranked] : []));
  const windows = await showInWindows(context, passages, { limit, window, conceal });
  const positions = await chunkPositions(
    context,
    windows.map(({ ranked }) => ranked.candidate),
  );
  return new Map(
    windows.map(({ ranked, shown: around }) => {
      const { n } = ranked.candidate;
      return [n, { ranked, around, position: positions.get(n) ?? 0, inContext: window > 0 }];
    }),
  );
};

/** The hits that no window of another hit shows, for the explanation. */
const notShownAround = (
  hits: readonly SearchHit[],
  shown: ReadonlyMap<number, ShownPassage>,
): SearchHit[] => {
  const neighbours = [...shown].flatMap(([n, { around }]) => around.filter((chunk) => chunk.n !== n));
  const numbers = new Set(neighbours.map(({ n }) => n));
  return hits.filter(({ ranked }) => !numbers.has(ranked.candidate.n));
};

// --- present ----------------------------------------------------------------------------------------

interface PresentationInput {
  readonly include: SearchMemoriesInput['include'];
  readonly shown: ReadonlyMap<number, ShownPassage>;
  readonly memoryContext: (n: number) => MemoryContext;
  readonly explain: ResultExplainer | null;
}

/** Empty for a passage without a window. */
const presentHit = (
  { kind, ranked }: SearchHit,
  { include, shown, memoryContext, explain }: PresentationInput,
): DatedResult[] => {
  const { n, date } = ranked.candidate;
  const passage = kind === 'chunk' ? shown.get(n) : undefined;
  const result =
    kind === 'memory'
      ? memoryResult(ranked, memoryContext(n), include)
      : passage && chunkResult(passage, include);
  return result ? [{ date, result: { ...result, ...explanationField(explain, n) } }] : [];
};

// --- all stages -------------------------------------------------------------------------------------

export const searchMemories = async (
  context: SearchContext,
  input: SearchMemoriesInput,
): Promise<MemorySearchResult[]> => {
  const { trace } = context;
  const { include } = input;
  const found = await findInAllWordings(context, input);
  trace?.addStep('found', [...found.memories, ...found.chunks]);
  const { hits: fused, partly } = await fuse(context, input, await aboveThresholds(context, input, found));
  trace?.addStep('stated', fused.map(rankedOf));
  const conceal = concealFor(context, input, found);
  // Before the reranker, which may be a service of others.
  const ordered = await rerankHits(context, input, await concealHits(fused, partly, conceal));
  const shown = await showPassages(context, input, ordered, conceal);
  for (const [n, { around }] of shown) trace?.addWindow(n, around);
  trace?.addStep('window', notShownAround(ordered, shown).map(rankedOf));
  const apart = ordered.filter(({ kind, ranked }) => kind === 'memory' || shown.has(ranked.candidate.n));
  const hits = apart.slice(0, input.limit);
  trace?.addStep('limit', hits.map(rankedOf));
  const memoryContext = await readMemoryContexts(context, input, hits, { ranked: found.chunks, conceal });
  const explain = trace && createResultExplainer(trace);
  const results = hits.flatMap((hit) => presentHit(hit, { include, shown, memoryContext, explain }));
  return aggregate(context, input, results);
};
