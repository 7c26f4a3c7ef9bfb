// Packing the blocks of a Markdown text into passages: neighbours together up to a size, fences and tables whole where they fit.
import { type Block, eachBlock } from './blocks.ts';
import { cutPassages, type Sizes } from './cut.ts';

export interface Passage {
  readonly text: string;
  readonly path: readonly string[];
}

/** The passage that grows. */
interface Open {
  readonly start: number;
  readonly end: number;
  /** The headings that all of it stands under, and those of its last block. */
  readonly path: readonly string[];
  readonly last: readonly string[];
  /** Where a heading stands at its very end, which belongs to what follows; -1: none. */
  readonly heading: number;
}

/** With less than this share of the size a passage is too small to stand alone: it takes in what follows. */
const SMALL_SHARE = 0.3;

export function packPassages(source: string, sizes: Sizes): Passage[] {
  const text = source.trimEnd();
  const passages: Passage[] = [];
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
    while (growing.open !== null && !fits(growing.open, block, text.length, sizes))
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
}

function fits(open: Open, block: Block, length: number, sizes: Sizes): boolean {
  if (length - open.start <= sizes.whole) return true;
  const small = open.end - open.start <= sizes.target * SMALL_SHARE;
  // A block that has to be cut: its first piece begins with the little that stands before it.
  if (block.end - block.start > sizes.whole) return small;
  if (block.kind === 'heading' && open.heading < 0 && !small) return false;
  return block.end - open.start <= (small || open.heading === open.start ? sizes.whole : sizes.target);
}

function extend(open: Open | null, { kind, start, end, path }: Block): Open {
  if (open === null) return { start, end, path, last: path, heading: kind === 'heading' ? start : -1 };
  const heading = kind !== 'heading' ? -1 : open.heading >= 0 ? open.heading : start;
  const headed = open.heading === open.start;
  return { start: open.start, end, path: headed ? path : commonPath(open.path, path), last: path, heading };
}

/** What two sections in one passage have in common. */
function commonPath(a: readonly string[], b: readonly string[]): readonly string[] {
  if (a === b) return a;
  let same = 0;
  while (same < a.length && a[same] === b[same]) same++;
  return a.slice(0, same);
}

/** The pieces of a block that is too long, with the little that stands before it in the first. */
function cutBlock(text: string, start: number, block: Block, sizes: Sizes): string[] {
  const even = { whole: sizes.target, target: sizes.target };
  if (block.kind !== 'table') return cutPassages(text.slice(start, block.end), even, block.kind === 'code');
  return cutTable(text.slice(start, block.start), text.slice(block.start, block.end), sizes.target);
}

const DELIMITERS = /^\s{0,8}\|[\s|:-]{1,2000}\|\s{0,8}$/;

/** Rows whole, the table's header above each piece. */
function cutTable(lead: string, table: string, target: number): string[] {
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
}
