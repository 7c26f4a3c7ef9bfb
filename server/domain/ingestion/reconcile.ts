// Plans the changes in the store: chunks to add, to keep (perhaps with a new context) and to remove.
import type { Embedder } from '../../adapters/embed/port.ts';
import type { StoredFailure } from '../../adapters/store/ports/documents.ts';
import type { Claim, StoredChunk } from '../../adapters/store/ports/ingestion/claims.ts';
import type {
  ChunkWords,
  DocumentToCommit,
  KeptChunk,
  NewChunk,
} from '../../adapters/store/ports/ingestion/commits.ts';
import type { FillSpace } from '../../adapters/store/ports/spaces.ts';
import { sha256 } from '../../lib/hash.ts';
import { NO_OUTLINE } from '../../lib/text/outline/draw-outline.ts';
import {
  type Described,
  describeChunks,
  describeWindows,
  inputHash,
  seenBy,
} from './chunking/describe-chunks.ts';
import type { Prepared } from './prepare.ts';

/** A space that new content is embedded into. */
export interface FilledSpace extends FillSpace {
  embedder: Embedder;
  /** True: searches use the space; false: it is being filled. */
  serves: boolean;
}

/** By the hash of their input. */
export type Vectors = Map<string, Float32Array>;

interface Match {
  chunk: Described;
  hash: string;
  /** The stored form of the same chunk; null: new. */
  former: StoredChunk | null;
}

export interface Plan {
  prepared: Prepared;
  matches: Match[];
  /** The number of the document's chunks before these. */
  before: number;
  removed: StoredChunk[];
}

/** Chunk numbers contain their container, so after a move every chunk is new. */
const inContainer = (chunk: StoredChunk, container: number): boolean =>
  Math.floor(chunk.n / 2 ** 28) === container;

/** The stored chunks by id, without those of a container that the document has left. */
const formerOf = ({ chunks, container }: Claim): Map<string, StoredChunk> =>
  new Map(chunks.filter((chunk) => inContainer(chunk, container)).map((chunk) => [chunk.id, chunk]));

const matcher = (former: ReadonlyMap<string, StoredChunk>, context: Embedder['context']) => {
  return (chunk: Described): Match => ({
    chunk,
    hash: inputHash(seenBy(context, chunk.passage)),
    former: former.get(chunk.id) ?? null,
  });
};

const withoutThese = ({ chunks }: Claim, kept: ReadonlySet<number | undefined>): StoredChunk[] =>
  chunks.filter(({ n }) => !kept.has(n));

export const planChunks = (prepared: Prepared, context: Embedder['context']): Plan => {
  const { claim, drafts } = prepared;
  const matches = describeChunks(claim.id, drafts).map(matcher(formerOf(claim), context));
  const kept = new Set(matches.map((match) => match.former?.n));
  return { prepared, matches, before: 0, removed: withoutThese(claim, kept) };
};

/** Plans a long document window by window, and the removals at the end. */
export function* planWindows(
  prepared: Prepared,
  context: Embedder['context'],
  size: number,
): Generator<Plan> {
  const { claim, drafts } = prepared;
  const match = matcher(formerOf(claim), context);
  const kept = new Set<number | undefined>();
  let before = 0;
  for (const window of describeWindows(claim.id, drafts, size)) {
    const matches = window.map(match);
    for (const { former } of matches) kept.add(former?.n);
    yield { prepared, matches, before, removed: [] };
    before += matches.length;
  }
  yield { prepared, matches: [], before, removed: withoutThese(claim, kept) };
}

const metadataText = ({ draft: { metadata } }: Described): string | null =>
  metadata === undefined ? null : JSON.stringify(metadata);

const isChanged = ({ chunk, hash, former }: Match): boolean =>
  former === null ||
  former.inputHash !== hash ||
  former.position !== chunk.draft.position ||
  former.part !== chunk.draft.part ||
  former.flags !== chunk.flags ||
  former.place !== metadataText(chunk) ||
  former.messageTokens !== chunk.messageTokens;

export const needsVector = ({ hash, former }: Match): boolean => former === null || former.inputHash !== hash;

const vectorsOfMatch = (match: Match, spaces: readonly { id: number; vectors: Vectors }[]) => {
  const found = new Map<number, Float32Array>();
  if (!needsVector(match)) return found;
  for (const { id, vectors } of spaces) {
    const vector = vectors.get(match.hash);
    if (vector) found.set(id, vector);
  }
  return found;
};

const chunkWords = ({ chunk }: Match): ChunkWords => ({
  title: chunk.draft.title ?? null,
  date: chunk.draft.date ?? null,
  terms: chunk.terms,
  body: chunk.body,
  extra: chunk.extra,
});

const newChunk = (match: Match, vectors: ReadonlyMap<number, Float32Array>): NewChunk => {
  const { chunk, hash } = match;
  const { draft } = chunk;
  return {
    ...chunkWords(match),
    id: chunk.id,
    position: draft.position,
    part: draft.part,
    flags: chunk.flags,
    speaker: draft.speaker ?? null,
    role: draft.role ?? null,
    text: draft.text,
    metadata: draft.metadata ?? null,
    bodyTokens: chunk.bodyTokens,
    messageTokens: chunk.messageTokens,
    inputHash: hash,
    vectors,
  };
};

/** The hash covers title, date and speaker as well: the terms can only have changed if the hash did. */
const keptChunk = (
  match: Match,
  former: StoredChunk,
  vectors: ReadonlyMap<number, Float32Array>,
): KeptChunk => ({
  former,
  position: match.chunk.draft.position,
  part: match.chunk.draft.part,
  flags: match.chunk.flags,
  inputHash: match.hash,
  messageTokens: match.chunk.messageTokens,
  words: needsVector(match) ? chunkWords(match) : null,
  vectors,
  ...(former.place === metadataText(match.chunk) ? {} : { metadata: match.chunk.draft.metadata ?? null }),
});

export const documentToCommit = (
  { prepared, matches, removed }: Plan,
  spaces: readonly { id: number; vectors: Vectors }[],
): DocumentToCommit => {
  const { drafts, ...document } = prepared;
  return {
    ...document,
    added: matches
      .filter((match) => match.former === null)
      .map((match) => newChunk(match, vectorsOfMatch(match, spaces))),
    kept: matches.flatMap((match) =>
      match.former && isChanged(match) ? [keptChunk(match, match.former, vectorsOfMatch(match, spaces))] : [],
    ),
    total: drafts.length,
    removed,
  };
};

/** For a text that was replaced by one that failed: the former chunks are removed. The submissions stay for a retry. */
export const withdrawnDocument = (claim: Claim, failure: StoredFailure): DocumentToCommit => ({
  claim,
  content: claim.file !== null && claim.layout === null ? null : claim.content,
  contentHash: sha256(claim.content),
  layout: claim.layout,
  title: claim.title,
  outline: NO_OUTLINE,
  type: claim.type,
  url: claim.url,
  chunkSize: claim.chunkSize,
  failure,
  decisions: [],
  added: [],
  kept: [],
  total: 0,
  removed: claim.chunks,
  heavy: true,
});
