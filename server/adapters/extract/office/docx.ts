// Reads a DOCX: its paragraphs, tables, notes and comments, with the headings that its styles define.
import type { Extract, Sink } from '../contract.ts';
import { failure } from '../failures.ts';
import { createFlow, type Flow } from './flow.ts';
import { createDocxNotes } from './notes.ts';
import { type OfficePackage, type Relationship, withPackage } from './package.ts';
import { createParagraphs, outlineLevel } from './paragraphs.ts';
import { createProperties } from './properties.ts';
import { attribute, type XmlHandlers } from './sax.ts';

export const readDocx: Extract = (content, sink) =>
  withPackage(content.file, async (office) => {
    const main = await office.main('word/document.xml');
    const relations = await office.relationships(main);
    const levels = await headingLevels(office, relations);
    const properties = createProperties();
    await office.parse('docProps/core.xml', properties.handlers);
    sink.begin({ form: 'markdown', ...properties.facts() });
    const flow = createFlow();
    await readDocxBody({ office, main, levels }, flow, sink);
    await readNotes(office, relations, flow, sink);
    await flow.end(sink);
  });
interface DocxBody {
  readonly office: OfficePackage;
  readonly main: string;
  readonly levels: ReadonlyMap<string, number>;
}

const readDocxBody = async ({ office, main, levels }: DocxBody, flow: Flow, sink: Sink): Promise<void> => {
  let body = false;
  const paragraphs = createParagraphs(flow, { levelOf: (style) => levels.get(style) ?? 0 });
  const handlers: XmlHandlers = {
    ...paragraphs,
    open(name, attributes) {
      body ||= name === 'body';
      paragraphs.open?.(name, attributes);
    },
  };
  await office.parse(main, handlers, () => flow.drain(sink));
  if (!body) throw failure('corrupt_file', { cause: new Error('The document has no body.') });
};

/** Footnotes, endnotes and comments stand behind the text, as in Markdown. */
const readNotes = async (
  office: OfficePackage,
  relations: readonly Relationship[],
  flow: Flow,
  sink: Sink,
): Promise<void> => {
  for (const kind of ['footnotes', 'endnotes', 'comments'] as const) {
    for (const { target } of relations.filter(({ type }) => type === kind)) {
      const notes = createDocxNotes(kind);
      await office.parse(target, notes.handlers);
      notes.write(flow);
      await flow.drain(sink);
    }
  }
};

const headingLevels = async (
  office: OfficePackage,
  relations: readonly Relationship[],
): Promise<Map<string, number>> => {
  const levels = new Map<string, number>();
  let style: string | undefined;
  const handlers: XmlHandlers = {
    open(name, attributes) {
      if (name === 'style') style = attribute(attributes, 'styleId');
      if (style === undefined) return;
      const value = attribute(attributes, 'val') ?? '';
      const level = name === 'outlineLvl' ? outlineLevel(value) : name === 'name' ? levelOfStyle(value) : 0;
      if (level > 0) levels.set(style, level);
    },
    close(name) {
      if (name === 'style') style = undefined;
    },
  };
  for (const { target } of relations.filter(({ type }) => type === 'styles'))
    await office.parse(target, handlers);
  return levels;
};

const levelOfStyle = (name: string): number =>
  /^title$/i.test(name) ? 1 : Number(/^heading (\d)$/i.exec(name)?.[1] ?? 0);
