// A small pipeline in place of the real one: paragraphs become chunks, and vectors are made from their text.

import type { Claim } from '../../../../server/adapters/store/ports/ingestion/claims.ts';
import type {
  DocumentToCommit,
  KeptChunk,
  NewChunk,
} from '../../../../server/adapters/store/ports/ingestion/commits.ts';
import { CONTAINER_SPAN } from '../../../../server/core/chunks/chunk-number.ts';
import { hash32, sha256 } from '../../../../server/lib/hash.ts';
import { NO_OUTLINE } from '../../../../server/lib/text/outline/draw-outline.ts';
import { analyse } from '../../../../server/lib/text/terms/analyse.ts';
import { encodeTerms } from '../../../../server/lib/text/terms/terms.ts';

export const SPACE = { dimensions: 16, keepExact: false } as const;
/** As a paid embedder's, of which the exact form is kept. */
export const FLOAT_SPACE = { dimensions: 16, keepExact: true } as const;

export interface Reading {
  /** The spaces that chunks get vectors for. */
  spaces: readonly number[];
  dimensions: number;
  /** One more space for this reading, of exact vectors. */
  exact: number | null;
  /** A change of it is a change of every chunk's surroundings. */
  seam: string;
  /** Each chunk is a message with the date of the metadata. */
  spoken: boolean;
}

/** Of unit length, the same for the same text. */
export const vectorOf = (text: string, dimensions: number = SPACE.dimensions): Float32Array => {
  const vector = Float32Array.from({ length: dimensions }, (_, at) => hash32(`${at} ${text}`) / 2 ** 31 - 1);
  const length = Math.hypot(...vector);
  return vector.map((x) => x / length);
};

const paragraphsOf = (content: string): string[] =>
  content.split('\n\n').filter((paragraph) => paragraph !== '');

interface Passage extends Omit<NewChunk, 'vectors'> {
  vector: Float32Array;
}

const passageOf = (claim: Claim, text: string, at: number, ordinal: number, reading: Reading): Passage => {
  const words = analyse(text);
  return {
    id: sha256(`${claim.id} ${ordinal} ${text}`).slice(0, 22),
    position: at,
    part: 0,
    flags: reading.spoken ? 1 : 0,
    title: null,
    speaker: null,
    role: null,
    date: reading.spoken && claim.metadata?.date ? Date.parse(String(claim.metadata.date)) : null,
    text,
    metadata: null,
    bodyTokens: words.length,
    messageTokens: words.length,
    terms: encodeTerms({ body: words }),
    body: words.join(' '),
    extra: '',
    inputHash: sha256(`${reading.seam} ${text}`),
    vector: vectorOf(`${reading.seam}${text}`, reading.dimensions),
  };
};

export const mergedContent = (claim: Claim): string =>
  claim.submissions.reduce(
    (content, sent) => (sent.mode === 'replace' ? sent.content : `${content}\n\n${sent.content}`),
    claim.content,
  );

export const readClaim = (claim: Claim, given: Partial<Reading> = {}): DocumentToCommit => {
  const reading: Reading = {
    ...{ spaces: [], exact: null, dimensions: SPACE.dimensions, seam: '', spoken: false },
    ...given,
  };
  const content = mergedContent(claim);
  const former = new Map(
    claim.chunks
      .filter((chunk) => Math.floor(chunk.n / CONTAINER_SPAN) === claim.container)
      .map((chunk) => [chunk.id, chunk]),
  );
  const seen = new Map<string, number>();
  const added: NewChunk[] = [];
  const kept: KeptChunk[] = [];
  const stay = new Set<number>();
  for (const [at, text] of paragraphsOf(content).entries()) {
    const ordinal = seen.get(text) ?? 0;
    seen.set(text, ordinal + 1);
    const { vector, ...chunk } = passageOf(claim, text, at, ordinal, reading);
    const spaces = reading.exact === null ? reading.spaces : [...reading.spaces, reading.exact];
    const vectors = new Map(spaces.map((space) => [space, vector]));
    const known = former.get(chunk.id);
    if (known === undefined) added.push({ ...chunk, vectors });
    else {
      stay.add(known.n);
      const changed = known.inputHash !== chunk.inputHash;
      kept.push({ ...chunk, former: known, vectors: changed ? vectors : new Map(), words: null });
    }
  }
  return {
    claim,
    content,
    contentHash: sha256(content),
    layout: null,
    title: claim.title,
    outline: NO_OUTLINE,
    type: claim.type,
    url: claim.url,
    chunkSize: claim.chunkSize,
    failure: null,
    decisions: claim.submissions.map(({ n, mode }) => ({
      submission: n,
      decision: mode === 'replace' ? 'replaced' : mode,
    })),
    added,
    kept,
    total: added.length + kept.length,
    removed: claim.chunks.filter((chunk) => !stay.has(chunk.n)),
  };
};
