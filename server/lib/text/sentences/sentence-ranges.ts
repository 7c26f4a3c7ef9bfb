// The sentences of a text as ranges of it, so that one can be taken out and the rest stays as written.
import {
  CLOSERS,
  COMMON_ABBREVIATIONS,
  continuesSentence,
  FULL_LINE,
  SPACED_ENDS,
} from './sentence-marks.ts';

export interface SentenceRange {
  readonly start: number;
  readonly end: number;
}

const END = new RegExp(
  `[${SPACED_ENDS}]+[${CLOSERS}]*(?=\\s|$)\\s*|[。！？]+[${CLOSERS}]*\\s*|\\n\\s*`,
  'gu',
);
const STARTS_ANEW = /^(?:[-*•+>#|]|\d{1,3}[.)]|\p{L}[\p{L} ]{0,30}:)/u;

const isWrapped = (text: string, start: number, end: number, mark: string): boolean =>
  mark.startsWith('\n') &&
  !/\n\s*\n/.test(mark) &&
  end - start >= FULL_LINE &&
  !STARTS_ANEW.test(text.slice(end, end + 40));

const isInside = (text: string, start: number, end: number, mark: string): boolean => {
  if (mark.startsWith('\n')) return isWrapped(text, start, end, mark);
  if (mark.includes('\n')) return false;
  return continuesSentence(text, start, end - mark.length + mark.trimEnd().length, COMMON_ABBREVIATIONS);
};

/** Together the ranges are the whole text, each with the blanks behind its sentence. */
export const sentenceRanges = (text: string): SentenceRange[] => {
  const found: SentenceRange[] = [];
  let start = 0;
  for (const { 0: mark, index } of text.matchAll(END)) {
    const end = index + mark.length;
    if (end <= start || (end < text.length && isInside(text, start, end, mark))) continue;
    found.push({ start, end });
    start = end;
  }
  if (start < text.length) found.push({ start, end: text.length });
  return found;
};
