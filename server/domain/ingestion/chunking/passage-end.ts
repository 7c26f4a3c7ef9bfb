// Finds the best end of a passage within a window of text, never inside a character.

import { wholeCharacter } from '../../../lib/text/lines.ts';
import { CLOSERS, COMMON_ABBREVIATIONS, isAbbreviation } from '../../../lib/text/sentences/sentence-marks.ts';

/** Letters of European languages and ordinary punctuation: the characters alone show the ends of sentences. */
const PLAIN = /^[\0-\u024f\u2010-\u2027\u2030-\u205e\u20ac\u2122]*$/;
/** Raw text also closes with marks of Markdown and code. */
const RAW_CLOSERS = new Set('"\')]}*_`”’»'.split(''));

/**
 * The length of the first passage of `window`. The window has the maximum length. The passage ends at the last blank line,
 * else sentence, else line, else word in its second half.
 */
export const passageEnd = (window: string, lines = false): number => {
  const half = window.length >> 1;
  const paragraph = window.lastIndexOf('\n\n');
  if (paragraph >= half) return paragraph;
  const line = window.lastIndexOf('\n');
  if (lines && line >= half) return line;
  const sentence = sentenceEnd(window);
  if (sentence >= half) return sentence;
  if (line >= half) return line;
  if (sentence >= half >> 1) return sentence;
  return wordEnd(window, half);
};

/** The end of the last whole sentence of the window, or -1. */
const sentenceEnd = (window: string): number =>
  PLAIN.test(window) ? plainEnd(window) : segmentedEnd(window);

const plainEnd = (window: string): number => {
  for (let at = window.length - 1; at > 0; at--) {
    const code = window.charCodeAt(at);
    if ((code === 32 || code === 10 || code === 9) && endsSentence(window, at)) return at;
  }
  return -1;
};

/** True if a sentence ends before the blank at `at`. */
const endsSentence = (window: string, at: number): boolean => {
  let end = at;
  while (end > 0 && RAW_CLOSERS.has(window.charAt(end - 1))) end--;
  const mark = window.charAt(end - 1);
  if (mark === '!' || mark === '?' || mark === '…') return true;
  if (mark !== '.') return false;
  const next = window.charAt(at + 1);
  if (next >= 'a' && next <= 'z') return false;
  return !endsInAbbreviation(window, end - 1);
};

const endsInAbbreviation = (window: string, stop: number): boolean => {
  let start = stop;
  while (start > 0 && stop - start < 8 && /[\p{L}.]/u.test(window.charAt(start - 1))) start--;
  return isAbbreviation(window.slice(start, stop), COMMON_ABBREVIATIONS);
};

let segmenter: Intl.Segmenter | undefined;
const LAST_MARK = new RegExp(String.raw`[^\p{L}\p{N}\p{M},;:、，][${CLOSERS}]*$`, 'u');

/** Other scripts follow the rules of Unicode, but a line end inside a sentence does not count. */
const segmentedEnd = (window: string): number => {
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'sentence' });
  let end = -1;
  for (const { index, segment } of segmenter.segment(window)) {
    const stop = index + segment.length;
    if (stop < window.length && LAST_MARK.test(segment.trimEnd().slice(-8))) end = stop;
  }
  return end;
};

/** After a blank or, in scripts without blanks, a comma; else between two characters. */
const wordEnd = (window: string, least: number): number => {
  const last = window.length - 1;
  for (let at = last; at >= least; at--) {
    const code = window.charCodeAt(at);
    if (code === 32 || code === 9 || code === 0x3000) return at;
    if ((code === 0x3001 || code === 0xff0c) && at < last) return at + 1;
  }
  return wholeCharacter(window, last);
};
