// The paragraphs and tables of DOCX and PPTX, which have the same element names in both.
import type { Blocks } from './flow.ts';
import { type Attributes, attribute, type XmlHandlers } from './sax.ts';
import { createTables, type Tables } from './tables.ts';

export interface ParagraphOptions {
  /** The heading level of a style; 0: none. */
  readonly levelOf?: (style: string) => number;
  /** On slides every paragraph of a title shape is a heading, whatever its style. */
  readonly isTitle?: () => boolean;
  /** On slides the paragraphs of a body shape are list items by default. */
  readonly isList?: () => boolean;
}

/** Elements without visible text: deleted, repeated for older programs, or computed by each program. */
const SKIPPED = new Set(
  'Fallback del moveFrom instrText delText sectPr rPrChange pPrChange tblPrChange'.split(' '),
);
const SHORTEST_DESCRIPTION = 4;

interface Paragraph {
  text: string;
  style: string;
  /** The depth in a list; -1: no list. */
  depth: number;
  level: number;
  /** On slides: the indent, and the bullet where the paragraph defines one. */
  indent: number;
  bullet: boolean | null;
}

const freshParagraph = (): Paragraph => ({
  text: '',
  style: '',
  depth: -1,
  level: 0,
  indent: 0,
  bullet: null,
});

export const createParagraphs = (blocks: Blocks, options: ParagraphOptions = {}): XmlHandlers => {
  const open: Paragraph[] = [];
  const tables = createTables(blocks);
  let skipping = 0;
  let inText = false;
  const current = (): Paragraph | undefined => open.at(-1);

  return {
    open(name, attributes) {
      if (skipping > 0 || SKIPPED.has(name)) skipping++;
      else if (name === 'p') open.push(freshParagraph());
      else if (name === 't') inText = true;
      else if (!tables.open(name)) applyElement(current(), name, attributes);
    },
    text(text) {
      const paragraph = current();
      if (inText && skipping === 0 && paragraph !== undefined) paragraph.text += text;
    },
    close(name) {
      if (skipping > 0) {
        skipping--;
        return;
      }
      if (name === 't') inText = false;
      else if (name === 'p') finishParagraph(open.pop(), blocks, tables, options);
      else tables.close(name);
    },
  };
};

/** An element inside a paragraph that is not text: a property, a break, a picture, a reference. */
const applyElement = (paragraph: Paragraph | undefined, name: string, attributes: Attributes): void => {
  if (paragraph === undefined) return;
  const value = attribute(attributes, 'val') ?? '';
  if (name === 'pStyle') paragraph.style = value;
  else if (name === 'pPr') paragraph.indent = Number(attribute(attributes, 'lvl')) || 0;
  else if (name === 'buChar' || name === 'buAutoNum') paragraph.bullet = true;
  else if (name === 'buNone') paragraph.bullet = false;
  else if (name === 'ilvl') paragraph.depth = Number(value) || 0;
  else if (name === 'numId') paragraph.depth = value === '0' ? -1 : Math.max(paragraph.depth, 0);
  else if (name === 'outlineLvl') paragraph.level = outlineLevel(value);
  else if (name === 'tab' || name === 'ptab') paragraph.text += '\t';
  else if (name === 'br' || name === 'cr') paragraph.text += '\n';
  else if (name === 'noBreakHyphen') paragraph.text += '-';
  else if (name === 'docPr' || name === 'cNvPr') paragraph.text += pictureText(attributes);
  else if (name === 'footnoteReference' || name === 'endnoteReference')
    paragraph.text += `[^${attribute(attributes, 'id') ?? ''}]`;
};

/** The value 9 means body text. */
export const outlineLevel = (value: string): number => {
  const level = Number.parseInt(value, 10) + 1;
  return level >= 1 && level <= 9 ? level : 0;
};

const pictureText = (attributes: Attributes): string => {
  const description = attribute(attributes, 'descr') ?? '';
  return description.length < SHORTEST_DESCRIPTION ? '' : `[image: ${description}] `;
};

const finishParagraph = (
  paragraph: Paragraph | undefined,
  blocks: Blocks,
  tables: Tables,
  { levelOf = () => 0, isTitle = () => false, isList = () => false }: ParagraphOptions,
): void => {
  if (paragraph === undefined) return;
  const text = paragraph.text.replace(/[ \t]{1,200}\n/g, '\n').trimEnd();
  if (text.trim() === '') return;
  const level = isTitle() ? 2 : paragraph.level || levelOf(paragraph.style);
  if (tables.cell(text.trim())) return;
  if (level > 0) blocks.heading(level, text.trim());
  else {
    const depth = listDepth(paragraph, isList());
    if (depth < 0) blocks.paragraph(text);
    else blocks.item(depth, text.trim());
  }
};

/** On slides an indented paragraph is a list item, unless it has no bullet. */
const listDepth = ({ depth, indent, bullet }: Paragraph, list: boolean): number => {
  if (depth >= 0) return depth;
  return (bullet ?? (list || indent > 0)) ? indent : -1;
};
