// From segments to chunks, the passages that are indexed and found: one per turn where people talk, pieces of even size elsewhere.
import type { Metadata } from '../../adapters/store/port.ts';
import { cutPassages, type Sizes } from './cut.ts';
import { type Passage, packPassages } from './pack.ts';
import type { Parsed, Segment } from './parse.ts';

export interface ChunkFlags {
  readonly conversation: boolean;
  readonly chat: boolean;
  /** Said by the assistant of a chat. */
  readonly assistant: boolean;
  readonly question: boolean;
}

export interface ChunkDraft {
  readonly text: string;
  /** Which segment, and which piece of it. */
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
  /** A turn is understood as a whole. */
  readonly turn: Sizes;
  /** Replies of machines are long and speak of many things. */
  readonly reply: Sizes;
  readonly document: Sizes;
}

/** A text that is a little longer than a piece stays whole rather than lose its end to another. */
const WHOLE_SHARE = 1.3;
const piecesOf = (target: number): Sizes => ({ whole: Math.round(target * WHOLE_SHARE), target });

const DEFAULT: Cut = {
  turn: { whole: 1_600, target: 1_600 },
  reply: piecesOf(800),
  document: piecesOf(1_200),
};

/** Shorter ones say nothing by themselves; of longer ones an embedder would see the beginning alone. */
const SHORTEST = 100;
const LONGEST = 6_000;

/** `size`: how long pieces are to be, in characters; null or nothing above 0: as long as they are best. */
function cutBy(size: number | null): Cut {
  if (size === null || size <= 0) return DEFAULT;
  const target = Math.min(LONGEST, Math.max(SHORTEST, size));
  return { turn: { whole: target, target }, reply: piecesOf(target), document: piecesOf(target) };
}

export function chunk(parsed: Parsed, size: number | null = null): ChunkDraft[] {
  const cut = cutBy(size);
  const chunks: ChunkDraft[] = [];
  for (const [position, segment] of parsed.segments.entries()) {
    const passages = passagesOf(parsed, segment, cut);
    for (const [part, passage] of passages.entries())
      chunks.push(draft(parsed, segment, passage, position, part));
  }
  return chunks;
}

const NO_PATH: readonly string[] = [];
const plain = (texts: readonly string[]): Passage[] => texts.map((text) => ({ text, path: NO_PATH }));

function passagesOf(parsed: Parsed, segment: Segment, { turn, reply, document }: Cut): Passage[] {
  const { text, role, speaker } = segment;
  if (parsed.kind === 'document') {
    return parsed.markdown ? packPassages(text, document) : plain(cutPassages(text, document, parsed.lines));
  }
  if (role === null && speaker === undefined) return plain(cutPassages(text, document));
  if (!parsed.chat || role === 'user' || role === null) return plain(cutPassages(text, turn));
  return packPassages(text, reply);
}

function draft(
  parsed: Parsed,
  segment: Segment,
  passage: Passage,
  position: number,
  part: number,
): ChunkDraft {
  const path = joinedPath(segment.heading ?? NO_PATH, passage.path);
  const title = titleOf(parsed, path);
  const metadata = placeOf(parsed, segment, path);
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
      question: endsInQuestion(passage.text),
    },
  };
}

/** What a page stands under may stand on it once more, as the title of a slide does. */
const joinedPath = (outer: readonly string[], inner: readonly string[]): string[] =>
  outer.at(-1) === inner[0] ? [...outer, ...inner.slice(1)] : [...outer, ...inner];

const LONGEST_TITLE = 400;

/** Where a passage stands in the file or page that it is from; of a text that was sent nobody asks. */
function placeOf({ located }: Parsed, { place }: Segment, path: readonly string[]): ChunkDraft['metadata'] {
  if (!located) return undefined;
  const heading = path.join(' > ').slice(0, LONGEST_TITLE);
  const all = { ...place, ...(heading === '' ? {} : { heading }) };
  return Object.keys(all).length === 0 ? undefined : all;
}

function titleOf({ kind, title }: Parsed, path: readonly string[]): string | undefined {
  if (kind === 'conversation') return title;
  const named = title === undefined || path[0] === title ? path : [title, ...path];
  return named.length === 0 ? undefined : named.join(' > ').slice(0, LONGEST_TITLE);
}

/** Whether nothing but marks and pictures follows the last question mark. */
const endsInQuestion = (text: string): boolean => /[?？؟][^\p{L}\p{N}]{0,12}$/u.test(text.slice(-14));
