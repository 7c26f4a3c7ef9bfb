// Reads OpenDocument content: the properties, then the body as a text, a presentation or a spreadsheet.
import { type Archive, withArchive } from '../../containers/zip.ts';
import type { Content, Extract, Sink } from '../../contract.ts';
import { failure } from '../../failures.ts';
import { createPartQueue } from '../../tables/part-queue.ts';
import { createFlow } from '../flow.ts';
import { createProperties } from '../properties.ts';
import { freshBudget, parseXml, type XmlHandlers } from '../sax.ts';
import { createOdfParagraphs } from './paragraphs.ts';
import { createOdfSheets } from './sheets.ts';
import { createOdfSlides } from './slides.ts';

type ParsePart = (part: string, handlers: XmlHandlers, drain?: () => Promise<void>) => Promise<void>;

export const readOdf: Extract = async (content, sink) => {
  // A flat file was detected as text.
  if (content.text !== '') return readParts(content, sink, flatParser(content.text));
  await withArchive(content.file, async (archive) => {
    const parse = archiveParser(archive);
    await refuseEncrypted(parse);
    if (!archive.has('content.xml')) throw failure('corrupt_file');
    await readParts(content, sink, parse);
  });
};

const readParts = async ({ kind }: Content, sink: Sink, parse: ParsePart): Promise<void> => {
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
};

const archiveParser = (archive: Archive): ParsePart => {
  const budget = freshBudget();
  return async (part, handlers, drain) => {
    if (archive.has(part)) await parseXml(await archive.open(part), handlers, budget, drain);
  };
};

/** A flat file has in one XML document all the parts that an archive has as files. */
const flatParser = (text: string): ParsePart => {
  const budget = freshBudget();
  return (part, handlers, drain) => {
    const root = part === 'meta.xml' ? 'meta' : 'body';
    return parseXml(flatBytes(text), below(root, handlers), budget, drain);
  };
};

async function* flatBytes(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text.replace(/^\ufeff/, ''));
}

/** Only the elements below an element with this name. */
const below = (root: string, { open, text, close }: XmlHandlers): XmlHandlers => {
  let depth = 0;
  return {
    open(name, attributes) {
      if (depth > 0) open?.(name, attributes);
      if (depth > 0 || name === root) depth++;
    },
    text(piece) {
      if (depth > 0) text?.(piece);
    },
    close(name) {
      if (depth === 0) return;
      depth--;
      if (depth > 0) close?.(name);
    },
  };
};

const refuseEncrypted = async (parse: ParsePart): Promise<void> => {
  let encrypted = false;
  await parse('META-INF/manifest.xml', {
    open(name) {
      encrypted ||= name === 'encryption-data';
    },
  });
  if (encrypted) throw failure('encrypted_file');
};
