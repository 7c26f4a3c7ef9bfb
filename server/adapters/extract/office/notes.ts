// The footnotes, endnotes and comments of a DOCX; each kind is an XML file of its own.
import type { Blocks, Flow } from './flow.ts';
import { createParagraphs } from './paragraphs.ts';
import { attribute, type XmlHandlers } from './sax.ts';

export type NoteKind = 'footnotes' | 'endnotes' | 'comments';

export interface DocxNotes {
  readonly handlers: XmlHandlers;
  write(flow: Flow): void;
}

const TITLES: Readonly<Record<NoteKind, string>> = {
  footnotes: 'Footnotes',
  endnotes: 'Endnotes',
  comments: 'Comments',
};
const ELEMENTS = new Set(['footnote', 'endnote', 'comment']);

export const createDocxNotes = (kind: NoteKind): DocxNotes => {
  const lines: string[] = [];
  let mark = '';
  let texts: string[] = [];
  const keep = (text: string) => void texts.push(text);
  const blocks: Blocks = {
    heading: (_level, text) => keep(text),
    paragraph: keep,
    item: (_depth, text) => keep(text),
    table: (rows) => keep(rows.map((row) => row.join(' | ')).join('\n')),
  };
  const paragraphs = createParagraphs(blocks);

  return {
    handlers: {
      ...paragraphs,
      open(name, attributes) {
        if (ELEMENTS.has(name)) {
          texts = [];
          mark =
            kind === 'comments'
              ? `${attribute(attributes, 'author') ?? 'Comment'}: `
              : `[^${attribute(attributes, 'id') ?? ''}]: `;
        }
        paragraphs.open?.(name, attributes);
      },
      close(name) {
        paragraphs.close?.(name);
        const text = texts.join('\n').trim();
        if (ELEMENTS.has(name) && text !== '') lines.push(mark + text);
      },
    },
    write(flow) {
      if (lines.length === 0) return;
      flow.heading(2, TITLES[kind]);
      for (const line of lines) flow.paragraph(line);
    },
  };
};
