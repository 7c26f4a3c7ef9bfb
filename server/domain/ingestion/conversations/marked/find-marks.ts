// Finds the marks of a form in a text, and pairs those that open a message with those that close it.
import type { MarkPatterns } from './forms.ts';

const KINDS = ['opens', 'closes', 'frame', 'foreign'] as const;

export interface Mark {
  readonly kind: (typeof KINDS)[number];
  readonly start: number;
  readonly end: number;
  /** The word for the role, or ''. */
  readonly word: string;
  /** The name of a tool. */
  readonly tool?: string;
  readonly outcome?: string;
  readonly at?: string;
  readonly isSession: boolean;
}

export interface PairedMark extends Mark {
  /** The number of the other mark of the pair; -1: none. */
  readonly pair: number;
}

/** All marks at their places. Null: more than any conversation has. */
export const findMarks = (source: string, patterns: MarkPatterns, most: number): PairedMark[] | null => {
  const marks: Mark[] = [];
  for (const found of source.matchAll(searchFor(patterns))) {
    marks.push(markOf(found));
    if (marks.length > most) return null;
  }
  return paired(placed(source, marks), patterns);
};

const openings = new WeakMap<MarkPatterns, RegExp>();

/** Kept, because every text is looked at for every form: to build an expression takes longer than to run it. */
const openingOf = (patterns: MarkPatterns): RegExp => {
  const known = openings.get(patterns);
  if (known !== undefined) return known;
  const opening = new RegExp(patterns.opens, 'im');
  openings.set(patterns, opening);
  return opening;
};

/** True if a message opens in the first `limit` characters. */
export const opensWithin = (source: string, patterns: MarkPatterns, limit: number): boolean => {
  const head = source.slice(0, limit);
  return head.includes(patterns.holds) && openingOf(patterns).test(head);
};

const searches = new WeakMap<MarkPatterns, RegExp>();

const searchFor = (patterns: MarkPatterns): RegExp => {
  const known = searches.get(patterns);
  if (known !== undefined) return known;
  const parts = KINDS.flatMap((kind) =>
    patterns[kind] === undefined ? [] : [`(?<${kind}>${patterns[kind]})`],
  );
  const search = new RegExp(parts.join('|'), 'gim');
  searches.set(patterns, search);
  return search;
};

const markOf = (found: RegExpExecArray): Mark => {
  const groups = found.groups ?? {};
  const kind = KINDS.find((name) => groups[name] !== undefined) ?? 'foreign';
  return {
    kind,
    start: found.index,
    end: found.index + found[0].length,
    word: (groups.role ?? groups.kind ?? groups.end ?? '').trim(),
    ...(groups.tool === undefined ? {} : { tool: groups.tool }),
    ...(groups.outcome === undefined ? {} : { outcome: groups.outcome }),
    ...(groups.at === undefined ? {} : { at: groups.at }),
    isSession: groups.session !== undefined,
  };
};

/**
 * A message opens at the start of a line or right after the end of another, and closes at the end of a line or right
 * before another mark. Elsewhere a message quotes the mark. A frame stands before a message or at the end.
 */
const placed = (source: string, marks: readonly Mark[]): Mark[] => {
  const ends: boolean[] = [];
  for (let i = marks.length - 1; i >= 0; i--) {
    const mark = marks[i];
    const next = marks[i + 1];
    if (mark === undefined) continue;
    const after = blanksEnd(source, mark.end, next?.start ?? source.length);
    const meets = next === undefined ? after === source.length : after === next.start;
    if (mark.kind === 'closes') ends[i] = meets || source[spacesEnd(source, mark.end, after)] === '\n';
    else if (mark.kind === 'frame')
      ends[i] =
        meets &&
        (next === undefined || next.kind === 'opens' || (next.kind === 'frame' && ends[i + 1] === true));
    else ends[i] = true;
  }
  const kept: Mark[] = [];
  for (const [i, mark] of marks.entries()) {
    if (ends[i] !== true) continue;
    const last = kept.at(-1);
    const follows = last?.kind === 'closes' && blanksEnd(source, last.end, mark.start) === mark.start;
    if (mark.kind !== 'opens' || follows || beginsLine(source, mark.start)) kept.push(mark);
  }
  return kept;
};

const INDENT = 8;

/** The start of a pattern may be the start of the line itself, with its indent. */
const beginsLine = (source: string, start: number): boolean => {
  let at = start;
  while (at > 0 && start - at <= INDENT && isSpace(source.charCodeAt(at - 1))) at--;
  return at === 0 || source.charCodeAt(at - 1) === 10;
};

const isSpace = (code: number): boolean => code === 32 || code === 9;

const spacesEnd = (source: string, from: number, to: number): number => {
  let at = from;
  while (at < to && isSpace(source.charCodeAt(at))) at++;
  return at;
};

const blanksEnd = (source: string, from: number, to: number): number => {
  let at = from;
  while (at < to && (isSpace(source.charCodeAt(at)) || source.charCodeAt(at) === 10)) at++;
  return at;
};

/** Closing marks either name the role of their message or close the last one. */
const pairingWord = (mark: Mark | undefined, { closes = '' }: MarkPatterns): string =>
  closes.includes('(?<end>') ? (mark?.word.toLowerCase() ?? '') : '';

/**
 * Pairs each closing mark with the last open message of its word. A message without a partner ends at the next mark
 * that opens one; a message inside a pair is quoted by the message around it.
 */
const paired = (marks: readonly Mark[], patterns: MarkPatterns): PairedMark[] => {
  const pairs = new Map<number, number>();
  const open: number[] = [];
  const counts = new Map<string, number>();
  const count = (key: string, by: 1 | -1) => counts.set(key, (counts.get(key) ?? 0) + by);
  for (const [i, mark] of marks.entries()) {
    const key = pairingWord(mark, patterns);
    if (mark.kind === 'opens') {
      open.push(i);
      count(key, 1);
    }
    if (mark.kind !== 'closes' || (counts.get(key) ?? 0) === 0) continue;
    for (let partner = open.pop(); partner !== undefined; partner = open.pop()) {
      const found = pairingWord(marks[partner], patterns);
      count(found, -1);
      if (found !== key) continue;
      pairs.set(i, partner).set(partner, i);
      break;
    }
  }
  return marks.map((mark, i) => ({ ...mark, pair: pairs.get(i) ?? -1 }));
};
