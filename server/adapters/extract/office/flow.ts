// A document that flows (no pages, no slides) as Markdown: headings, paragraphs, lists and tables, handed on as it grows.
import type { Sink } from '../kinds/contract.ts';
import type { ContentPart } from '../port.ts';

/** What a reader of paragraphs writes to. */
export interface Blocks {
  heading(level: number, text: string): void;
  paragraph(text: string): void;
  /** `depth` from 0. */
  item(depth: number, text: string): void;
  table(rows: readonly (readonly string[])[]): void;
}

export interface Flow extends Blocks {
  /** What has gathered goes out once it is large; everything at the `end`. */
  drain(sink: Sink): Promise<void>;
  end(sink: Sink): Promise<void>;
}

const PIECE = 64 * 1024;
const DEEPEST_HEADING = 6;
const DEEPEST_LIST = 8;
const LONGEST_HEADING = 200;
const MOST_FILLED_UP = 64;

export function createFlow(): Flow {
  let text = '';
  let first = true;
  let path: readonly string[] = [];
  let pathAtStart: readonly string[] = [];
  let levels: readonly number[] = [];
  let inList = false;

  const add = (block: string): void => {
    text += block;
  };
  const apart = (): void => {
    if (inList) add('\n');
    inList = false;
  };

  const hand = async (sink: Sink): Promise<void> => {
    if (text === '') return;
    const part: ContentPart = {
      text,
      ...(first ? {} : { continues: true }),
      ...(pathAtStart.length === 0 ? {} : { heading: pathAtStart.join(' > ') }),
    };
    text = '';
    first = false;
    pathAtStart = path;
    await sink.part(part);
  };

  return {
    heading(level, said) {
      apart();
      const depth = Math.max(1, Math.min(level, DEEPEST_HEADING));
      const above = levels.filter((one) => one < depth);
      path = [...path.slice(0, above.length), said.replace(/\s+/g, ' ').trim().slice(0, LONGEST_HEADING)];
      levels = [...above, depth];
      add(`${'#'.repeat(depth)} ${said.replace(/\s+/g, ' ').trim()}\n\n`);
    },
    paragraph(said) {
      apart();
      add(`${said}\n\n`);
    },
    item(depth, said) {
      inList = true;
      const indent = '  '.repeat(Math.max(0, Math.min(depth, DEEPEST_LIST)));
      add(`${indent}- ${said.replaceAll('\n', `\n${indent}  `)}\n`);
    },
    table(rows) {
      apart();
      add(markdownTable(rows));
    },
    drain: async (sink) => (text.length >= PIECE ? hand(sink) : undefined),
    end: hand,
  };
}

export function markdownTable(rows: readonly (readonly string[])[]): string {
  const width = rows.reduce((most, row) => Math.max(most, row.length), 0);
  const [head, ...others] = rows;
  if (head === undefined || width === 0) return '';
  // One row of a hundred thousand cells must not make all the others as long.
  const even = Math.min(width, MOST_FILLED_UP);
  const line = (row: readonly string[]): string =>
    `| ${Array.from({ length: Math.max(row.length, even) }, (_, i) => row[i] ?? '').join(' | ')} |\n`;
  return `${line(head)}|${' --- |'.repeat(Math.max(head.length, even))}\n${others.map(line).join('')}\n`;
}

/** A cell stands in one line and must not end it. */
export const cellText = (text: string): string =>
  text
    .trim()
    .replace(/\s{0,100}\n\s{0,100}/g, ' ')
    .replaceAll('|', '\\|');
