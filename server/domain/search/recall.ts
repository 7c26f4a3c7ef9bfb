// The search of /v4: memories, passages of documents, or both as one list.
import type { SearchMemoriesInput } from '../../../tools/shared/search.ts';
import type { MemoryStore } from '../../adapters/store/memory-port.ts';
import type { Passage, Restriction, Units } from '../../adapters/store/port.ts';
import type { MemorySources, RecallStore } from '../../adapters/store/recall-port.ts';
import type { Scope } from '../../lib/scope.ts';
import { type AggregateDeps, aggregate } from './aggregate.ts';
import { explained, partsFrom } from './explain.ts';
import { type FindDeps, startFinding, type Target } from './find.ts';
import { fuse } from './fuse.ts';
import { type Hit, merge } from './merge.ts';
import type { Notes } from './notes.ts';
import { placesOf } from './places.ts';
import { basisOf, restrictionOf, type SearchLimits, type SearchMode } from './plan.ts';
import { chunkResult, judgedText, type Result, type ShownPassage } from './present.ts';
import { type Around, memoryResult } from './present-memory.ts';
import { speakersIn } from './priors.ts';
import type { Ranked } from './rank.ts';
import { rarityAmongStatements } from './rarity.ts';
import { type RerankDeps, rerank } from './rerank.ts';
import { inSeveralWordings, type RewordDeps } from './reword.ts';
import { type MemoryUnit, memoryUnit, type Rankable } from './unit.ts';
import type { Watch } from './watch.ts';
import { inWindows, type LeftOut } from './window.ts';

export interface RecallDeps extends FindDeps, RerankDeps, RewordDeps, AggregateDeps {
  memories: MemoryStore;
  recall: RecallStore;
  limits: SearchLimits;
}

interface Request {
  scope: Scope;
  input: SearchMemoriesInput;
  signal: AbortSignal;
  notes: Notes;
  watch: Watch | null;
}

/** Which kinds of things answer. */
interface Kinds {
  memories: boolean;
  /** `unspoken`: only those that no memory speaks for. */
  chunks: 'all' | 'unspoken' | 'none';
}

/**
 * A document is found in every mode as soon as it is done: until its memories are drawn, and where none could be drawn
 * from it, its passages stand in for them. One that was added to be searched alone (superrag) has no part in memories.
 */
function kindsOf(mode: SearchMode, { chunks }: SearchMemoriesInput['include']): Kinds {
  if (mode === 'documents') return { memories: false, chunks: 'all' };
  return { memories: true, chunks: mode === 'memories' && !chunks ? 'unspoken' : 'all' };
}

interface Found {
  memories: readonly Ranked<MemoryUnit>[];
  chunks: readonly Ranked<Passage>[];
  /** Chunks of what was searched may state memories. */
  mayState: boolean;
}

export const memoriesOnly = (restriction: Restriction, forgotten: boolean): Restriction => ({
  ...restriction,
  units: 'memories',
  ...(forgotten ? { forgotten } : {}),
});

export const memoryTarget = (
  { recall }: RecallDeps,
  scope: Scope,
  restriction: Restriction,
  results: number,
): Target<MemoryUnit> => ({
  restriction,
  read: async (ns) => (await recall.statements(scope, restriction, ns)).map(memoryUnit),
  rarity: rarityAmongStatements,
  results,
  counts: 'units',
  documentMustExist: false,
});

const chunkTarget = (
  { store }: RecallDeps,
  scope: Scope,
  restriction: Restriction,
  results: number,
): Target<Passage> => {
  // What stood in for its memories when it was found is shown, though they may be there by now.
  const { unspoken: _, ...lasting } = restriction;
  return {
    restriction,
    read: (ns) => store.passages(scope, lasting, ns),
    results,
    counts: 'units',
    documentMustExist: false,
  };
};

/** What is to be searched, of both kinds. */
interface Targets {
  memories: Target<MemoryUnit> | null;
  chunks: Target<Passage> | null;
}

function targetsOf(deps: RecallDeps, { scope, input }: Request): Targets {
  const { searchMode, include, limit } = input;
  const kinds = kindsOf(searchMode, include);
  const all = restrictionOf(input);
  const ofMemories = memoriesOnly(all, include.forgottenMemories);
  const ofChunks = kinds.chunks === 'unspoken' ? { ...all, unspoken: true } : all;
  return {
    memories: kinds.memories ? memoryTarget(deps, scope, ofMemories, limit) : null,
    chunks: kinds.chunks === 'none' ? null : chunkTarget(deps, scope, ofChunks, limit),
  };
}

/** Both kinds are asked with one vector. */
async function findBoth(deps: RecallDeps, request: Request, text: string): Promise<Found> {
  const { scope, input, signal, watch } = request;
  const targets = targetsOf(deps, request);
  const asked = { scope, text, basis: basisOf(input.searchMode), signal, watch };
  const finding = startFinding(deps, asked);
  // Memories afterwards: those drawn meanwhile must be missing on neither side.
  const chunks = targets.chunks && (await finding.open(targets.chunks));
  const memories = targets.memories && (await finding.open(targets.memories));
  const query = await finding.embed([memories, chunks]);
  const [foundMemories, foundChunks] = await Promise.all([
    finding.finish(memories, query),
    finding.finish(chunks, query),
  ]);
  const mayState = memories !== null || (chunks?.plan.anyMemory ?? false);
  return { memories: foundMemories, chunks: foundChunks, mayState };
}

async function findInAllWordings(deps: RecallDeps, request: Request): Promise<Found> {
  const [original, ...others] = await inSeveralWordings<Found>(
    deps,
    request.input,
    {
      find: (text) => findBoth(deps, request, text),
      speakers: ({ chunks }) => speakersIn(chunks.map(({ unit }) => unit)),
    },
    request,
  );
  return {
    memories: fuse([original.memories, ...others.map(({ memories }) => memories)]),
    chunks: fuse([original.chunks, ...others.map(({ chunks }) => chunks)]),
    mayState: original.mayState,
  };
}

export const aboveFloor = <Unit extends Rankable>(
  ranked: readonly Ranked<Unit>[],
  floor: number,
): Ranked<Unit>[] => ranked.filter(({ similarity }) => similarity >= floor);

/** Leaves out what comes from documents alone of which nothing reaches the floor. */
async function aboveDocumentFloor(
  { recall }: RecallDeps,
  scope: Scope,
  found: Found,
  floor: number,
): Promise<Found> {
  if (floor === 0) return found;
  const { memories, chunks } = found;
  const sources = await recall.sources(
    scope,
    memories.map(({ unit }) => unit.n),
  );
  const documentsOf = (n: number) => sources.get(n)?.documents ?? [];
  const good = new Set([
    ...aboveFloor(chunks, floor).map(({ unit }) => unit.document.n),
    ...aboveFloor(memories, floor).flatMap(({ unit }) => documentsOf(unit.n).map(({ n }) => n)),
  ]);
  return {
    ...found,
    memories: memories.filter(({ unit }) => documentsOf(unit.n).some(({ n }) => good.has(n))),
    chunks: chunks.filter(({ unit }) => good.has(unit.document.n)),
  };
}

async function aboveFloors(deps: RecallDeps, { scope, input, watch }: Request, all: Found): Promise<Found> {
  const floor = Math.max(input.threshold, input.chunkThreshold);
  const above = {
    ...all,
    memories: aboveFloor(all.memories, floor),
    chunks: aboveFloor(all.chunks, floor),
  };
  watch?.passed('threshold', [...above.memories, ...above.chunks]);
  const found = await aboveDocumentFloor(deps, scope, above, input.documentThreshold);
  watch?.passed('documentThreshold', [...found.memories, ...found.chunks]);
  return found;
}

async function merged({ recall }: RecallDeps, { scope, input }: Request, found: Found): Promise<Hit[]> {
  const { include, searchMode } = input;
  const asksForStated = searchMode !== 'documents' && found.mayState;
  return merge({
    ...found,
    stated: asksForStated
      ? await recall.stated(
          scope,
          found.chunks.map(({ unit }) => unit.n),
        )
      : new Map(),
    forgotten: include.forgottenMemories,
    memoriesFirst: include.chunks,
  });
}

/** What somebody wanted forgotten does not come back beside something else. */
const forgottenAmong =
  ({ recall }: RecallDeps, { scope, input }: Request, { mayState }: Found): LeftOut =>
  async (ns) => {
    if (input.include.forgottenMemories || input.searchMode === 'documents' || !mayState) return new Set();
    const stated = await recall.stated(scope, ns);
    return new Set([...stated].flatMap(([n, { forgotten }]) => (forgotten ? [n] : [])));
  };

/** The passages as they are shown; what a window shows already is not one result more. */
async function windowed(
  deps: RecallDeps,
  request: Request,
  hits: readonly Hit[],
  found: Found,
): Promise<Map<number, ShownPassage>> {
  const { store } = deps;
  const { scope, input } = request;
  const chunks = hits.flatMap(({ kind, hit }) => (kind === 'chunk' ? [hit] : []));
  const windows = await inWindows(store, scope, chunks, input, forgottenAmong(deps, request, found));
  const places = await placesOf(
    store,
    scope,
    windows.map(({ hit }) => hit.unit),
  );
  return new Map(
    windows.map(({ hit, shown: around }) => {
      const place = places.get(hit.unit.n) ?? 0;
      return [hit.unit.n, { hit, around, place, inContext: input.window > 0 }];
    }),
  );
}

/** The chunks behind memories, each with what it reached by itself. */
async function chunksBehind(
  { store }: RecallDeps,
  scope: Scope,
  sources: readonly MemorySources[],
  ranked: readonly Ranked<Passage>[],
): Promise<(of: MemorySources) => NonNullable<Around['chunks']>> {
  const reached = new Map(ranked.map(({ unit, similarity }) => [unit.n, similarity]));
  const ns = [...new Set(sources.flatMap(({ chunks }) => chunks))];
  const passages = new Map((await store.passages(scope, {}, ns)).map((passage) => [passage.n, passage]));
  const places = await placesOf(store, scope, [...passages.values()]);
  return ({ chunks }) =>
    chunks.flatMap((n) => {
      const passage = passages.get(n);
      return passage ? [{ passage, similarity: reached.get(n) ?? 0, place: places.get(n) ?? 0 }] : [];
    });
}

const NO_SOURCES: MemorySources = { documents: [], chunks: [] };

async function aroundMemories(
  deps: RecallDeps,
  { scope, input }: Request,
  hits: readonly Hit[],
  ranked: readonly Ranked<Passage>[],
): Promise<(n: number) => Around> {
  const { include } = input;
  const ns = hits.flatMap(({ kind, hit }) => (kind === 'memory' ? [hit.unit.n] : []));
  const [sources, relatives] = await Promise.all([
    deps.recall.sources(scope, ns),
    include.relatedMemories ? deps.memories.relatives(scope, ns, include.forgottenMemories) : null,
  ]);
  const behind = include.chunks ? await chunksBehind(deps, scope, [...sources.values()], ranked) : () => null;
  return (n) => {
    const own = sources.get(n) ?? NO_SOURCES;
    const near = relatives && (relatives.get(n) ?? { parents: [], children: [], related: [] });
    return { sources: own, relatives: near, chunks: behind(own) };
  };
}

const hitOf = ({ hit }: Hit) => hit;
const textOf = ({ kind, hit }: Hit): string => (kind === 'memory' ? hit.unit.text : judgedText(hit.unit));

/** Those that do not stand in the window of another: for whoever asks why one is missing. */
function notShownAround(items: readonly Hit[], windows: ReadonlyMap<number, ShownPassage>): Hit[] {
  const neighbours = [...windows].flatMap(([n, { around }]) => around.filter((chunk) => chunk.n !== n));
  const shown = new Set(neighbours.map(({ n }) => n));
  return items.filter(({ hit }) => !shown.has(hit.unit.n));
}

export async function searchMemories(deps: RecallDeps, request: Request): Promise<Result[]> {
  const { input, watch } = request;
  const all = await findInAllWordings(deps, request);
  watch?.passed('found', [...all.memories, ...all.chunks]);
  const merging = await merged(deps, request, await aboveFloors(deps, request, all));
  watch?.passed('stated', merging.map(hitOf));
  const { items, scores } = await rerank(deps, input, merging, textOf, request);
  for (const [{ hit }, score] of scores) watch?.rerankedTo(hit.unit.n, score);
  const windows = await windowed(deps, request, items, all);
  for (const [n, { around }] of windows) watch?.windowOf(n, around);
  const apart = items.filter(({ kind, hit }) => kind === 'memory' || windows.has(hit.unit.n));
  watch?.passed('window', notShownAround(items, windows).map(hitOf));
  const hits = apart.slice(0, input.limit);
  watch?.passed('limit', hits.map(hitOf));
  const aroundMemory = await aroundMemories(deps, request, hits, all.chunks);
  const explain = watch && partsFrom(watch);
  const results = hits.flatMap(({ kind, hit }) => {
    const { n, date } = hit.unit;
    const shown = kind === 'chunk' ? windows.get(n) : undefined;
    const told =
      kind === 'memory'
        ? memoryResult(hit, aroundMemory(n), input.include)
        : shown && chunkResult(shown, input.include);
    return told ? [{ date, result: { ...told, ...explained(explain, n) } }] : [];
  });
  return aggregate(deps, input, results, request);
}

/** What is searched of each kind, for those who ask why something was not found. */
export function restrictionsOf(deps: RecallDeps, request: Request): Record<Units, Restriction | null> {
  const { memories, chunks } = targetsOf(deps, request);
  return { memories: memories?.restriction ?? null, chunks: chunks?.restriction ?? null };
}
