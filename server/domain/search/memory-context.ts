// Reads the surroundings of memory results: their documents, their relatives and the chunks that state them.
import type { SearchMemoriesInput } from '../../../tools/search/schemas/inputs.ts';
import type { MemorySources } from '../../adapters/store/ports/memories/recall.ts';
import type { RankedPassage, SearchHit } from './ranking/fuse-memories-and-passages.ts';
import { chunkPositions } from './results/chunk-positions.ts';
import type { MemoryContext } from './results/present-memory.ts';
import type { Conceal } from './results/without-forgotten.ts';
import type { SearchContext } from './search-context.ts';

type SourceChunks = NonNullable<MemoryContext['chunks']>;

/** Every passage that the search found, and how passages are shown. */
interface SourcePassages {
  readonly ranked: readonly RankedPassage[];
  readonly conceal: Conceal;
}

/** The chunks behind memories, each with its own similarity. */
const readSourceChunks = async (
  context: SearchContext,
  sources: readonly MemorySources[],
  { ranked, conceal }: SourcePassages,
): Promise<(of: MemorySources) => SourceChunks> => {
  const similarities = new Map(ranked.map(({ candidate, similarity }) => [candidate.n, similarity]));
  const ns = [...new Set(sources.flatMap(({ chunks }) => chunks))];
  const read = await conceal(await context.store.passages(context.scope, {}, ns));
  const passages = new Map(read.map((passage) => [passage.n, passage]));
  const positions = await chunkPositions(context, [...passages.values()]);
  return ({ chunks }) =>
    chunks.flatMap((n) => {
      const passage = passages.get(n);
      const similarity = similarities.get(n) ?? 0;
      return passage ? [{ passage, similarity, position: positions.get(n) ?? 0 }] : [];
    });
};

const NO_SOURCES: MemorySources = { documents: [], chunks: [] };

export const readMemoryContexts = async (
  context: SearchContext,
  { include }: SearchMemoriesInput,
  hits: readonly SearchHit[],
  passages: SourcePassages,
): Promise<(n: number) => MemoryContext> => {
  const { recall, memories, scope } = context;
  const ns = hits.flatMap(({ kind, ranked: { candidate } }) => (kind === 'memory' ? [candidate.n] : []));
  const [sources, relatives] = await Promise.all([
    recall.sources(scope, ns),
    include.relatedMemories ? memories.relatives(scope, ns, include.forgottenMemories) : null,
  ]);
  const sourceChunks = include.chunks
    ? await readSourceChunks(context, [...sources.values()], passages)
    : () => null;
  return (n) => {
    const own = sources.get(n) ?? NO_SOURCES;
    const ownRelatives = relatives && (relatives.get(n) ?? { parents: [], children: [], related: [] });
    return { sources: own, relatives: ownRelatives, chunks: sourceChunks(own) };
  };
};
