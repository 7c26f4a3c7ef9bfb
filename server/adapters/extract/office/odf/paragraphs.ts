// The paragraphs of OpenDocument texts and presentations, their lists, tables and footnotes.
import type { Blocks } from '../flow.ts';
import { type Attributes, attribute, type XmlHandlers } from '../sax.ts';
import { createTables } from '../tables.ts';

/** Elements without visible text: deleted text, comments, settings. */
const SKIPPED = new Set(['tracked-changes', 'annotation', 'settings', 'forms', 'note-citation']);
const TABLE_NAMES: Readonly<Record<string, string>> = {
  table: 'tbl',
  'table-row': 'tr',
  'table-cell': 'tc',
  'covered-table-cell': 'tc',
};
const MOST_SPACES = 100;

interface Paragraph {
  text: string;
  /** 0: not a heading. */
  readonly level: number;
}

/** Footnotes stand behind their paragraph. */
export const createOdfParagraphs = (blocks: Blocks): XmlHandlers => {
  const open: Paragraph[] = [];
  const tables = createTables(blocks);
  let skipping = 0;
  let lists = 0;
  let notes = 0;
  let inNote = 0;
  let bodies: string[] = [];

  const finish = ({ text, level }: Paragraph): void => {
    const trimmed = text.trim();
    if (trimmed === '') return;
    if (inNote > 0) bodies.push(`[^${notes}]: ${trimmed}`);
    else if (tables.cell(trimmed)) return;
    else if (level > 0) blocks.heading(level, trimmed);
    else if (lists > 0) blocks.item(lists - 1, trimmed);
    else blocks.paragraph(trimmed);
    if (inNote > 0 || open.length > 0) return;
    for (const body of bodies) blocks.paragraph(body);
    bodies = [];
  };

  return {
    open(name, attributes) {
      if (skipping > 0 || SKIPPED.has(name)) skipping++;
      else if (name === 'p' || name === 'h') open.push({ text: '', level: headingLevel(name, attributes) });
      else if (name === 'list') lists++;
      else if (name === 'note') {
        inNote++;
        const paragraph = open.at(-1);
        if (paragraph !== undefined) paragraph.text += `[^${++notes}]`;
      } else if (TABLE_NAMES[name] !== undefined) tables.open(TABLE_NAMES[name]);
      else addOdfSpace(open.at(-1), name, attributes);
    },
    text(text) {
      const paragraph = open.at(-1);
      if (skipping === 0 && paragraph !== undefined) paragraph.text += text.replace(/\s+/g, ' ');
    },
    close(name) {
      if (skipping > 0) skipping--;
      else if (name === 'list') lists--;
      else if (name === 'note') inNote--;
      else if (TABLE_NAMES[name] !== undefined) tables.close(TABLE_NAMES[name]);
      else if (name === 'p' || name === 'h') {
        const paragraph = open.pop();
        if (paragraph !== undefined) finish(paragraph);
      }
    },
  };
};

const headingLevel = (name: string, attributes: Attributes): number =>
  name === 'h' ? Number(attribute(attributes, 'outline-level')) || 1 : 0;

/** Repeated spaces, tabs and line breaks are elements. */
export const addOdfSpace = (
  paragraph: { text: string } | undefined,
  name: string,
  attributes: Attributes,
): void => {
  if (paragraph === undefined) return;
  if (name === 's')
    paragraph.text += ' '.repeat(Math.min(Number(attribute(attributes, 'c')) || 1, MOST_SPACES));
  else if (name === 'tab') paragraph.text += '\t';
  else if (name === 'line-break') paragraph.text += '\n';
};
