// Cuts segments into chunks: one per message of a conversation, pieces of even size of other text.
import type { Metadata } from '../../../adapters/store/ports/metadata.ts';
import type { Parsed, Segment } from '../content/parse-content.ts';
import { cutPassages, type Sizes } from './cut-passages.ts';
import { type HeadedPassage, packPassages } from './pack-markdown.ts';

export interface ChunkFlags {
  readonly conversation: boolean;
  readonly chat: boolean;
  /** A message of the assistant of a chat. */
  readonly assistant: boolean;
  readonly question: boolean;
}

export interface ChunkDraft {
  readonly text: string;
  /** The number of the segment, and of the piece in it. */
  readonly position: number;
  readonly part: number;
  /** The title and the headings above. */
  readonly title?: string;
  readonly speaker?: string;
  readonly role?: string;
  readonly date?: number;
  readonly flags: ChunkFlags;
  readonly metadata?: Metadata;
}

interface Cut {
  /** Most messages stay whole. */
  readonly turn: Sizes;
  /** Replies of assistants are long and cover several topics. */
  readonly reply: Sizes;
  readonly document: Sizes;
}

/** A text slightly longer than a piece stays whole, so that its end does not become a tiny piece. */
const WHOLE_SHARE = 1.3;
const sizesFor = (target: number): Sizes => ({ whole: Math.round(target * WHOLE_SHARE), target });

const DEFAULT: Cut = {
  turn: { whole: 1_600, target: 1_600 },
  reply: sizesFor(800),
  document: sizesFor(1_200),
};

/** Shorter pieces mean nothing alone; of longer ones an embedder would read only the beginning. */
const SHORTEST = 100;
const LONGEST = 6_000;

/** `size`: the length of pieces in characters; null, 0 or less: the default. */
const cutBy = (size: number | null): Cut => {
  if (size === null || size <= 0) return DEFAULT;
  const target = Math.min(LONGEST, Math.max(SHORTEST, size));
  return { turn: { whole: target, target }, reply: sizesFor(target), document: sizesFor(target) };
};

export const chunk = (parsed: Parsed, size: number | null = null): ChunkDraft[] => {
  const cut = cutBy(size);
  const chunks: ChunkDraft[] = [];
  for (const [position, segment] of parsed.segments.entries()) {
    const passages = cutSegment(parsed, segment, cut);
    for (const [part, passage] of passages.entries())
      chunks.push(draftChunk({ parsed, segment, passage, position, part }));
  }
  return chunks;
};

const NO_PATH: readonly string[] = [];
const withoutHeadings = (texts: readonly string[]): HeadedPassage[] =>
  texts.map((text) => ({ text, path: NO_PATH }));

const cutSegment = (parsed: Parsed, segment: Segment, { turn, reply, document }: Cut): HeadedPassage[] => {
  const { text, role, speaker } = segment;
  if (parsed.kind === 'document') {
    return parsed.markdown
      ? packPassages(text, document)
      : withoutHeadings(cutPassages(text, document, parsed.lines));
  }
  if (role === null && speaker === undefined) return withoutHeadings(cutPassages(text, document));
  if (!parsed.chat || role === 'user' || role === null) return withoutHeadings(cutPassages(text, turn));
  return packPassages(text, reply);
};

interface CutPiece {
  parsed: Parsed;
  segment: Segment;
  passage: HeadedPassage;
  position: number;
  part: number;
}

const draftChunk = ({ parsed, segment, passage, position, part }: CutPiece): ChunkDraft => {
  const path = joinedPath(segment.heading ?? NO_PATH, passage.path);
  const title = chunkTitle(parsed, path);
  const metadata = chunkPlace(parsed, segment, path);
  const date = segment.at ?? parsed.date;
  const conversation = parsed.kind === 'conversation';
  return {
    text: passage.text,
    position,
    part,
    ...(title === undefined ? {} : { title }),
    ...(segment.speaker === undefined ? {} : { speaker: segment.speaker }),
    ...(segment.role === null ? {} : { role: segment.role }),
    ...(date === undefined ? {} : { date }),
    ...(metadata === undefined ? {} : { metadata }),
    flags: {
      conversation,
      chat: parsed.chat,
      assistant: parsed.chat && segment.role === 'assistant',
      question: endsWithQuestionMark(passage.text),
    },
  };
};

/** A page may repeat the heading above it, as a slide repeats its title. */
const joinedPath = (outer: readonly string[], inner: readonly string[]): string[] =>
  outer.at(-1) === inner[0] ? [...outer, ...inner.slice(1)] : [...outer, ...inner];

const LONGEST_TITLE = 400;

/** The position of a passage in its file or page; plain text has none. */
const chunkPlace = (
  { located }: Parsed,
  { place }: Segment,
  path: readonly string[],
): ChunkDraft['metadata'] => {
  if (!located) return undefined;
  const heading = path.join(' > ').slice(0, LONGEST_TITLE);
  const all = { ...place, ...(heading === '' ? {} : { heading }) };
  return Object.keys(all).length === 0 ? undefined : all;
};

const chunkTitle = ({ kind, title }: Parsed, path: readonly string[]): string | undefined => {
  if (kind === 'conversation') return title;
  const named = title === undefined || path[0] === title ? path : [title, ...path];
  return named.length === 0 ? undefined : named.join(' > ').slice(0, LONGEST_TITLE);
};

/** True if only marks and pictures follow the last question mark. */
const endsWithQuestionMark = (text: string): boolean => /[?？؟][^\p{L}\p{N}]{0,12}$/u.test(text.slice(-14));
