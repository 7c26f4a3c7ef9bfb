// Compares two texts as sequences of units (sentences or messages), each with a hash. Linear for any texts.
import { EVIDENCE, type SharedPart } from './thresholds.ts';

export interface TextUnits {
  readonly keys: readonly number[];
  readonly lengths: readonly number[];
  /** The start of each unit in its text. */
  readonly starts: readonly number[];
}

/** A 53-bit hash of a text that ignores differences in blanks. */
export const textKey = (text: string): number => hash(text, 0, text.length).key;

/** Two 32-bit mixes in one pass over the characters, runs of blanks counted as one (after cyrb53). */
const hash = (text: string, start: number, end: number): { key: number; length: number } => {
  let low = 0xdeadbeef;
  let high = 0x41c6ce57;
  let length = 0;
  let blank = false;
  for (let at = start; at < end; at++) {
    const code = text.charCodeAt(at);
    if (code === 32 || (code >= 9 && code <= 13) || code === 0xa0) {
      blank = length > 0;
      continue;
    }
    if (blank) {
      low = Math.imul(low ^ 32, 2654435761);
      high = Math.imul(high ^ 32, 1597334677);
      length++;
      blank = false;
    }
    low = Math.imul(low ^ code, 2654435761);
    high = Math.imul(high ^ code, 1597334677);
    length++;
  }
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909);
  return { key: 4294967296 * (2097151 & high) + (low >>> 0), length };
};

/** Sentences, each within one line. */
export const sentenceUnits = (text: string): TextUnits => {
  const keys: number[] = [];
  const lengths: number[] = [];
  const starts: number[] = [];
  let start = 0;
  const take = (end: number) => {
    const { key, length } = hash(text, start, end);
    if (length > 0) {
      keys.push(key);
      lengths.push(length);
      starts.push(start);
    }
    start = end;
  };
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 10) take(at + 1);
    else if (code === 0x3002 || code === 0xff01 || code === 0xff1f) take(at + 1);
    else if (code <= 32 && at > start && isEndMark(text.charCodeAt(at - 1))) take(at + 1);
  }
  take(text.length);
  return { keys, lengths, starts };
};

const isEndMark = (code: number): boolean => code === 0x2e || code === 0x21 || code === 0x3f;

/** The number of units in the common beginning. */
export const commonBeginning = (a: readonly number[], b: readonly number[]): number => {
  let same = 0;
  while (same < a.length && same < b.length && a[same] === b[same]) same++;
  return same;
};

/** True if all of `a` is in `b`, in its order. */
export const isWithin = (a: readonly number[], b: readonly number[]): boolean => {
  let found = 0;
  for (const key of b) if (found < a.length && key === a[found]) found++;
  return found === a.length;
};

/** The length of the longest end of `a` that is a beginning of `b` (Knuth-Morris-Pratt table of `b`). */
export const overlap = (a: readonly number[], b: readonly number[]): number => {
  const table: number[] = [0];
  const follow = (matched: number, key: number | undefined): number => {
    let length = matched;
    while (length > 0 && (length === b.length || b[length] !== key)) length = table[length - 1] ?? 0;
    return b[length] === key ? length + 1 : length;
  };
  for (let at = 1, matched = 0; at < b.length; at++) {
    matched = follow(matched, b[at]);
    table.push(matched);
  }
  let matched = 0;
  for (let at = Math.max(0, a.length - b.length); at < a.length; at++) matched = follow(matched, a[at]);
  return b.length === 0 ? 0 : matched;
};

/** Measured by length; repetitions count as often as both have them, short units are ignored. */
export const shareOf = (a: TextUnits, b: TextUnits): SharedPart => {
  const counts = new Map<number, number>();
  const stored = sum(a, (key) => counts.set(key, (counts.get(key) ?? 0) + 1));
  let common = 0;
  const incoming = sum(b, (key, length) => {
    const left = counts.get(key) ?? 0;
    if (left === 0) return;
    counts.set(key, left - 1);
    common += length;
  });
  return { kept: stored === 0 ? 0 : common / stored, reused: incoming === 0 ? 0 : common / incoming };
};

const sum = ({ keys, lengths }: TextUnits, visit: (key: number, length: number) => void): number => {
  let total = 0;
  for (const [i, key] of keys.entries()) {
    const length = lengths[i] ?? 0;
    if (length < EVIDENCE) continue;
    total += length;
    visit(key, length);
  }
  return total;
};

/** The common beginning and end of both texts, as a share of either. */
export const sharedEnds = (a: string, b: string): SharedPart & { length: number } => {
  const shorter = Math.min(a.length, b.length);
  let head = 0;
  while (head < shorter && a.charCodeAt(head) === b.charCodeAt(head)) head++;
  let tail = 0;
  while (tail < shorter - head && a.charCodeAt(a.length - 1 - tail) === b.charCodeAt(b.length - 1 - tail))
    tail++;
  const length = head + tail;
  return { length, kept: length / Math.max(1, a.length), reused: length / Math.max(1, b.length) };
};
