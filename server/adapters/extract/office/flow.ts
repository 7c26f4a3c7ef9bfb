// Markdown of a document without pages or slides: headings, paragraphs, lists and tables, sent to the sink as it grows.
import type { Sink } from '../contract.ts';
import type { ContentPart } from '../port.ts';

/** The target of a reader of paragraphs. */
export interface Blocks {
  heading(level: number, text: string): void;
  paragraph(text: string): void;
  /** `depth` from 0. */
  item(depth: number, text: string): void;
  table(rows: readonly (readonly string[])[]): void;
}

export interface Flow extends Blocks {
  /** Sends the text to the sink once it is large. */
  drain(sink: Sink): Promise<void>;
  /** Sends the rest to the sink. */
  end(sink: Sink): Promise<void>;
}

const PIECE = 64 * 1024;
const DEEPEST_HEADING = 6;
const DEEPEST_LIST = 8;
const LONGEST_HEADING = 200;
const MOST_FILLED_CELLS = 64;

export const createFlow = (): Flow => {
  let text = '';
  let first = true;
  let path: readonly string[] = [];
  let pathAtStart: readonly string[] = [];
  let levels: readonly number[] = [];
  let inList = false;

  const endList = (): void => {
    if (inList) text += '\n';
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
    heading(level, title) {
      endList();
      const depth = Math.max(1, Math.min(level, DEEPEST_HEADING));
      const above = levels.filter((one) => one < depth);
      const line = title.replace(/\s+/g, ' ').trim();
      path = [...path.slice(0, above.length), line.slice(0, LONGEST_HEADING)];
      levels = [...above, depth];
      text += `${'#'.repeat(depth)} ${line}\n\n`;
    },
    paragraph(paragraph) {
      endList();
      text += `${paragraph}\n\n`;
    },
    item(depth, line) {
      inList = true;
      const indent = '  '.repeat(Math.max(0, Math.min(depth, DEEPEST_LIST)));
      text += `${indent}- ${line.replaceAll('\n', `\n${indent}  `)}\n`;
    },
    table(rows) {
      endList();
      text += markdownTable(rows);
    },
    drain: async (sink) => (text.length >= PIECE ? hand(sink) : undefined),
    end: hand,
  };
};

export const markdownTable = (rows: readonly (readonly string[])[]): string => {
  const width = rows.reduce((most, row) => Math.max(most, row.length), 0);
  const [head, ...others] = rows;
  if (head === undefined || width === 0) return '';
  // One row of a hundred thousand cells must not make all the others as long.
  const filled = Math.min(width, MOST_FILLED_CELLS);
  const line = (row: readonly string[]): string =>
    `| ${Array.from({ length: Math.max(row.length, filled) }, (_, i) => row[i] ?? '').join(' | ')} |\n`;
  return `${line(head)}|${' --- |'.repeat(Math.max(head.length, filled))}\n${others.map(line).join('')}\n`;
};

/** A cell is one line and has no character that ends the cell. */
export const cellText = (text: string): string =>
  text
    .trim()
    .replace(/\s{0,100}\n\s{0,100}/g, ' ')
    .replaceAll('|', '\\|');
