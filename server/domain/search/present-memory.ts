// A memory as a result: its metadata beside those of its documents, its relatives, its sources.
import type { Relative, Relatives } from '../../adapters/store/memory-port.ts';
import type { Metadata, Passage } from '../../adapters/store/port.ts';
import type { MemorySources, RecalledMemory } from '../../adapters/store/recall-port.ts';
import {
  type Include,
  iso,
  joinedMetadata,
  type Result,
  rounded,
  sourceChunk,
  sourceDocument,
} from './present.ts';
import type { Ranked } from './rank.ts';
import type { MemoryUnit } from './unit.ts';

type Context = NonNullable<Result['context']>;

/** What is known of a memory beside itself. */
export interface Around {
  sources: MemorySources;
  /** Null: not asked for. */
  relatives: Relatives | null;
  /** The chunks that state it, with how well each matches by itself; null: not asked for. */
  chunks: readonly { passage: Passage; similarity: number; place: number }[] | null;
}

/** What the service itself notes beside the metadata. */
const noted = ({ documentDate, eventDates, review }: RecalledMemory) => ({
  ...(documentDate === null && eventDates.length === 0
    ? {}
    : {
        temporalContext: {
          documentDate: documentDate === null ? null : iso(documentDate),
          eventDate: eventDates.map(iso),
        },
      }),
  ...(review === null ? {} : { reviewStatus: review }),
});

/** Its own decides where its documents say something else of the same key. */
function metadataOf(memory: RecalledMemory, { documents }: MemorySources): Result['metadata'] {
  const said: Metadata | null = joinedMetadata([
    ...documents.map(({ metadata }) => metadata),
    memory.metadata,
  ]);
  const all = { ...said, ...noted(memory) };
  return said === null && Object.keys(all).length === 0 ? null : all;
}

const relativeOf = ({ relation, memory, metadata, updatedAt }: Relative) => ({
  relation,
  memory,
  metadata,
  updatedAt: iso(updatedAt),
});

const inChain = (relative: Relative) => ({ ...relativeOf(relative), version: relative.version });

const contextOf = ({ parents, children, related }: Relatives): Context => ({
  parents: parents.map(inChain),
  children: children.map(inChain),
  related: related.flatMap((relative) => {
    const { relation, ...rest } = relativeOf(relative);
    return relation === 'updates' ? [] : [{ relation, ...rest }];
  }),
});

export function memoryResult(
  { unit, similarity }: Ranked<MemoryUnit>,
  { sources, relatives, chunks }: Around,
  include: Include,
): Result {
  const { memory } = unit;
  const { documents } = sources;
  const filepath = documents.find((document) => document.filepath !== null)?.filepath;
  return {
    id: memory.id,
    memory: memory.memory,
    similarity: rounded(similarity),
    metadata: metadataOf(memory, sources),
    updatedAt: iso(memory.updatedAt),
    version: memory.version,
    ...(filepath === undefined ? {} : { filepath }),
    ...(relatives === null ? {} : { context: contextOf(relatives) }),
    ...(include.documents || include.summaries
      ? { documents: documents.map((document) => sourceDocument(document, include)) }
      : {}),
    ...(chunks === null
      ? {}
      : {
          chunks: chunks.map(({ passage, similarity, place }) =>
            sourceChunk(passage, rounded(similarity), place),
          ),
        }),
  };
}
