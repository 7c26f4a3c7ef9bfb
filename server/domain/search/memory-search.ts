// The search of /v4: memories, passages of documents, or both as one list.
// Find → fuse wordings → lift passages → thresholds → fuse memories and passages → rerank → windows → present → aggregate.
import type { SearchMemoriesInput } from '../../../tools/search/schemas/inputs.ts';
import type { SourceRecord } from '../../adapters/store/ports/documents.ts';
import type { Outdated, Stated } from '../../adapters/store/ports/memories/recall.ts';
import type { QueryVector } from './evidence/semantic-evidence.ts';
import { createResultExplainer, explanationField, type ResultExplainer } from './explain/explain.ts';
import {
  comparedIn,
  embedForTargets,
  openTarget,
  type PlannedTarget,
  type QueryRun,
  rankTarget,
  startQuery,
} from './find-candidates.ts';
import { readMemoryContexts } from './memory-context.ts';
import { type MemorySearchTargets, memorySearchTargets } from './memory-search-targets.ts';
import { openMemorySearch } from './open-memory-search.ts';
import { aggregate, type DatedResult } from './options/aggregate.ts';
import { rerank } from './options/rerank.ts';
import { searchAllWordings } from './options/rewrite-query.ts';
import { evidenceBasis } from './query/search-mode.ts';
import { liftBesideAnswers } from './ranking/beside-answers.ts';
import type { SearchCandidate } from './ranking/candidate.ts';
import {
  fuseMemoriesAndPassages,
  liftPassages,
  partsOfHit,
  passageOfHit,
  type RankedMemory,
  type RankedPassage,
  type SearchHit,
} from './ranking/fuse-memories-and-passages.ts';
import { fuseWordings } from './ranking/fuse-wordings.ts';
import { laterFirst, liftLater, readDoubts } from './ranking/memories-in-doubt.ts';
import { behindReplacing, outdatedLast } from './ranking/outdated-passages.ts';
import { speakersIn } from './ranking/priors.ts';
import { readReplacing, withReplacing } from './ranking/replaced-statements.ts';
import { standingMemories } from './ranking/standing-memories.ts';
import { aboveDocumentThreshold, aboveThreshold } from './ranking/thresholds.ts';
import { chunkPositions } from './results/chunk-positions.ts';
import { concealHits, concealOutlines, needsPassage } from './results/conceal-hits.ts';
import {
  chunkResult,
  type MemorySearchResult,
  rerankText,
  type ShownPassage,
  type SourcePresentation,
} from './results/present.ts';
import { type MemoryContext, memoryResult } from './results/present-memory.ts';
import { type ShownWindow, showInWindows } from './results/windows.ts';
import { type Conceal, concealForgotten, concealNothing } from './results/without-forgotten.ts';
import type { SearchContext } from './search-context.ts';

interface FoundCandidates {
  memories: readonly RankedMemory[];
  chunks: readonly RankedPassage[];
  /** False: no chunk in the searched scope can state a memory. */
  mayState: boolean;
  /** True: no memory answers for sure, and all passages were searched too. */
  isUnanswered: boolean;
  /** The number of memories that were searched. */
  searched: number;
}

/** The lowest similarity of a result. */
const lowestOf = ({ threshold, chunkThreshold }: SearchMemoriesInput): number =>
  Math.max(threshold, chunkThreshold);

// --- find -------------------------------------------------------------------------------------------

const rankAllChunks = async (
  run: QueryRun,
  target: MemorySearchTargets['unanswered'],
  vector: QueryVector | null,
  memories: PlannedTarget<SearchCandidate> | null,
): Promise<readonly RankedPassage[]> => {
  if (target === null) return [];
  const planned = await openTarget(run, target);
  return rankTarget(run, planned, vector, comparedIn([memories, planned]));
};

/** Searches both kinds of candidates with one vector. */
const findBothKinds = async (
  context: SearchContext,
  input: SearchMemoriesInput,
  text: string,
): Promise<FoundCandidates> => {
  const targets = memorySearchTargets(context, input);
  const run = startQuery(context, text, evidenceBasis(input.searchMode));
  const [chunks, memories] = await openMemorySearch(run, targets);
  const vector = await embedForTargets(run, [memories, chunks]);
  const compared = comparedIn([memories, chunks]);
  const [rankedMemories, rankedChunks] = await Promise.all([
    rankTarget(run, memories, vector, compared),
    rankTarget(run, chunks, vector, compared),
  ]);
  const mayState = memories !== null || (chunks?.plan.anyMemory ?? false);
  const isUnanswered =
    memories !== null &&
    targets.unanswered !== null &&
    !rankedMemories.some(({ sure }) => sure >= lowestOf(input));
  if (isUnanswered) context.trace?.noteUnanswered();
  const all = isUnanswered ? await rankAllChunks(run, targets.unanswered, vector, memories) : rankedChunks;
  const searched = memories?.plan.chunks ?? 0;
  return { memories: rankedMemories, chunks: all, mayState, isUnanswered, searched };
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
    ...original,
    memories: fuseWordings([original.memories, ...others.map(({ memories }) => memories)]),
    chunks: fuseWordings([original.chunks, ...others.map(({ chunks }) => chunks)]),
  };
};

// --- thresholds -------------------------------------------------------------------------------------

const aboveThresholds = async (
  context: SearchContext,
  input: SearchMemoriesInput,
  found: FoundCandidates,
): Promise<FoundCandidates> => {
  const { trace } = context;
  const lowest = lowestOf(input);
  const above = {
    ...found,
    memories: aboveThreshold(found.memories, lowest),
    chunks: aboveThreshold(found.chunks, lowest),
  };
  trace?.addStep('threshold', [...above.memories, ...above.chunks]);
  const remaining = await aboveDocumentThreshold(context, above, input.documentThreshold);
  trace?.addStep('documentThreshold', [...remaining.memories, ...remaining.chunks]);
  return remaining;
};

// --- fuse -------------------------------------------------------------------------------------------

interface FusedHits {
  hits: readonly SearchHit[];
  /** The passages that state what is forgotten beside other things. */
  partly: ReadonlySet<number>;
}

const readStated = async (
  { recall, scope }: SearchContext,
  { searchMode }: SearchMemoriesInput,
  { chunks, mayState }: FoundCandidates,
): Promise<ReadonlyMap<number, Stated>> =>
  searchMode === 'documents' || !mayState
    ? new Map()
    : recall.stated(
        scope,
        chunks.map(({ candidate }) => candidate.n),
      );

/** A passage inside the window of another is no result of its own, so passages beyond the limit may take its place. */
const STANDING_PER_RESULT = 2;

/** The memories that stand for the passages that may be shown. */
const standingFor = (
  input: SearchMemoriesInput,
  { found, above, passages, stated }: FuseInput,
): ReadonlyMap<number, RankedMemory> => {
  const known = new Map(found.memories.map((memory) => [memory.candidate.n, memory]));
  const foundNumbers = new Set(above.memories.map(({ candidate }) => candidate.n));
  return standingMemories({
    query: input.q,
    passages: passages.slice(0, STANDING_PER_RESULT * input.limit),
    statedBy: ({ candidate }) => (stated.get(candidate.n)?.memories ?? []).flatMap((n) => known.get(n) ?? []),
    isFound: ({ candidate }) => foundNumbers.has(candidate.n),
  });
};

/** Passages that answer in place of memories state nothing that a memory has replaced. */
const readOutdated = async (
  { recall, scope }: SearchContext,
  { isUnanswered }: FoundCandidates,
  passages: readonly RankedPassage[],
): Promise<ReadonlyMap<number, Outdated>> => {
  const ns = isUnanswered ? passages.map(({ candidate }) => candidate.n) : [];
  return ns.length === 0 ? new Map() : recall.outdated(scope, ns);
};

/** The memory alone, as where memories answer: its passage only helped to find it. */
const withoutPassage = (hit: SearchHit): SearchHit =>
  hit.kind === 'memory' ? { ...hit, passage: null, isFound: true } : hit;

interface FuseInput {
  readonly found: FoundCandidates;
  /** The candidates that reach the thresholds. */
  readonly above: FoundCandidates;
  /** The passages above the thresholds that may be shown. */
  readonly passages: readonly RankedPassage[];
  readonly stated: ReadonlyMap<number, Stated>;
}

const fuse = async (
  context: SearchContext,
  input: SearchMemoriesInput,
  found: FoundCandidates,
): Promise<FusedHits> => {
  const stated = await readStated(context, input, found);
  // A threshold is a floor on the similarity that callers see.
  const chunks = liftPassages(found.chunks, found.memories, stated);
  const lowest = lowestOf(input);
  const passagesAbove = aboveThreshold(chunks, lowest).length;
  const answers = { ...found, passages: passagesAbove, lowest, limit: input.limit };
  const doubts = await readDoubts(context, found, lowest);
  const memories = liftBesideAnswers(input.q, { ...answers, memories: liftLater(found.memories, doubts) });
  const above = await aboveThresholds(context, input, { ...found, memories, chunks });
  const outdated = await readOutdated(context, found, above.chunks);
  const isShown = ({ candidate: { n } }: RankedPassage) =>
    outdated.get(n) !== 'wholly' && (input.include.forgottenMemories || stated.get(n)?.forgotten !== true);
  const passages = above.chunks.filter(isShown);
  const standing = standingFor(input, { found, above, passages, stated });
  const alone = passages
    .slice(0, found.isUnanswered ? 0 : STANDING_PER_RESULT * input.limit)
    .filter(({ candidate }) => !standing.has(candidate.n));
  const among = { query: input.q, passages: alone, stated, memories: found.memories };
  const replacing = await readReplacing(context, among);
  const partly = new Set([...stated].flatMap(([n, of]) => (of.partly ? [n] : [])));
  const answering = withReplacing(above.memories, among, replacing);
  const hits = fuseMemoriesAndPassages({ memories: answering, chunks: passages, standing });
  const ordered = laterFirst(found.isUnanswered ? hits.map(withoutPassage) : hits, doubts);
  return { hits: behindReplacing(outdatedLast(ordered, outdated), replacing), partly };
};

// --- rerank -----------------------------------------------------------------------------------------

const hitText = (hit: SearchHit): string => {
  const passage = passageOfHit(hit);
  return passage === null ? hit.ranked.candidate.text : rerankText(passage.candidate);
};

const rerankHits = async (
  context: SearchContext,
  input: SearchMemoriesInput,
  hits: readonly SearchHit[],
): Promise<readonly SearchHit[]> => {
  const { items, scores } = await rerank(context, input, hits, hitText);
  for (const [hit, score] of scores)
    for (const { candidate } of partsOfHit(hit)) context.trace?.addRerankScore(candidate.n, score);
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

/** The passages of found memories that the windows of others show: each is shown again by itself, with its place. */
const passagesOfTheirOwn = (
  hits: readonly SearchHit[],
  windows: readonly ShownWindow[],
  limit: number,
): ShownWindow[] => {
  const inWindows = new Set(windows.map(({ ranked }) => ranked.candidate.n));
  return hits
    .flatMap((hit) => (needsPassage(hit) ? [] : (passageOfHit(hit) ?? [])))
    .filter(({ candidate }) => !inWindows.has(candidate.n))
    .slice(0, limit)
    .map((ranked) => ({ ranked, shown: [ranked.candidate] }));
};

/** The passages as they are shown, by number. Not among them: those that are there inside the window of another. */
const showPassages = async (
  context: SearchContext,
  input: SearchMemoriesInput,
  hits: readonly SearchHit[],
  conceal: Conceal,
): Promise<Map<number, ShownPassage>> => {
  const { limit, window } = input;
  const passages = hits.flatMap((hit) => passageOfHit(hit) ?? []);
  const windows = await showInWindows(context, passages, { limit, window, conceal });
  const all = [...windows, ...passagesOfTheirOwn(hits, windows, limit)];
  const positions = await chunkPositions(
    context,
    all.map(({ ranked }) => ranked.candidate),
  );
  return new Map(
    all.map(({ ranked, shown: around }) => {
      const { n } = ranked.candidate;
      return [n, { ranked, around, position: positions.get(n) ?? 0, inContext: window > 0 }];
    }),
  );
};

/** The hits that are results of their own: a window of another hit may show a passage. */
const resultsOfTheirOwn = (
  hits: readonly SearchHit[],
  isNoNeighbour: (passage: number) => boolean,
): SearchHit[] =>
  hits.filter((hit) => {
    const passage = passageOfHit(hit);
    return !needsPassage(hit) || passage === null || isNoNeighbour(passage.candidate.n);
  });

/** The passages that windows show beside another one, for the explanation. */
const neighboursIn = (shown: ReadonlyMap<number, ShownPassage>): ReadonlySet<number> =>
  new Set(
    [...shown].flatMap(([n, { around }]) => around.filter((chunk) => chunk.n !== n).map((chunk) => chunk.n)),
  );

// --- present ----------------------------------------------------------------------------------------

interface PresentationInput {
  readonly sources: SourcePresentation;
  readonly shown: ReadonlyMap<number, ShownPassage>;
  readonly memoryContext: (n: number) => MemoryContext;
  readonly explain: ResultExplainer | null;
}

/** The number of the memory or of its passage: the better match of the two. */
const decidingPart = (hit: SearchHit): number => {
  const passage = passageOfHit(hit);
  return (passage && passage.similarity >= hit.ranked.similarity ? passage : hit.ranked).candidate.n;
};

const presentHit = (
  hit: SearchHit,
  { sources, shown, memoryContext, explain }: PresentationInput,
): DatedResult[] => {
  const { n, date } = hit.ranked.candidate;
  const passage = shown.get(passageOfHit(hit)?.candidate.n ?? n);
  const result =
    hit.kind === 'memory'
      ? memoryResult(hit.ranked, { ...memoryContext(n), passage }, sources)
      : passage && chunkResult(passage, sources);
  return result ? [{ date, result: { ...result, ...explanationField(explain, decidingPart(hit)) } }] : [];
};

/** The documents that the results name. */
const documentsOf = (
  hits: readonly SearchHit[],
  memoryContext: (n: number) => MemoryContext,
): readonly SourceRecord[] =>
  hits.flatMap((hit) =>
    hit.kind === 'memory'
      ? memoryContext(hit.ranked.candidate.n).sources.documents
      : [hit.ranked.candidate.document],
  );

// --- all stages -------------------------------------------------------------------------------------

export const searchMemories = async (
  context: SearchContext,
  input: SearchMemoriesInput,
): Promise<MemorySearchResult[]> => {
  const { trace } = context;
  const { include } = input;
  const found = await findInAllWordings(context, input);
  trace?.addStep('found', [...found.memories, ...found.chunks]);
  const { hits: fused, partly } = await fuse(context, input, found);
  trace?.addStep('stated', fused.flatMap(partsOfHit));
  const conceal = concealFor(context, input, found);
  // Before the reranker, which may be a service of others.
  const ordered = await rerankHits(context, input, await concealHits(input.q, fused, partly, conceal));
  const shown = await showPassages(context, input, ordered, conceal);
  for (const [n, { around }] of shown) trace?.addWindow(n, around);
  if (trace) {
    const neighbours = neighboursIn(shown);
    trace.addStep('window', resultsOfTheirOwn(ordered, (n) => !neighbours.has(n)).flatMap(partsOfHit));
  }
  const hits = resultsOfTheirOwn(ordered, (n) => shown.has(n)).slice(0, input.limit);
  trace?.addStep('limit', hits.flatMap(partsOfHit));
  const memoryContext = await readMemoryContexts(context, input, hits, { ranked: found.chunks, conceal });
  const documents = conceal === concealNothing ? [] : documentsOf(hits, memoryContext);
  const outlined = await concealOutlines(context, documents);
  const explain = trace && createResultExplainer(trace);
  const results = hits.flatMap((hit) =>
    presentHit(hit, { sources: { include, outlined }, shown, memoryContext, explain }),
  );
  return aggregate(context, input, results);
};
