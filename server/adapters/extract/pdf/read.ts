// Reads a PDF page by page; a page that shows pictures and has no text is rendered and recognised.
import { IngestError } from '../../../core/errors.ts';
import type { Content, Head, Sink } from '../contract.ts';
import { failure } from '../failures.ts';
import { createRecogniser, type Recogniser } from '../ocr/recogniser.ts';
import { openPdf, type PdfDocument } from './document.ts';
import { type HeadingOf, readOutline } from './outline.ts';
import type { PdfPage } from './page.ts';

const MOST_PAGES = 10_000;
/** Fewer letters than this are a page number or a stamp. */
const LITTLE_TEXT = 16;
/** Recognition ends after this share of its time limit, so that the pages read by then are kept. */
const OCR_SHARE = 0.8;

/** The pages that were not read, for the note. */
interface UnreadPages {
  damaged: number;
  readonly unrecognised: number[];
}

interface PdfContext {
  readonly document: PdfDocument;
  readonly recognise: RecognisePage;
  readonly unread: UnreadPages;
}

export const readPdf = async (content: Content, sink: Sink): Promise<void> => {
  const document = await openPdf(await content.bytes());
  try {
    sink.begin(pdfHead(document));
    const unread = await readPages(content, document, sink);
    if (unread.damaged > 0 && unread.damaged === Math.min(document.pages, MOST_PAGES))
      throw failure('corrupt_file');
    noteUnreadPages(document, unread, sink);
  } finally {
    document.close();
  }
};

const pdfHead = (document: PdfDocument): Head => ({
  form: 'prose',
  title: document
    .meta('Title')
    .replace(/^(?:microsoft word|microsoft powerpoint) - |\.(?:docx?|pptx?|indd|tex)$/gi, ''),
  metadata: {
    author: document.meta('Author'),
    created: isoDate(document.meta('CreationDate')),
    pages: document.pages,
  },
});

/** "D:20260501100000+02'00'" becomes "2026-05-01". */
const isoDate = (pdfDate: string): string | undefined => {
  const found = /^D?:?(\d{4})(\d{2})?(\d{2})?/.exec(pdfDate);
  if (found === null) return undefined;
  const [, year, month = '01', day = '01'] = found;
  return `${year}-${month}-${day}`;
};

const readPages = async (content: Content, document: PdfDocument, sink: Sink): Promise<UnreadPages> => {
  const headingOf = readOutline(document);
  const unread: UnreadPages = { damaged: 0, unrecognised: [] };
  const context: PdfContext = { document, recognise: createPageRecogniser(content, sink), unread };
  const count = Math.min(document.pages, MOST_PAGES);
  for (let number = 1; number <= count; number++) {
    const text = await readPdfPage(context, number);
    await sink.part({ text, page: number, ...headingAt(headingOf, number) });
    sink.progress(number, count, 'pages');
  }
  return unread;
};

const headingAt = (headingOf: HeadingOf, number: number): { heading?: string } => {
  const heading = headingOf(number);
  return heading === undefined ? {} : { heading };
};

const readPdfPage = async ({ document, recognise, unread }: PdfContext, number: number): Promise<string> => {
  let page: PdfPage | null = null;
  try {
    page = document.page(number - 1);
    if (page === null) throw new Error('The page cannot be opened.');
    const text = page.text();
    const enough = text.replace(/\s/g, '').length >= LITTLE_TEXT || !page.hasPictures();
    const recognised = enough ? '' : await recognise(page);
    if (recognised === null) unread.unrecognised.push(number);
    return [text, recognised ?? '', ...page.annotations()].filter((one) => one !== '').join('\n');
  } catch (error) {
    // A failure that concerns all pages ends the reading; a damaged page is left out.
    if (error instanceof IngestError) throw error;
    unread.damaged++;
    return '';
  } finally {
    page?.close();
  }
};

/** Null: no time was left. */
type RecognisePage = (page: PdfPage) => Promise<string | null>;

const createPageRecogniser = ({ languages, scratch, ocrMs }: Content, sink: Sink): RecognisePage => {
  let recogniser: Recogniser | null = null;
  let began = 0;
  return async (page) => {
    if (recogniser === null) {
      sink.slow();
      began = performance.now();
    } else if (performance.now() - began > ocrMs * OCR_SHARE) return null;
    // The engine is loaded again after a page that it could not read.
    recogniser = await createRecogniser(languages, scratch);
    return (await recogniser.recognise(page.render())).text;
  };
};

const noteUnreadPages = (
  { pages }: PdfDocument,
  { damaged, unrecognised }: UnreadPages,
  sink: Sink,
): void => {
  if (pages > MOST_PAGES) sink.note(`Only the first ${MOST_PAGES} of ${pages} pages were read.`);
  if (damaged > 0) sink.note(`${damaged} damaged ${damaged === 1 ? 'page was' : 'pages were'} left out.`);
  const [first] = unrecognised;
  if (first !== undefined)
    sink.note(
      `${unrecognised.length} scanned ${unrecognised.length === 1 ? 'page' : 'pages'}, from page ${first} on, could not be recognised within the time limit; send them as a file of their own.`,
    );
};
