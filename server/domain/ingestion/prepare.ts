// Prepares a claimed document: combines its submissions, reads, parses and cuts them into chunks.
import type { ReadProgress } from '../../adapters/extract/port.ts';
import type { Claim } from '../../adapters/store/ports/ingestion/claims.ts';
import type { DocumentToCommit } from '../../adapters/store/ports/ingestion/commits.ts';
import { type JobFailure, jobFailure } from '../../core/job-failure.ts';
import { sha256 } from '../../lib/hash.ts';
import { parseDate } from '../../lib/text/dates/parse-date.ts';
import { type ChunkDraft, chunk } from './chunking/chunk.ts';
import { type CombinedSubmissions, combineSubmissions } from './content/combine-submissions.ts';
import { joinParts, type Part } from './content/content-parts.ts';
import { describeParts, isSlow } from './content/describe-document.ts';
import { type Parsed, parseContent } from './content/parse-content.ts';
import { parseReading } from './content/parse-extracted.ts';
import { createPartReader, type PartReader, type PartText, type Readers } from './content/part-reader.ts';
import { outlineDocument } from './outlines/outline-document.ts';
import { INGEST_RETRIES } from './trouble/retry-plan.ts';

/** The new state of the document; its chunks are still to be compared with the stored ones. */
export type Prepared = Omit<DocumentToCommit, 'added' | 'kept' | 'removed' | 'total'> & {
  drafts: ChunkDraft[];
};

const DATE_KEYS = ['documentDate', 'date', 'sessionDate', 'timestamp'] as const;

/** A date that the sender stated; the time of arrival is not used. */
const statedDate = (claim: Claim): number | undefined => {
  for (const key of DATE_KEYS) {
    const value = claim.metadata?.[key];
    const date = typeof value === 'string' ? parseDate(value) : null;
    if (date !== null) return date;
  }
  return undefined;
};

const parsedPart = (
  claim: Claim,
  { kind, looks, content, reading }: Part,
  { text, title }: PartText,
): Parsed => {
  const named = claim.title ?? title;
  const date = statedDate(claim) ?? reading?.date;
  const hints = {
    ...(named === undefined ? {} : { title: named }),
    ...(date === undefined ? {} : { date }),
  };
  if (reading !== undefined) return parseReading(content, reading, hints);
  return parseContent(text, {
    ...hints,
    kind: kind === 'html' ? 'html' : looks === 'markdown' ? 'markdown' : 'text',
  });
};

/** Parts follow each other; messages of different parts are not neighbours. */
const chunked = (parsed: readonly Parsed[], size: number | null): ChunkDraft[] => {
  let from = 0;
  return parsed.flatMap((part) => {
    const first = from;
    from += part.segments.length + 1;
    return chunk(part, size).map((draft) => ({ ...draft, position: first + draft.position }));
  });
};

const combiningFailure = ({ trouble, refused }: CombinedSubmissions): JobFailure | null => {
  const error = trouble ?? refused;
  return error === null ? null : jobFailure(error);
};

const readTexts = async (
  { parts, url, trouble }: CombinedSubmissions,
  reader: PartReader,
): Promise<PartText[]> => {
  const texts: PartText[] = [];
  if (trouble === null) for (const part of parts) texts.push(await reader.read(part, url));
  return texts;
};

/** Stored passages keep their length, so that they do not become new; a replacement is new content. */
const chunkSizeOf = ({ chunks, submissions, chunkSize }: Claim, wanted: number | null): number | null =>
  chunks.length > 0 && submissions.every(({ mode }) => mode === 'merge') ? chunkSize : wanted;

export interface Preparing {
  readers: Readers;
  signal: AbortSignal;
  /** Called with the length of the texts once they are read. */
  chunking(claim: Claim, characters: number): Promise<void>;
  /** Called with the progress of reading a file. */
  reading(claim: Claim, progress: ReadProgress): void;
  /** The length of new passages; null: the default. */
  chunkSize: number | null;
}

export const prepare = async (claim: Claim, how: Preparing): Promise<Prepared> => {
  const reader = createPartReader({
    readers: how.readers,
    signal: how.signal,
    lastTry: claim.attempts + 1 >= INGEST_RETRIES.attempts,
    progress: (progress) => how.reading(claim, progress),
    owner: { tag: String(claim.container), key: claim.sentBy },
  });
  const combined = await combineSubmissions(claim, reader);
  const { parts, url, decisions } = combined;
  const texts = await readTexts(combined, reader);
  await how.chunking(
    claim,
    texts.reduce((all, { text }) => all + text.length, 0),
  );
  const { content, layout } = joinParts(parts);
  const chunkSize = chunkSizeOf(claim, how.chunkSize);
  const parsed = texts.flatMap((text, i) => {
    const part = parts[i];
    return part === undefined ? [] : [parsedPart(claim, part, text)];
  });
  const drafts = chunked(parsed, chunkSize);
  return {
    claim,
    content: parts.some(({ kind }) => kind === 'file') ? null : content,
    contentHash: sha256(content),
    layout,
    title: claim.title ?? parsed.find(({ title }) => title !== undefined)?.title ?? null,
    url,
    failure: combiningFailure(combined),
    decisions,
    chunkSize,
    heavy: parts.some(isSlow),
    ...describeParts(claim, parts),
    outline: outlineDocument(claim, { parts, parsed, drafts }),
    drafts,
  };
};
