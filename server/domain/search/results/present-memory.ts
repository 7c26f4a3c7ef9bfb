// Presents a memory as a result: with the metadata of its documents, its relatives and its sources.
import type { Relative, Relatives } from '../../../adapters/store/ports/memories/memories.ts';
import type { MemorySources, RecalledMemory } from '../../../adapters/store/ports/memories/recall.ts';
import type { Metadata } from '../../../adapters/store/ports/metadata.ts';
import type { ChunkWithDocument } from '../../../adapters/store/ports/search.ts';
import { isoTime } from '../../../lib/text/dates/format.ts';
import type { MemoryCandidate } from '../ranking/candidate.ts';
import type { RankedCandidate } from '../ranking/rank.ts';
import {
  joinedMetadata,
  type MemorySearchResult,
  passageFields,
  roundedSimilarity,
  type ShownPassage,
  type SourcePresentation,
  shownSourceChunk,
  shownSourceDocument,
} from './present.ts';

type Context = NonNullable<MemorySearchResult['context']>;

/** The surroundings of a memory. */
export interface MemoryContext {
  sources: MemorySources;
  /** Null: the caller does not want them. */
  relatives: Relatives | null;
  /** The chunks that state the memory, each with its own similarity; null: the caller does not want them. */
  chunks: readonly { passage: ChunkWithDocument; similarity: number; position: number }[] | null;
}

/** A memory with its surroundings and with the passage for which it stands. */
interface ShownMemory extends MemoryContext {
  passage: ShownPassage | undefined;
}

/** Fields that the service itself adds to the metadata. */
const serviceMetadata = ({ documentDate, eventDates, review }: RecalledMemory) => ({
  ...(documentDate === null && eventDates.length === 0
    ? {}
    : {
        temporalContext: {
          documentDate: documentDate === null ? null : isoTime(documentDate),
          eventDate: eventDates.map(isoTime),
        },
      }),
  ...(review === null ? {} : { reviewStatus: review }),
});

/** For the same key the memory's own metadata override those of the passage's document, and these those of the others. */
const memoryMetadata = (
  memory: RecalledMemory,
  { sources: { documents }, passage }: ShownMemory,
): MemorySearchResult['metadata'] => {
  const shown = passage?.ranked.candidate.document.n;
  const others = documents.filter(({ n }) => n !== shown);
  const own: Metadata | null = joinedMetadata([
    ...others.map(({ metadata }) => metadata),
    ...documents.filter(({ n }) => n === shown).map(({ metadata }) => metadata),
    memory.metadata,
  ]);
  const all = { ...own, ...serviceMetadata(memory) };
  return own === null && Object.keys(all).length === 0 ? null : all;
};

const shownRelative = ({ id, relation, memory, metadata, updatedAt }: Relative) => ({
  id,
  relation,
  memory,
  metadata,
  updatedAt: isoTime(updatedAt),
});

const shownChainMember = (relative: Relative) => ({ ...shownRelative(relative), version: relative.version });

const chainContext = ({ parents, children, related }: Relatives): Context => ({
  parents: parents.map(shownChainMember),
  children: children.map(shownChainMember),
  related: related.flatMap((relative) => {
    const { relation, ...rest } = shownRelative(relative);
    return relation === 'updates' ? [] : [{ relation, ...rest }];
  }),
});

export const memoryResult = (
  { candidate, similarity }: RankedCandidate<MemoryCandidate>,
  shown: ShownMemory,
  how: SourcePresentation,
): MemorySearchResult => {
  const { include } = how;
  const { memory } = candidate;
  const { sources, relatives, chunks, passage } = shown;
  const { documents } = sources;
  const ofPassage = passage?.ranked.candidate.document.filepath;
  const filepath = ofPassage ?? documents.find((document) => document.filepath !== null)?.filepath;
  return {
    id: memory.id,
    memory: memory.memory,
    content: memory.memory,
    ...(passage && passageFields(passage)),
    similarity: roundedSimilarity(similarity),
    metadata: memoryMetadata(memory, shown),
    updatedAt: isoTime(memory.updatedAt),
    version: memory.version,
    isInference: memory.isInference,
    isForgotten: memory.isForgotten,
    ...(filepath === undefined ? {} : { filepath }),
    ...(relatives === null ? {} : { context: chainContext(relatives) }),
    ...(include.documents || include.summaries
      ? { documents: documents.map((document) => shownSourceDocument(document, how)) }
      : {}),
    ...(chunks === null
      ? {}
      : {
          chunks: chunks.map(({ passage, similarity, position }) =>
            shownSourceChunk(passage, roundedSimilarity(similarity), position),
          ),
        }),
  };
};
