// Results as the contract shows them.

import type { SearchMemoriesInput } from '../../../tools/shared/search.ts';
import type { SearchDocumentsOutput, SearchMemoriesOutput } from '../../../tools/shared/search-outputs.ts';
import type { ChunkRecord, Metadata, Passage, SourceRecord } from '../../adapters/store/port.ts';
import { writtenDate } from '../../lib/text/dates.ts';
import { isConversation } from './flags.ts';
import type { Ranked } from './rank.ts';

export type Result = SearchMemoriesOutput['results'][number];
export type DocumentResult = SearchDocumentsOutput['results'][number];
type ScoredChunk = DocumentResult['chunks'][number];
type SourceChunk = NonNullable<Result['chunks']>[number];
type SourceDocument = NonNullable<Result['documents']>[number];

export const iso = (ms: number): string => new Date(ms).toISOString();

const DECIMALS = 10_000;
/** Four decimals, downwards, so that no rounded number passes a threshold that the number itself does not. */
export const rounded = (similarity: number): number => Math.floor(similarity * DECIMALS) / DECIMALS;

/** In a conversation a text is shown with the one who says it. */
export function shownText({ text, speaker, role, flags }: ChunkRecord): string {
  const name = speaker ?? role;
  if (!isConversation(flags) || name === null || name === '' || text.startsWith(`${name}:`)) return text;
  return `${name}: ${text}`;
}

/** As somebody reads it who knows nothing else of it. */
export const judgedText = (passage: Passage): string => {
  const title = passage.title ?? passage.document.title;
  const text = shownText(passage);
  return title === null || text.startsWith(title) ? text : `${title}\n${text}`;
};

/** A document with what matches in it. */
export interface DocumentHit {
  document: SourceRecord;
  hits: readonly Ranked<Passage>[];
  /** Best chunk. */
  similarity: number;
}

/** Chunks in the order in which they are shown; a neighbour without a similarity only surrounds a hit. */
export interface ShownChunk {
  chunk: ChunkRecord;
  similarity: number | null;
}

/** Page, slide, row or time: where it stands in the file or the page that it is from. */
const placed = ({ metadata }: ChunkRecord): { metadata?: Metadata } =>
  metadata === null ? {} : { metadata };

const scoredChunk = ({ chunk, similarity }: ShownChunk): ScoredChunk => ({
  content: shownText(chunk),
  score: rounded(similarity ?? 0),
  isRelevant: similarity !== null,
  ...placed(chunk),
});

export function documentResult(
  { document, similarity }: DocumentHit,
  chunks: readonly ShownChunk[],
  extras: { summary: boolean; content: string | null | undefined },
): DocumentResult {
  return {
    documentId: document.id,
    title: document.title,
    type: document.type,
    metadata: document.metadata,
    score: rounded(similarity),
    createdAt: iso(document.createdAt),
    updatedAt: iso(document.updatedAt),
    chunks: chunks.map(scoredChunk),
    ...(extras.summary ? { summary: document.summary } : {}),
    ...(extras.content === undefined ? {} : { content: extras.content }),
  };
}

export type Include = SearchMemoriesInput['include'];

export function sourceDocument(document: SourceRecord, include: Include): SourceDocument {
  const { id, title, type, metadata, summary } = document;
  return {
    id,
    createdAt: iso(document.createdAt),
    updatedAt: iso(document.updatedAt),
    ...(include.documents ? { title, type, metadata } : {}),
    ...(include.summaries ? { summary } : {}),
  };
}

export const joinedMetadata = (all: readonly (Metadata | null)[]): Metadata | null =>
  all.some((one) => one !== null) ? Object.assign({}, ...all) : null;

/** A passage as it is shown. */
export interface ShownPassage {
  hit: Ranked<Passage>;
  /** Itself and its neighbours, in reading order. */
  around: readonly ChunkRecord[];
  /** Its place in the document. */
  place: number;
  /** Whether neighbours were asked for, be there any or none. */
  inContext: boolean;
}

/** What was said stands below the day on which it was said: who reads "yesterday" wants to know. */
function datedText(chunks: readonly ChunkRecord[]): string {
  let day = '';
  const lines = chunks.flatMap((chunk) => {
    const said = isConversation(chunk.flags) && chunk.date !== null ? writtenDate(chunk.date) : '';
    const isNew = said !== '' && said !== day;
    if (isNew) day = said;
    return isNew ? [said, shownText(chunk)] : [shownText(chunk)];
  });
  return lines.join('\n');
}

export function chunkResult({ hit, around, place, inContext }: ShownPassage, include: Include): Result {
  const { unit, similarity } = hit;
  const { document } = unit;
  const score = rounded(similarity);
  return {
    id: unit.id,
    chunk: inContext ? datedText(around) : shownText(unit),
    match: { text: shownText(unit), position: place },
    similarity: score,
    // What its sender wrote stands above where the passage stands.
    metadata: joinedMetadata([unit.metadata, document.metadata]),
    updatedAt: iso(document.updatedAt),
    ...(document.filepath === null ? {} : { filepath: document.filepath }),
    ...(include.documents || include.summaries ? { documents: [sourceDocument(document, include)] } : {}),
    ...(include.chunks ? { chunks: [sourceChunk(unit, score, place)] } : {}),
  };
}

export const sourceChunk = (passage: Passage, score: number, place: number): SourceChunk => ({
  content: passage.text,
  score,
  position: place,
  documentId: passage.document.id,
  ...placed(passage),
});
