// From a claimed document to the chunks it should have: gather what was sent, read it, parse, cut.
import type { ReadProgress } from '../../adapters/extract/port.ts';
import type { Claim, IndexedDocument } from '../../adapters/store/ingest-port.ts';
import type { Failure } from '../../adapters/store/port.ts';
import type { IngestError } from '../../errors.ts';
import { sha256 } from '../../lib/hash.ts';
import { parseDate } from '../../lib/text/dates.ts';
import { ATTEMPTS } from './backoff.ts';
import { type ChunkDraft, chunk } from './chunk.ts';
import { type Gathered, gather } from './gather.ts';
import { describeParts, isSlow } from './outline.ts';
import { type Parsed, parse } from './parse.ts';
import { parseReading } from './parse-reading.ts';
import { joinParts, type Part } from './parts.ts';
import { createPartReader, type PartReader, type PartText, type Readers } from './reading.ts';

/** What the document is from now on, but for its chunks: these are still to be compared with those it has. */
export type Prepared = Omit<IndexedDocument, 'added' | 'kept' | 'removed' | 'total'> & {
  drafts: ChunkDraft[];
};

const DATE_KEYS = ['documentDate', 'date', 'sessionDate', 'timestamp'] as const;

/** A date that the sender stated; nothing is guessed from when it arrived. */
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
  return parse(text, {
    ...hints,
    kind: kind === 'html' ? 'html' : looks === 'markdown' ? 'markdown' : 'text',
  });
};

/** Part behind part; no turn is the neighbour of what stands in another part. */
const chunked = (parsed: readonly Parsed[], size: number | null): ChunkDraft[] => {
  let from = 0;
  return parsed.flatMap((part) => {
    const first = from;
    from += part.segments.length + 1;
    return chunk(part, size).map((draft) => ({ ...draft, position: first + draft.position }));
  });
};

const failureOf = ({ trouble, refused }: Gathered): Failure | null => {
  const error: IngestError | null = trouble ?? refused;
  return error === null ? null : { code: error.code, message: error.message, retryable: error.retryable };
};

const textsOf = async ({ parts, url, trouble }: Gathered, reader: PartReader): Promise<PartText[]> => {
  const texts: PartText[] = [];
  if (trouble === null) for (const part of parts) texts.push(await reader.read(part, url));
  return texts;
};

/** What was cut before stays as it was cut, so that nothing of it is new; what takes its place is new content. */
const chunkSizeOf = ({ chunks, submissions, chunkSize }: Claim, wanted: number | null): number | null =>
  chunks.length > 0 && submissions.every(({ mode }) => mode === 'merge') ? chunkSize : wanted;

export interface Preparing {
  readers: Readers;
  signal: AbortSignal;
  /** Told when the texts are there, and how long they are. */
  chunking(claim: Claim, characters: number): Promise<void>;
  /** Told how far the reading of a file is. */
  reading(claim: Claim, progress: ReadProgress): void;
  /** How long new passages are to be; null: as long as they are best. */
  chunkSize: number | null;
}

export const prepare = async (claim: Claim, how: Preparing): Promise<Prepared> => {
  const reader = createPartReader({
    readers: how.readers,
    signal: how.signal,
    lastTry: claim.attempts + 1 >= ATTEMPTS,
    progress: (progress) => how.reading(claim, progress),
  });
  const gathered = await gather(claim, reader);
  const { parts, url, decisions } = gathered;
  const texts = await textsOf(gathered, reader);
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
  return {
    claim,
    content: parts.some(({ kind }) => kind === 'file') ? null : content,
    contentHash: sha256(content),
    layout,
    title: claim.title ?? parsed.find(({ title }) => title !== undefined)?.title ?? null,
    url,
    failure: failureOf(gathered),
    decisions,
    chunkSize,
    heavy: parts.some(isSlow),
    ...describeParts(claim, parts),
    drafts: chunked(parsed, chunkSize),
  };
};
