// Presents documents and passages as results of the published contract.
import type { SearchMemoriesInput } from '../../../../tools/search/schemas/inputs.ts';
import type {
  SearchDocumentsOutput,
  SearchMemoriesOutput,
} from '../../../../tools/search/schemas/outputs.ts';
import type { ChunkRecord, SourceRecord } from '../../../adapters/store/ports/documents.ts';
import type { Metadata } from '../../../adapters/store/ports/metadata.ts';
import type { ChunkWithDocument } from '../../../adapters/store/ports/search.ts';
import { isConversation } from '../../../core/chunks/chunk-flags.ts';
import { isoTime, writtenDate } from '../../../lib/text/dates/format.ts';
import type { RankedCandidate } from '../ranking/rank.ts';

export type MemorySearchResult = SearchMemoriesOutput['results'][number];
export type DocumentResult = SearchDocumentsOutput['results'][number];
type ScoredChunk = DocumentResult['chunks'][number];
type SourceChunk = NonNullable<MemorySearchResult['chunks']>[number];
type SourceDocument = NonNullable<MemorySearchResult['documents']>[number];

const DECIMALS = 10_000;
/** Four decimals, downwards, so that no rounded number passes a threshold that the number itself does not. */
export const roundedSimilarity = (similarity: number): number => Math.floor(similarity * DECIMALS) / DECIMALS;

/** A message is shown with its speaker. */
const shownText = ({ text, speaker, role, flags }: ChunkRecord): string => {
  const name = speaker ?? role;
  if (!isConversation(flags) || name === null || name === '' || text.startsWith(`${name}:`)) return text;
  return `${name}: ${text}`;
};

/** The text that a reranker reads: with its title and speaker. */
export const rerankText = (passage: ChunkWithDocument): string => {
  const title = passage.title ?? passage.document.passageTitle;
  const text = shownText(passage);
  return title === null || text.startsWith(title) ? text : `${title}\n${text}`;
};

/** A document with its matching passages. */
export interface DocumentHit {
  document: SourceRecord;
  hits: readonly RankedCandidate<ChunkWithDocument>[];
  /** The similarity of its best chunk. */
  similarity: number;
}

/** Chunks in the order in which they are shown; a neighbour without a similarity only surrounds a hit. */
export interface ShownChunk {
  chunk: ChunkRecord;
  similarity: number | null;
}

/** By chunk number: the positions in the document. */
export type ChunkPositions = ReadonlyMap<number, number>;

/** Page, slide, row or time in the file or web page. */
const chunkMetadata = ({ metadata }: ChunkRecord): { metadata?: Metadata } =>
  metadata === null ? {} : { metadata };

const scoredChunk = ({ chunk, similarity }: ShownChunk, positions: ChunkPositions): ScoredChunk => ({
  content: shownText(chunk),
  score: roundedSimilarity(similarity ?? 0),
  isRelevant: similarity !== null,
  position: positions.get(chunk.n) ?? 0,
  ...chunkMetadata(chunk),
});

export const documentResult = (
  { document, similarity }: DocumentHit,
  chunks: readonly ShownChunk[],
  extras: { summary: boolean; content: string | null | undefined; positions: ChunkPositions },
): DocumentResult => {
  return {
    documentId: document.id,
    title: document.title,
    type: document.type,
    metadata: document.metadata,
    score: roundedSimilarity(similarity),
    createdAt: isoTime(document.createdAt),
    updatedAt: isoTime(document.updatedAt),
    chunks: chunks.map((chunk) => scoredChunk(chunk, extras.positions)),
    ...(extras.summary ? { summary: document.summary } : {}),
    ...(extras.content === undefined ? {} : { content: extras.content }),
  };
};

export type MemorySearchInclude = SearchMemoriesInput['include'];

export interface SourcePresentation {
  readonly include: MemorySearchInclude;
  /** The document with a title and a summary that may be shown. */
  readonly outlined: (document: SourceRecord) => SourceRecord;
}

export const shownSourceDocument = (
  document: SourceRecord,
  { include, outlined }: SourcePresentation,
): SourceDocument => {
  const { id, title, type, metadata, summary } = outlined(document);
  return {
    id,
    createdAt: isoTime(document.createdAt),
    updatedAt: isoTime(document.updatedAt),
    ...(include.documents ? { title: title ?? '', type, metadata } : {}),
    ...(include.summaries ? { summary } : {}),
  };
};

export const joinedMetadata = (all: readonly (Metadata | null)[]): Metadata | null =>
  all.some((one) => one !== null) ? Object.assign({}, ...all) : null;

/** A passage with its window. */
export interface ShownPassage {
  ranked: RankedCandidate<ChunkWithDocument>;
  /** The passage and its neighbours, in reading order. */
  around: readonly ChunkRecord[];
  /** Its position in the document, as the list of a document's chunks counts. */
  position: number;
  /** True: the caller asked for neighbours, even if there are none. */
  inContext: boolean;
}

/** Messages below the day on which they were said, which a reader of "yesterday" needs. */
const datedText = (chunks: readonly ChunkRecord[]): string => {
  let day = '';
  const lines = chunks.flatMap((chunk) => {
    const chunkDay = isConversation(chunk.flags) && chunk.date !== null ? writtenDate(chunk.date) : '';
    const isNew = chunkDay !== '' && chunkDay !== day;
    if (isNew) day = chunkDay;
    return isNew ? [chunkDay, shownText(chunk)] : [shownText(chunk)];
  });
  return lines.join('\n');
};

/** The passage with its window. */
const windowText = ({ ranked: { candidate }, around, inContext }: ShownPassage): string =>
  inContext ? datedText(around) : shownText(candidate);

const shownMatch = ({ ranked: { candidate }, position }: ShownPassage) => ({
  text: shownText(candidate),
  position,
});

/** The fields that a memory has of the passage for which it stands. */
export const passageFields = (
  shown: ShownPassage,
): Required<Pick<MemorySearchResult, 'passage' | 'match'>> => {
  const { candidate } = shown.ranked;
  return {
    passage: {
      id: candidate.id,
      content: windowText(shown),
      documentId: candidate.document.id,
      position: shown.position,
      ...chunkMetadata(candidate),
    },
    match: shownMatch(shown),
  };
};

export const chunkResult = (shown: ShownPassage, how: SourcePresentation): MemorySearchResult => {
  const { include } = how;
  const { candidate: passage, similarity } = shown.ranked;
  const { document } = passage;
  const score = roundedSimilarity(similarity);
  const content = windowText(shown);
  return {
    id: passage.id,
    chunk: content,
    content,
    match: shownMatch(shown),
    similarity: score,
    // The sender's metadata override the position of the passage.
    metadata: joinedMetadata([passage.metadata, document.metadata]),
    updatedAt: isoTime(document.updatedAt),
    ...(document.filepath === null ? {} : { filepath: document.filepath }),
    ...(include.documents || include.summaries ? { documents: [shownSourceDocument(document, how)] } : {}),
    ...(include.chunks ? { chunks: [shownSourceChunk(passage, score, shown.position)] } : {}),
  };
};

export const shownSourceChunk = (
  passage: ChunkWithDocument,
  score: number,
  position: number,
): SourceChunk => ({
  content: passage.text,
  score,
  position,
  documentId: passage.document.id,
  ...chunkMetadata(passage),
});
