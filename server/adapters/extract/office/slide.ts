// One slide: its title, its text, its notes.
import type { ContentPart } from '../port.ts';
import { type Blocks, markdownTable } from './flow.ts';
import { attribute, type XmlHandlers } from './sax.ts';

export interface Slide {
  readonly body: Blocks;
  readonly notes: Blocks;
  readonly shape: Shape;
  part(number: number): ContentPart;
}

/** The current shape of a slide: its title, its body, or a shape that repeats on every slide. */
export interface Shape {
  isTitle(): boolean;
  isBody(): boolean;
  watch(handlers: XmlHandlers): XmlHandlers;
}

const LONGEST_HEADING = 200;
/** Slide numbers, dates, and the picture of the slide on its page of notes. */
const REPEATED = new Set(['sldNum', 'dt', 'ftr', 'hdr', 'sldImg']);

export const createSlide = (): Slide => {
  const titles: string[] = [];
  const lines: string[] = [];
  const noteLines: string[] = [];
  return {
    body: slideBlocks(lines, titles),
    notes: slideBlocks(noteLines, noteLines),
    shape: createShape(),
    part(number) {
      const title = titles.join(' ').replace(/\s+/g, ' ').trim().slice(0, LONGEST_HEADING);
      const notes = noteLines.length === 0 ? '' : `Notes: ${noteLines.join('\n')}`;
      const heading = title === '' ? '' : `## ${title}`;
      const text = [heading, lines.join('\n'), notes].filter((one) => one !== '').join('\n\n');
      return { text, slide: number, ...(title === '' ? {} : { heading: title }) };
    },
  };
};

const slideBlocks = (lines: string[], titles: string[]): Blocks => ({
  heading: (_level, text) => void titles.push(text),
  paragraph: (text) => void lines.push(text.trim()),
  item: (depth, text) => void lines.push(`${'  '.repeat(Math.min(depth, 8))}- ${text}`),
  table: (rows) => void lines.push(`\n${markdownTable(rows)}`),
});

const createShape = (): Shape => {
  let kind = '';
  const placeholder = (name: string, attributes: Readonly<Record<string, string>>): void => {
    if (name === 'sp' || name === 'graphicFrame' || name === 'pic') kind = '';
    else if (name === 'ph') kind = attribute(attributes, 'type') ?? 'body';
  };
  return {
    isTitle: () => kind === 'title' || kind === 'ctrTitle',
    isBody: () => kind === 'body' || kind === 'obj',
    watch: (handlers) => ({
      open(name, attributes) {
        placeholder(name, attributes);
        handlers.open?.(name, attributes);
      },
      close: (name) => handlers.close?.(name),
      text: (text) => (REPEATED.has(kind) ? undefined : handlers.text?.(text)),
    }),
  };
};
