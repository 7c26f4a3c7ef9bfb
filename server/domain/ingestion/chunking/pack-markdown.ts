// Packs the blocks of a Markdown text into passages: neighbours share a passage up to a size, fences and tables stay whole if they fit.

import { cutPassages, type Sizes } from './cut-passages.ts';
import { type Block, eachBlock } from './markdown-blocks.ts';

export interface HeadedPassage {
  readonly text: string;
  readonly path: readonly string[];
}

/** The current passage. */
interface Open {
  readonly start: number;
  readonly end: number;
  /** The headings above the whole passage, and those above its last block. */
  readonly path: readonly string[];
  readonly last: readonly string[];
  /** The start of a heading at the very end, which belongs to the next passage; -1: none. */
  readonly heading: number;
}

/** A passage below this share of the size is too small and takes the next block as well. */
const SMALL_SHARE = 0.3;

export const packPassages = (source: string, sizes: Sizes): HeadedPassage[] => {
  const text = source.trimEnd();
  const passages: HeadedPassage[] = [];
  const growing: { open: Open | null } = { open: null };
  const take = (start: number, end: number, path: readonly string[]) =>
    passages.push({ text: text.slice(start, end).trim(), path });

  const closed = ({ start, end, path, last, heading }: Open): Open | null => {
    if (heading <= start) {
      take(start, end, path);
      return null;
    }
    take(start, heading, path);
    return { start: heading, end, path: last, last, heading };
  };

  eachBlock(text, (block) => {
    while (growing.open !== null && !fitsPassage(growing.open, block, text.length, sizes))
      growing.open = closed(growing.open);
    if (block.end - block.start <= sizes.whole) {
      growing.open = extend(growing.open, block);
      return;
    }
    const start = growing.open?.start ?? block.start;
    growing.open = null;
    for (const piece of cutBlock(text, start, block, sizes)) passages.push({ text: piece, path: block.path });
  });
  if (growing.open !== null) take(growing.open.start, growing.open.end, growing.open.path);
  return passages;
};

const fitsPassage = (open: Open, block: Block, length: number, sizes: Sizes): boolean => {
  if (length - open.start <= sizes.whole) return true;
  const small = open.end - open.start <= sizes.target * SMALL_SHARE;
  // The block must be cut; its first piece begins with the short text before it.
  if (block.end - block.start > sizes.whole) return small;
  if (block.kind === 'heading' && open.heading < 0 && !small) return false;
  return block.end - open.start <= (small || open.heading === open.start ? sizes.whole : sizes.target);
};

const extend = (open: Open | null, { kind, start, end, path }: Block): Open => {
  if (open === null) return { start, end, path, last: path, heading: kind === 'heading' ? start : -1 };
  const heading = kind !== 'heading' ? -1 : open.heading >= 0 ? open.heading : start;
  const headed = open.heading === open.start;
  return { start: open.start, end, path: headed ? path : commonPath(open.path, path), last: path, heading };
};

/** The headings that two sections in one passage share. */
const commonPath = (a: readonly string[], b: readonly string[]): readonly string[] => {
  if (a === b) return a;
  let same = 0;
  while (same < a.length && a[same] === b[same]) same++;
  return a.slice(0, same);
};

/** The pieces of a block that is too long; the first includes the short text before the block. */
const cutBlock = (text: string, start: number, block: Block, sizes: Sizes): string[] => {
  const even = { whole: sizes.target, target: sizes.target };
  if (block.kind !== 'table') return cutPassages(text.slice(start, block.end), even, block.kind === 'code');
  return cutTable(text.slice(start, block.start), text.slice(block.start, block.end), sizes.target);
};

const DELIMITERS = /^\s{0,8}\|[\s|:-]{1,2000}\|\s{0,8}$/;

/** Rows stay whole, and each piece repeats the table's header. */
const cutTable = (lead: string, table: string, target: number): string[] => {
  const rows = table.split('\n');
  const [first = '', second = ''] = rows;
  const headed = DELIMITERS.test(second) && first.length + second.length < target / 2;
  const header = headed ? `${first}\n${second}\n` : '';
  const room = target - header.length;
  const pieces: string[] = [];
  let piece = '';
  for (const row of headed ? rows.slice(2) : rows) {
    for (const part of row.length > room ? cutPassages(row, { whole: room, target: room }) : [row]) {
      if (piece !== '' && piece.length + 1 + part.length > room) {
        pieces.push(header + piece);
        piece = '';
      }
      piece += piece === '' ? part : `\n${part}`;
    }
  }
  pieces.push(header + piece);
  return pieces.map((text, i) => (i === 0 ? lead + text : text).trim());
};
