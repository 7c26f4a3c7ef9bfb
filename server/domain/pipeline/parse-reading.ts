// From what was read to segments: a passage with a place of its own is a segment, speech runs together, the rest is one text.
import type { PassageSize, Reading } from '../../adapters/store/ingest-port.ts';
import type { Metadata } from '../../adapters/store/port.ts';
import { type Parsed, parse, type Segment } from './parse.ts';
import { gapBefore } from './read-content.ts';

export interface ReadingHints {
  title?: string;
  date?: number;
}

interface Piece {
  text: string;
  place: Metadata | null;
  heading: string | null;
  speaker: string | null;
}

/** Kinds of text in which people may talk: a chat that was saved as a file is a chat. */
const MAY_TALK = new Set(['text', 'markdown', 'json']);

/** Of speech so much is said in one breath: a few lines alone say too little. */
const SPOKEN = 900;

const piecesOf = (content: string, { form, passages }: Reading): Piece[] => {
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
    };
  });
};

const isPlaced = ({ place, heading, speaker }: PassageSize): boolean =>
  place !== undefined || heading !== undefined || speaker !== undefined;

const isSpeech = ({ place }: Piece): boolean => place?.startTime !== undefined;

/** Lines of speech by the same person, while they are short; and a page that came in several pieces. */
const goesOn = (before: Piece, next: Piece, continues: boolean): boolean => {
  if (continues) return true;
  const spoken = isSpeech(before) && isSpeech(next) && before.speaker === next.speaker;
  return spoken && before.text.length + next.text.length < SPOKEN;
};

/** From the beginning of the first to the end of the last. */
const placeOfBoth = (first: Metadata | null, last: Metadata | null): Metadata | null =>
  first === null || last?.endTime === undefined ? first : { ...first, endTime: last.endTime };

const joined = (content: string, reading: Reading): Piece[] => {
  const result: Piece[] = [];
  for (const [index, piece] of piecesOf(content, reading).entries()) {
    const before = result.at(-1);
    const passage = reading.passages[index];
    if (before === undefined || passage === undefined || !goesOn(before, piece, passage.continues === true)) {
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

const segmentOf = ({ text, place, heading, speaker }: Piece): Segment => ({
  text,
  role: null,
  ...(place === null ? {} : { place }),
  ...(heading === null ? {} : { heading: heading.split(' > ') }),
  ...(speaker === null ? {} : { speaker }),
});

const placed = (content: string, reading: Reading, hints: ReadingHints): Parsed => {
  const segments = joined(content, reading)
    .map(segmentOf)
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

/** One text without places. */
const whole = (content: string, { form, kind }: Reading, hints: ReadingHints): Parsed => {
  const markdown = form === 'markdown';
  if (MAY_TALK.has(kind))
    return { ...parse(content, { ...hints, kind: markdown ? 'markdown' : 'text' }), located: true };
  const parsed = parse(content, { ...hints, kind: 'html' });
  return { ...parsed, located: true, markdown, lines: form === 'lines' };
};

export const parseReading = (content: string, reading: Reading, hints: ReadingHints): Parsed => {
  const parsed = reading.passages.some(isPlaced)
    ? placed(content, reading, hints)
    : whole(content, reading, hints);
  const title = parsed.title ?? reading.name;
  return title === undefined ? parsed : { ...parsed, title };
};
