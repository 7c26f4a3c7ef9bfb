// Parses extracted text into segments: a passage with a position is a segment, speech is joined, the rest is one text.
import type { PassageSize, Reading } from '../../../adapters/store/ports/ingestion/layout.ts';
import type { Metadata } from '../../../adapters/store/ports/metadata.ts';
import { gapBefore } from './extracted-part.ts';
import { type Parsed, parseContent, type Segment } from './parse-content.ts';

export interface ReadingHints {
  title?: string;
  date?: number;
}

interface Piece {
  text: string;
  place: Metadata | null;
  heading: string | null;
  speaker: string | null;
  at: number | null;
}

/** Kinds of text that can be a conversation: a chat saved as a file is a chat. */
const MAY_TALK = new Set(['text', 'markdown', 'json']);

/** The size of a joined segment of speech; single lines say too little. */
const SPOKEN = 900;

const splitReading = (content: string, { form, passages }: Reading): Piece[] => {
  let at = 0;
  return passages.map((passage, index) => {
    at += index === 0 ? 0 : gapBefore(form, passage).length;
    const text = content.slice(at, at + passage.length);
    at += passage.length;
    return {
      text,
      place: passage.place ?? null,
      heading: passage.heading ?? null,
      speaker: passage.speaker ?? null,
      at: passage.at ?? null,
    };
  });
};

const isPlaced = ({ place, heading, speaker }: PassageSize): boolean =>
  place !== undefined || heading !== undefined || speaker !== undefined;

const isSpeech = ({ place }: Piece): boolean => place?.startTime !== undefined;

/** Joins short lines of one speaker, and the pieces of one page. */
const belongsTogether = (before: Piece, next: Piece, continues: boolean): boolean => {
  if (continues) return true;
  const spoken = isSpeech(before) && isSpeech(next) && before.speaker === next.speaker;
  return spoken && before.text.length + next.text.length < SPOKEN;
};

/** The range from the start of the first to the end of the last. */
const placeOfBoth = (first: Metadata | null, last: Metadata | null): Metadata | null =>
  first === null || last?.endTime === undefined ? first : { ...first, endTime: last.endTime };

const joinPieces = (content: string, reading: Reading): Piece[] => {
  const result: Piece[] = [];
  for (const [index, piece] of splitReading(content, reading).entries()) {
    const before = result.at(-1);
    const passage = reading.passages[index];
    if (
      before === undefined ||
      passage === undefined ||
      !belongsTogether(before, piece, passage.continues === true)
    ) {
      result.push(piece);
      continue;
    }
    const gap = passage.continues ? '' : ' ';
    result[result.length - 1] = {
      ...before,
      text: before.text + gap + piece.text,
      place: placeOfBoth(before.place, piece.place),
    };
  }
  return result;
};

const toSegment = ({ text, place, heading, speaker, at }: Piece): Segment => ({
  text,
  role: null,
  ...(place === null ? {} : { place }),
  ...(heading === null ? {} : { heading: heading.split(' > ') }),
  ...(speaker === null ? {} : { speaker }),
  ...(at === null ? {} : { at }),
});

const parsePlaced = (content: string, reading: Reading, hints: ReadingHints): Parsed => {
  const segments = joinPieces(content, reading)
    .map(toSegment)
    .filter(({ text }) => text.trim() !== '');
  return {
    kind: segments.some(({ speaker }) => speaker !== undefined) ? 'conversation' : 'document',
    chat: false,
    located: true,
    ...hints,
    markdown: reading.form === 'markdown',
    lines: reading.form === 'lines',
    segments,
  };
};

/** One text without positions. */
const parseUnplaced = (content: string, { form, kind }: Reading, hints: ReadingHints): Parsed => {
  const markdown = form === 'markdown';
  if (MAY_TALK.has(kind))
    return { ...parseContent(content, { ...hints, kind: markdown ? 'markdown' : 'text' }), located: true };
  const parsed = parseContent(content, { ...hints, kind: 'html' });
  return { ...parsed, located: true, markdown, lines: form === 'lines' };
};

export const parseReading = (content: string, reading: Reading, hints: ReadingHints): Parsed => {
  const parsed = reading.passages.some(isPlaced)
    ? parsePlaced(content, reading, hints)
    : parseUnplaced(content, reading, hints);
  const title = parsed.title ?? reading.name;
  return title === undefined ? parsed : { ...parsed, title };
};
