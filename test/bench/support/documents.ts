// Files to read: a long PDF, a scanned one, a long DOCX.
import { openPdf } from '../../../server/adapters/extract/pdf/document.ts';
import { docx, inW, p } from '../../adapters/extract/fixtures/office.ts';
import { pdf } from '../../adapters/extract/fixtures/pdf.ts';
import { greyPng } from './grey-png.ts';
import { textOf } from './texts.ts';

const LINES = 45;
const LINE_CHARACTERS = 70;
/** The content of a page of such lines. */
const PAGE_CHARACTERS = LINES * LINE_CHARACTERS;

const linesOf = (page: number): string[] => {
  const text = textOf(page, PAGE_CHARACTERS).replace(/[^ -~]/g, ' ');
  return Array.from({ length: LINES }, (_, i) => text.slice(i * LINE_CHARACTERS, (i + 1) * LINE_CHARACTERS));
};

export const longPdf = (pages: number): Buffer =>
  pdf(Array.from({ length: pages }, (_, page) => ({ lines: linesOf(page) })));

const STYLES = inW('styles', '<w:style w:styleId="H1"><w:name w:val="heading 1"/></w:style>');

/** As many characters as the PDF with this number of pages. */
export const longDocx = (pages: number): Buffer =>
  docx(
    Array.from(
      { length: pages },
      (_, page) =>
        p(`Page ${page}`, 'H1') +
        linesOf(page)
          .map((line) => p(line))
          .join(''),
    ).join(''),
    { styles: STYLES },
  );

/** Pages that were printed and scanned: pictures of text at 200 dots an inch. */
export async function scannedPdf(pages: number): Promise<Buffer> {
  const printed = await openPdf(longPdf(pages));
  const pictures = Array.from({ length: pages }, (_, page) => {
    const opened = printed.page(page);
    if (opened === null) throw new Error('The page cannot be rendered.');
    const picture = greyPng(opened.render());
    opened.close();
    return picture;
  });
  printed.close();
  return pdf(pictures.map((picture) => ({ lines: [], picture })));
}
