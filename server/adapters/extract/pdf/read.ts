// Reads a PDF page by page; a page that shows pictures and has no text is rendered and recognised.
import { IngestError } from '../../../core/errors.ts';
import { once } from '../../../lib/once.ts';
import type { GreyPicture } from '../../../lib/pictures/grey-picture.ts';
import type { Content, Head, Sink } from '../contract.ts';
import { failure } from '../failures.ts';
import { openPdf, type PdfDocument } from './document.ts';
import { type HeadingOf, readOutline } from './outline.ts';
import type { PdfPage } from './page.ts';
import { createPageRecogniser, type RecognisePage } from './page-recogniser.ts';

const MOST_PAGES = 10_000;
/** Fewer letters than this are a page number or a stamp. */
const LITTLE_TEXT = 16;
/** Decoding takes time for each pixel that a picture declares, whether it has data or not. An A3 page of 600 dots an inch has 70 million. */
const MOST_PIXELS = 200_000_000;

/** The pages that were not read, for the note. */
interface UnreadPages {
  damaged: number;
  readonly unrecognised: number[];
  /** Their pictures are too large. */
  readonly oversized: number[];
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
    const pages = Math.min(document.pages, MOST_PAGES);
    if (unread.damaged > 0 && unread.damaged === pages) throw failure('corrupt_file');
    if (unread.oversized.length > 0 && unread.oversized.length === pages) throw oversizedFailure();
    if (unread.unrecognised.length > 0 && unread.unrecognised.length === pages)
      throw failure('extraction_timeout');
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

const oversizedFailure = () =>
  failure('image_too_large', {
    what: 'The pictures of this PDF have more than 200 million pixels on each page.',
    next: 'Scale them down and send it again.',
  });

const readPages = async (content: Content, document: PdfDocument, sink: Sink): Promise<UnreadPages> => {
  const headingOf = readOutline(document);
  const unread: UnreadPages = { damaged: 0, unrecognised: [], oversized: [] };
  const context: PdfContext = { document, recognise: createPageRecogniser(content), unread };
  const beginOcr = once(() => sink.slow());
  const count = Math.min(document.pages, MOST_PAGES);
  // While as many pages are recognised as there are workers, the next one is rendered.
  const ahead: Promise<string>[] = [];
  for (let opened = 1; opened <= count + content.ocrWorkers; opened++) {
    if (opened <= count) {
      const page = openPage(context, opened);
      if (page.picture !== null) await beginOcr();
      ahead.push(textOfPage(context, page, opened));
    }
    const number = opened - content.ocrWorkers;
    if (number < 1) continue;
    const text = (await ahead.shift()) ?? '';
    await sink.part({ text, page: number, ...headingAt(headingOf, number) });
    sink.progress(number, count, 'pages');
  }
  return unread;
};

const headingAt = (headingOf: HeadingOf, number: number): { heading?: string } => {
  const heading = headingOf(number);
  return heading === undefined ? {} : { heading };
};

interface OpenedPage {
  readonly text: string;
  readonly annotations: readonly string[];
  /** To be recognised; null: its text is enough, or it shows no pictures. */
  readonly picture: GreyPicture | null;
}

const openPage = ({ document, unread }: PdfContext, number: number): OpenedPage => {
  let page: PdfPage | null = null;
  try {
    page = document.page(number - 1);
    if (page === null) throw new Error('The page cannot be opened.');
    const text = page.text();
    const enough = text.replace(/\s/g, '').length >= LITTLE_TEXT;
    const picture = enough ? null : pictureOf(page, number, unread);
    return { text, annotations: page.annotations(), picture };
  } catch (error) {
    // A failure that concerns all pages ends the reading; a damaged page is left out.
    if (error instanceof IngestError) throw error;
    unread.damaged++;
    return { text: '', annotations: [], picture: null };
  } finally {
    page?.close();
  }
};

const pictureOf = (page: PdfPage, number: number, unread: UnreadPages): GreyPicture | null => {
  const { some, pixels } = page.pictures();
  if (some && pixels > MOST_PIXELS) unread.oversized.push(number);
  return some && pixels <= MOST_PIXELS ? page.render() : null;
};

const textOfPage = (context: PdfContext, page: OpenedPage, number: number): Promise<string> => {
  const reading = recognisedText(context, page.picture, number).then((recognised) =>
    [page.text, recognised, ...page.annotations].filter((one) => one !== '').join('\n'),
  );
  // The reading is awaited later, and not at all once an earlier page has failed.
  reading.catch(() => undefined);
  return reading;
};

const recognisedText = async (
  { recognise, unread }: PdfContext,
  picture: GreyPicture | null,
  number: number,
): Promise<string> => {
  if (picture === null) return '';
  try {
    const { text, complete } = await recognise(picture);
    if (text === '' && !complete) unread.unrecognised.push(number);
    return text;
  } catch (error) {
    if (error instanceof IngestError) throw error;
    unread.damaged++;
    return '';
  }
};

const noteUnreadPages = (
  { pages }: PdfDocument,
  { damaged, unrecognised, oversized }: UnreadPages,
  sink: Sink,
): void => {
  if (pages > MOST_PAGES) sink.note(`Only the first ${MOST_PAGES} of ${pages} pages were read.`);
  if (damaged > 0) sink.note(`${damaged} damaged ${damaged === 1 ? 'page was' : 'pages were'} left out.`);
  if (oversized.length > 0)
    sink.note(
      `The pictures of ${pageList(oversized)} have more than 200 million pixels and were not recognised; scale them down.`,
    );
  if (unrecognised.length > 0)
    sink.note(
      `The scans of ${pageList(unrecognised)} could not be recognised within the time limit; send them as a file of their own.`,
    );
};

/** "page 3", "3 pages, the first of them page 7". */
const pageList = (numbers: readonly number[]): string =>
  numbers.length === 1
    ? `page ${numbers[0]}`
    : `${numbers.length} pages, the first of them page ${Math.min(...numbers)},`;
