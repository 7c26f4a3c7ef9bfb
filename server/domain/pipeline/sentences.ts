// Where a text may be cut: the best end of a passage within a window, never inside a character.
import { wholeCharacter } from './lines.ts';

/** Letters of European languages and ordinary punctuation: sentence ends show in the characters alone. */
const PLAIN = /^[\0-\u024f\u2010-\u2027\u2030-\u205e\u20ac\u2122]*$/;
const CLOSERS = new Set('"\')]}*_`”’»'.split(''));
const ABBREVIATIONS = new Set(
  'mr mrs ms dr prof st jr sr vs etc e.g i.e cf fig no vol pp inc ltd co dept est approx jan feb mar apr jun jul aug sep sept oct nov dec'.split(
    ' ',
  ),
);

/**
 * The length of the first passage of `window`, which is as long as a passage may be: up to the last blank line,
 * else sentence, else line, else word in its second half.
 */
export function passageEnd(window: string, lines = false): number {
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
}

/** The end of the last whole sentence of the window, or -1. */
function sentenceEnd(window: string): number {
  return PLAIN.test(window) ? plainEnd(window) : segmentedEnd(window);
}

function plainEnd(window: string): number {
  for (let at = window.length - 1; at > 0; at--) {
    const code = window.charCodeAt(at);
    if ((code === 32 || code === 10 || code === 9) && endsSentence(window, at)) return at;
  }
  return -1;
}

/** Whether a sentence ends before the blank at `at`. */
function endsSentence(window: string, at: number): boolean {
  let end = at;
  while (end > 0 && CLOSERS.has(window.charAt(end - 1))) end--;
  const mark = window.charAt(end - 1);
  if (mark === '!' || mark === '?' || mark === '…') return true;
  if (mark !== '.') return false;
  const next = window.charAt(at + 1);
  if (next >= 'a' && next <= 'z') return false;
  return !isAbbreviation(window, end - 1);
}

function isAbbreviation(window: string, stop: number): boolean {
  let start = stop;
  while (start > 0 && stop - start < 8 && /[\p{L}.]/u.test(window.charAt(start - 1))) start--;
  const word = window.slice(start, stop);
  return (word.length === 1 && word !== 'I') || ABBREVIATIONS.has(word.toLowerCase());
}

let segmenter: Intl.Segmenter | undefined;
const LAST_MARK = /[^\p{L}\p{N}\p{M},;:、，]["'”’»)\]」』）]*$/u;

/** Other scripts: as Unicode says, but a mere line end inside a sentence does not count. */
function segmentedEnd(window: string): number {
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'sentence' });
  let end = -1;
  for (const { index, segment } of segmenter.segment(window)) {
    const stop = index + segment.length;
    if (stop < window.length && LAST_MARK.test(segment.trimEnd().slice(-8))) end = stop;
  }
  return end;
}

/** After a blank or, where words have none between them, a comma; else between two characters. */
function wordEnd(window: string, least: number): number {
  const last = window.length - 1;
  for (let at = last; at >= least; at--) {
    const code = window.charCodeAt(at);
    if (code === 32 || code === 9 || code === 0x3000) return at;
    if ((code === 0x3001 || code === 0xff0c) && at < last) return at + 1;
  }
  return wholeCharacter(window, last);
}
