// The targets of a memory search: memories, passages of documents, or both, as its search mode says.
import type { SearchMemoriesInput } from '../../../tools/search/schemas/inputs.ts';
import type { Restriction, UnitKind } from '../../adapters/store/ports/filters.ts';
import type { ChunkWithDocument } from '../../adapters/store/ports/search.ts';
import { namesAsked, saidStrength } from './evidence/said-words.ts';
import type { SearchTarget } from './find-candidates.ts';
import { restrictionOf, restrictionToMemories } from './query/restriction.ts';
import type { SearchMode } from './query/search-mode.ts';
import { type MemoryCandidate, memoryCandidate } from './ranking/candidate.ts';
import type { SearchContext } from './search-context.ts';
import {
  nameRarityAmongPassages,
  type TermRarity,
  termRarity,
  termRarityAmongMemories,
} from './words/rarity.ts';

interface SearchedKinds {
  memories: boolean;
  /** `unspoken`: only chunks of documents from which no memory was drawn. */
  chunks: 'all' | 'unspoken';
}

/**
 * A document is found in every mode as soon as it is done: until its memories are drawn, or when none could be drawn, its
 * passages stand in for them, and where no memory answers, all passages do. A document that was added for search alone (superrag) has no part in memories.
 */
const searchedKinds = (mode: SearchMode, { chunks }: SearchMemoriesInput['include']): SearchedKinds => {
  if (mode === 'documents') return { memories: false, chunks: 'all' };
  return { memories: true, chunks: mode === 'memories' && !chunks ? 'unspoken' : 'all' };
};

export const memoryTarget = (
  { recall, scope }: SearchContext,
  restriction: Restriction,
  results: number,
): SearchTarget<MemoryCandidate> => ({
  restriction,
  read: async (ns) => (await recall.statements(scope, restriction, ns)).map(memoryCandidate),
  rarity: termRarityAmongMemories,
  said: saidStrength,
  results,
  counts: 'candidates',
  documentMustExist: false,
});

const rarityWithNames = (question: string): TermRarity => {
  const names = namesAsked(question);
  return (term, ...counts) =>
    names.has(term) ? nameRarityAmongPassages(term, ...counts) : termRarity(term, ...counts);
};

const chunkTarget = (
  { store, scope }: SearchContext,
  { q, limit }: SearchMemoriesInput,
  restriction: Restriction,
  mayShow: (chunk: ChunkWithDocument) => boolean = () => true,
): SearchTarget<ChunkWithDocument> => {
  // A passage that was found in place of memories is shown even if its memories are drawn in the meantime.
  const { unspoken: _, ...lasting } = restriction;
  return {
    restriction,
    read: async (ns) => (await store.passages(scope, lasting, ns)).filter(mayShow),
    rarity: rarityWithNames(q),
    results: limit,
    counts: 'candidates',
    documentMustExist: false,
  };
};

export interface MemorySearchTargets {
  memories: SearchTarget<MemoryCandidate> | null;
  chunks: SearchTarget<ChunkWithDocument>;
  /** Searched in place of the chunks where no memory answers; null: the chunks are all that may be shown. */
  unanswered: SearchTarget<ChunkWithDocument> | null;
}

/** A document that was added for search alone has no part in memories, even where none answers. */
const isForMemories = ({ document }: ChunkWithDocument): boolean => document.taskType !== 'superrag';

export const memorySearchTargets = (
  context: SearchContext,
  input: SearchMemoriesInput,
): MemorySearchTargets => {
  const { searchMode, include, limit } = input;
  const kinds = searchedKinds(searchMode, include);
  const all = restrictionOf(input);
  const ofMemories = restrictionToMemories(all, include.forgottenMemories);
  const isNarrow = kinds.chunks === 'unspoken';
  return {
    memories: kinds.memories ? memoryTarget(context, ofMemories, limit) : null,
    chunks: chunkTarget(context, input, isNarrow ? { ...all, unspoken: true } : all),
    unanswered: isNarrow ? chunkTarget(context, input, all, isForMemories) : null,
  };
};

/** The restriction of each kind of candidates, for an explanation; null: the kind is not searched. */
export const memorySearchRestrictions = (
  context: SearchContext,
  input: SearchMemoriesInput,
): Record<UnitKind, Restriction | null> => {
  const { memories, chunks, unanswered } = memorySearchTargets(context, input);
  const searched = context.trace?.isUnanswered ? (unanswered ?? chunks) : chunks;
  return { memories: memories?.restriction ?? null, chunks: searched.restriction };
};
