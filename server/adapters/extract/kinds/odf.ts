// OpenDocument: texts to Markdown, presentations slide by slide, spreadsheets row by row; also in one flat XML file.
import { failure } from '../failures.ts';
import { type Archive, openArchive } from '../office/archive.ts';
import { createFlow } from '../office/flow.ts';
import { createOdfParagraphs } from '../office/odf-paragraphs.ts';
import { createOdfSheets } from '../office/odf-sheets.ts';
import { createOdfSlides } from '../office/odf-slides.ts';
import { createProperties } from '../office/properties.ts';
import { freshBudget, parseXml, type XmlHandlers } from '../office/sax.ts';
import { createPartQueue } from '../tables/queue.ts';
import type { Content, Sink } from './contract.ts';

type Parse = (part: string, handlers: XmlHandlers, drain?: () => Promise<void>) => Promise<void>;

export async function extractOdf(content: Content, sink: Sink): Promise<void> {
  // A flat file is text to whoever detects it.
  if (content.text !== '') return read(content, sink, flatParser(content.text));
  if (content.file === null) throw failure('corrupt_file');
  const archive = await openArchive(content.file);
  try {
    const parse = archiveParser(archive);
    await refuseEncrypted(parse);
    if (!archive.has('content.xml')) throw failure('corrupt_file');
    await read(content, sink, parse);
  } finally {
    archive.close();
  }
}

async function read({ kind }: Content, sink: Sink, parse: Parse): Promise<void> {
  const properties = createProperties();
  await parse('meta.xml', properties.handlers);
  sink.begin({ form: kind === 'ods' ? 'lines' : 'markdown', ...properties.facts() });
  if (kind === 'odt') {
    const flow = createFlow();
    await parse('content.xml', createOdfParagraphs(flow), () => flow.drain(sink));
    return flow.end(sink);
  }
  const queue = createPartQueue();
  const handlers = kind === 'odp' ? createOdfSlides(queue.add) : createOdfSheets(queue.add);
  await parse('content.xml', handlers, () => queue.drain(sink));
}

function archiveParser(archive: Archive): Parse {
  const budget = freshBudget();
  return async (part, handlers, drain) => {
    if (archive.has(part)) await parseXml(await archive.open(part), handlers, budget, drain);
  };
}

/** One file holds what an archive keeps in several; each reader takes what it knows. */
function flatParser(text: string): Parse {
  const budget = freshBudget();
  return (part, handlers, drain) => {
    const root = part === 'meta.xml' ? 'meta' : 'body';
    return parseXml(pieces(text), within(root, handlers), budget, drain);
  };
}

async function* pieces(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text.replace(/^\ufeff/, ''));
}

/** Only what stands below an element of this name. */
function within(root: string, { open, text, close }: XmlHandlers): XmlHandlers {
  let depth = 0;
  return {
    open(name, attributes) {
      if (depth > 0) open?.(name, attributes);
      if (depth > 0 || name === root) depth++;
    },
    text(said) {
      if (depth > 0) text?.(said);
    },
    close(name) {
      if (depth === 0) return;
      depth--;
      if (depth > 0) close?.(name);
    },
  };
}

async function refuseEncrypted(parse: Parse): Promise<void> {
  let encrypted = false;
  await parse('META-INF/manifest.xml', {
    open(name) {
      encrypted ||= name === 'encryption-data';
    },
  });
  if (encrypted) throw failure('encrypted_file');
}
