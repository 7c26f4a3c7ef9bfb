// DOCX to Markdown: headings, lists, tables, notes and comments; what was deleted stays out.

import { failure } from '../failures.ts';
import { createFlow, type Flow } from '../office/flow.ts';
import { type OfficePackage, type Relationship, withPackage } from '../office/package.ts';
import { createParagraphs, outlineLevel } from '../office/paragraphs.ts';
import { createProperties } from '../office/properties.ts';
import { createRemarks } from '../office/remarks.ts';
import { attribute, type XmlHandlers } from '../office/sax.ts';
import type { Content, Sink } from './contract.ts';

export const extractDocx = (content: Content, sink: Sink): Promise<void> =>
  withPackage(content.file, async (office) => {
    const main = await office.main('word/document.xml');
    const relations = await office.relationships(main);
    const levels = await headingLevels(office, relations);
    const properties = createProperties();
    await office.parse('docProps/core.xml', properties.handlers);
    sink.begin({ form: 'markdown', ...properties.facts() });
    const flow = createFlow();
    await readBody(office, main, flow, sink, levels);
    await readRemarks(office, relations, flow, sink);
    await flow.end(sink);
  });

async function readBody(
  office: OfficePackage,
  main: string,
  flow: Flow,
  sink: Sink,
  levels: ReadonlyMap<string, number>,
): Promise<void> {
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
}

/** Footnotes, endnotes, comments: behind the text, as Markdown has it. */
async function readRemarks(
  office: OfficePackage,
  relations: readonly Relationship[],
  flow: Flow,
  sink: Sink,
): Promise<void> {
  for (const kind of ['footnotes', 'endnotes', 'comments'] as const) {
    for (const { target } of relations.filter(({ type }) => type === kind)) {
      const remarks = createRemarks(kind);
      await office.parse(target, remarks.handlers);
      remarks.write(flow);
      await flow.drain(sink);
    }
  }
}

async function headingLevels(
  office: OfficePackage,
  relations: readonly Relationship[],
): Promise<Map<string, number>> {
  const levels = new Map<string, number>();
  let style: string | undefined;
  const handlers: XmlHandlers = {
    open(name, attributes) {
      if (name === 'style') style = attribute(attributes, 'styleId');
      if (style === undefined) return;
      const value = attribute(attributes, 'val') ?? '';
      const level = name === 'outlineLvl' ? outlineLevel(value) : name === 'name' ? levelOfName(value) : 0;
      if (level > 0) levels.set(style, level);
    },
    close(name) {
      if (name === 'style') style = undefined;
    },
  };
  for (const { target } of relations.filter(({ type }) => type === 'styles'))
    await office.parse(target, handlers);
  return levels;
}

const levelOfName = (name: string): number =>
  /^title$/i.test(name) ? 1 : Number(/^heading (\d)$/i.exec(name)?.[1] ?? 0);
