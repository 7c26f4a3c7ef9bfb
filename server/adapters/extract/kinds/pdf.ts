// PDF: the text of each page; a page that shows pictures and holds no text is rendered and recognised.
import { IngestError } from '../../../errors.ts';
import { failure } from '../failures.ts';
import { createRecogniser, type Recogniser } from '../ocr/recogniser.ts';
import { openPdf, type PdfDocument } from '../pdf/document.ts';
import { type HeadingOf, readOutline } from '../pdf/outline.ts';
import type { PdfPage } from '../pdf/page.ts';
import type { Content, Head, Sink } from './contract.ts';

const MOST_PAGES = 10_000;
/** Fewer letters than this are a page number or a stamp. */
const LITTLE_TEXT = 16;
/** Of the time there is: what has been read by then is better than nothing. */
const OCR_SHARE = 0.8;

/** How the pages went, for the note. */
interface Tally {
  damaged: number;
  readonly unseen: number[];
}

export async function extractPdf(content: Content, sink: Sink): Promise<void> {
  const document = await openPdf(await content.bytes());
  try {
    sink.begin(headOf(document));
    const tally = await readPages(content, document, sink);
    if (tally.damaged > 0 && tally.damaged === Math.min(document.pages, MOST_PAGES))
      throw failure('corrupt_file');
    noteOf(document, tally, sink);
  } finally {
    document.close();
  }
}

function headOf(document: PdfDocument): Head {
  return {
    form: 'prose',
    title: document
      .meta('Title')
      .replace(/^(?:microsoft word|microsoft powerpoint) - |\.(?:docx?|pptx?|indd|tex)$/gi, ''),
    metadata: {
      author: document.meta('Author'),
      created: dateOf(document.meta('CreationDate')),
      pages: document.pages,
    },
  };
}

/** "D:20260501100000+02'00'" */
const dateOf = (given: string): string | undefined => {
  const found = /^D?:?(\d{4})(\d{2})?(\d{2})?/.exec(given);
  if (found === null) return undefined;
  const [, year, month = '01', day = '01'] = found;
  return `${year}-${month}-${day}`;
};

async function readPages(content: Content, document: PdfDocument, sink: Sink): Promise<Tally> {
  const headingOf = readOutline(document);
  const ocr = createOcr(content, sink);
  const tally: Tally = { damaged: 0, unseen: [] };
  const count = Math.min(document.pages, MOST_PAGES);
  for (let number = 1; number <= count; number++) {
    const text = await readPage(document, number, ocr, tally);
    await sink.part({ text, page: number, ...headingAt(headingOf, number) });
    sink.progress(number, count, 'pages');
  }
  return tally;
}

const headingAt = (headingOf: HeadingOf, number: number): { heading?: string } => {
  const heading = headingOf(number);
  return heading === undefined ? {} : { heading };
};

async function readPage(document: PdfDocument, number: number, ocr: PageOcr, tally: Tally): Promise<string> {
  let page: PdfPage | null = null;
  try {
    page = document.page(number - 1);
    if (page === null) throw new Error('The page cannot be opened.');
    const text = page.text();
    const enough = text.replace(/\s/g, '').length >= LITTLE_TEXT || !page.hasPictures();
    const seen = enough ? '' : await ocr(page);
    if (seen === null) tally.unseen.push(number);
    return [text, seen ?? '', ...page.remarks()].filter((one) => one !== '').join('\n');
  } catch (error) {
    // What concerns all pages ends the reading; a damaged page is left out.
    if (error instanceof IngestError) throw error;
    tally.damaged++;
    return '';
  } finally {
    page?.close();
  }
}

/** Null: there was no time left. */
type PageOcr = (page: PdfPage) => Promise<string | null>;

function createOcr({ languages, scratch, ocrMs }: Content, sink: Sink): PageOcr {
  let recogniser: Recogniser | null = null;
  let began = 0;
  return async (page) => {
    if (recogniser === null) {
      sink.slow();
      began = performance.now();
    } else if (performance.now() - began > ocrMs * OCR_SHARE) return null;
    // Loaded anew after a page that it could not read.
    recogniser = await createRecogniser(languages, scratch);
    return (await recogniser.recognise(page.render())).text;
  };
}

function noteOf({ pages }: PdfDocument, { damaged, unseen }: Tally, sink: Sink): void {
  if (pages > MOST_PAGES) sink.note(`Only the first ${MOST_PAGES} of ${pages} pages were read.`);
  if (damaged > 0) sink.note(`${damaged} damaged ${damaged === 1 ? 'page was' : 'pages were'} left out.`);
  const [first] = unseen;
  if (first !== undefined)
    sink.note(
      `${unseen.length} scanned ${unseen.length === 1 ? 'page' : 'pages'}, from page ${first} on, could not be recognised in the time there is; send them as a file of their own.`,
    );
}
