// EPUB to Markdown: the package document names the chapters; each becomes one part under its first heading.
import type { Archive } from '../containers/zip.ts';
import type { Content, Extractor, Sink } from '../contract.ts';
import { failure } from '../failures.ts';
import type { XmlBudget, XmlHandlers } from '../office/sax.ts';

const MIME_TYPE = 'application/epub+zip';
const CONTAINER = 'META-INF/container.xml';
const ENCRYPTION = 'META-INF/encryption.xml';
const MOST_CHAPTERS = 5_000;
const MOST_CHAPTER_BYTES = 10 * 1024 * 1024;
const LONGEST_HEADING = 200;
/** Publishers scramble fonts with these; the text stays readable. */
const FONT_ALGORITHMS = new Set(['http://www.idpf.org/2008/embedding', 'http://ns.adobe.com/pdf/enc#RC']);

export const epubExtractor: Extractor = {
  documentation: {
    formats: 'EPUB',
    readAs: 'the chapters in reading order, as Markdown',
    places: '`heading`',
  },
  kinds: {
    epub: {
      label: 'EPUB',
      mimeType: MIME_TYPE,
      pace: 'document',
      detect: { archive: (archive) => isBook(archive) },
    },
  },
  read: async (content, sink) => readEpub(await loadTools(), content, sink),
};

const isBook = async (archive: Archive): Promise<boolean> =>
  archive.has(CONTAINER) ||
  (archive.has('mimetype') && (await archive.start('mimetype', MIME_TYPE.length)) === MIME_TYPE);

/** Loaded for the first book: these modules bring the ZIP, XML and HTML libraries. */
const loadTools = async () => ({
  ...(await import('../containers/zip.ts')),
  ...(await import('../office/sax.ts')),
  ...(await import('../office/package.ts')),
  ...(await import('../office/properties.ts')),
  ...(await import('../html/read.ts')),
  ...(await import('../../../lib/text/charset.ts')),
});

type Tools = Awaited<ReturnType<typeof loadTools>>;

const readEpub = (tools: Tools, content: Content, sink: Sink): Promise<void> =>
  tools.withArchive(content.file, async (archive) => {
    await refuseProtected(tools, archive);
    const book = await readBook(tools, archive);
    const { author, language, published } = book;
    sink.begin({
      form: 'markdown',
      title: tools.meaningfulTitle(book.title),
      metadata: { author, language, published },
    });
    const chapters = book.chapters.slice(0, MOST_CHAPTERS);
    for (const [i, path] of chapters.entries()) {
      const text = tools.readChapter(await readArchiveText(tools, archive, path));
      const heading = chapterHeading(text);
      await sink.part({ text, ...(heading === undefined ? {} : { heading }) });
      sink.progress(i + 1, chapters.length, 'parts');
    }
    noteUnread(book, (sentence) => sink.note(sentence));
  });

interface Book {
  readonly title: string;
  readonly author: string | undefined;
  readonly language: string | undefined;
  readonly published: string | undefined;
  /** The paths of the chapters in the archive, in reading order. */
  readonly chapters: readonly string[];
  /** Chapters that the archive does not have, or that are not XHTML. */
  readonly missing: number;
}

const readBook = async (tools: Tools, archive: Archive): Promise<Book> => {
  const budget = tools.freshBudget();
  const path = await packagePath(tools, archive, budget);
  const facts = new Map<string, string[]>();
  const items = new Map<string, { href: string; type: string; navigation: boolean }>();
  const spine: string[] = [];
  let fact: string | null = null;
  const handlers: XmlHandlers = {
    open(name, attributes) {
      const value = (key: string): string => tools.attribute(attributes, key) ?? '';
      fact = FACTS.has(name) ? name : null;
      if (fact !== null) beginFact(facts, fact);
      else if (name === 'itemref') spine.push(value('idref'));
      else if (name === 'item')
        items.set(value('id'), {
          href: value('href'),
          type: value('media-type'),
          navigation: value('properties').split(' ').includes('nav'),
        });
    },
    text(text) {
      const texts = fact === null ? undefined : facts.get(fact);
      if (texts !== undefined) texts.push((texts.pop() ?? '') + text);
    },
    close() {
      fact = null;
    },
  };
  await tools.parseXml(await archive.open(path), handlers, budget);
  const folder = path.slice(0, path.lastIndexOf('/') + 1);
  // The navigation document repeats the headings of the chapters.
  const listed = [...new Set(spine)].filter((id) => items.get(id)?.navigation !== true);
  const found = listed
    .map((id) => items.get(id))
    .filter((item) => item !== undefined && /html/.test(item.type))
    .map((item) => tools.partPath(item?.href ?? '', folder))
    .filter((chapter) => archive.has(chapter));
  // A file is read once, however many items name it.
  const chapters = [...new Set(found)];
  if (chapters.length === 0) throw failure('corrupt_file', { cause: new Error('The book has no chapters.') });
  return { ...bookFacts(facts), chapters, missing: listed.length - found.length };
};

const FACTS = new Set(['title', 'creator', 'language', 'date']);

/** Adds to the list in place: a copy for each element would take time that grows with the square of their number. */
const beginFact = (facts: Map<string, string[]>, name: string): void => {
  const texts = facts.get(name);
  if (texts === undefined) facts.set(name, ['']);
  else texts.push('');
};

const bookFacts = (facts: ReadonlyMap<string, readonly string[]>) => {
  const first = (name: string): string | undefined => facts.get(name)?.find((text) => text.trim() !== '');
  const authors = (facts.get('creator') ?? []).map((text) => text.trim()).filter((text) => text !== '');
  return {
    title: first('title') ?? '',
    author: authors.length === 0 ? undefined : authors.join(', '),
    language: first('language'),
    published: first('date'),
  };
};

/** The container names the package document, which names everything else. */
const packagePath = async (tools: Tools, archive: Archive, budget: XmlBudget): Promise<string> => {
  let path: string | undefined;
  if (archive.has(CONTAINER))
    await tools.parseXml(
      await archive.open(CONTAINER),
      {
        open(name, attributes) {
          if (name === 'rootfile') path ??= tools.attribute(attributes, 'full-path');
        },
      },
      budget,
    );
  const found =
    path === undefined ? archive.names.find((name) => name.endsWith('.opf')) : tools.partPath(path, '');
  if (found === undefined || !archive.has(found))
    throw failure('corrupt_file', { cause: new Error('The book has no package document.') });
  return found;
};

const refuseProtected = async (tools: Tools, archive: Archive): Promise<void> => {
  if (!archive.has(ENCRYPTION)) return;
  let isProtected = false;
  await tools.parseXml(
    await archive.open(ENCRYPTION),
    {
      open(name, attributes) {
        if (name === 'EncryptionMethod')
          isProtected ||= !FONT_ALGORITHMS.has(tools.attribute(attributes, 'Algorithm') ?? '');
      },
    },
    tools.freshBudget(),
  );
  if (isProtected)
    throw failure('encrypted_file', {
      what: 'This book is protected by DRM.',
      next: 'Send a copy without protection, or its text.',
    });
};

const readArchiveText = async (tools: Tools, archive: Archive, path: string): Promise<string> => {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of await archive.open(path)) {
    bytes += piece.length;
    if (bytes > MOST_CHAPTER_BYTES)
      throw failure('text_too_large', { what: 'A chapter of this book is larger than 10 MiB.' });
    pieces.push(piece);
  }
  return tools.decodeText(Buffer.concat(pieces), { html: true });
};

const chapterHeading = (markdown: string): string | undefined => {
  const heading = /^#{1,6} +(.+)$/m
    .exec(markdown)?.[1]
    ?.replace(/[*_\\]/g, '')
    .trim();
  return heading === undefined || heading === '' ? undefined : heading.slice(0, LONGEST_HEADING);
};

const noteUnread = ({ chapters, missing }: Book, note: (sentence: string) => void): void => {
  if (chapters.length > MOST_CHAPTERS)
    note(`Only the first ${MOST_CHAPTERS} of ${chapters.length} chapters were read.`);
  if (missing > 0)
    note(`${missing} ${missing === 1 ? 'chapter was' : 'chapters were'} missing or not XHTML and left out.`);
};
