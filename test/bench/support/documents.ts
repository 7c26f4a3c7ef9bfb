// Files to read: a long PDF, a scanned one, a long DOCX.
import { deflateSync } from 'node:zlib';
import { openPdf } from '../../../server/adapters/extract/pdf/document.ts';
import { docx, inW, p } from '../../adapters/extract/fixtures/office.ts';
import { pdf } from '../../adapters/extract/fixtures/pdf.ts';
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
    const picture = pngOf(opened.render());
    opened.close();
    return picture;
  });
  printed.close();
  return pdf(pictures.map((picture) => ({ lines: [], picture })));
}

/** The parts that the PDF takes over from it: the size and the compressed rows. */
function pngOf(pgm: Buffer): Buffer {
  const header = /^P5\n(\d+) (\d+)\n255\n/.exec(pgm.toString('latin1', 0, 40));
  const [width, height] = [Number(header?.[1]), Number(header?.[2])];
  const start = header?.[0].length ?? 0;
  const rows = Buffer.alloc((width + 1) * height);
  for (let row = 0; row < height; row++)
    pgm.copy(rows, row * (width + 1) + 1, start + row * width, start + (row + 1) * width);
  const data = deflateSync(rows);
  const size = Buffer.alloc(33);
  size.writeUInt32BE(13, 8);
  size.write('IHDR', 12, 'latin1');
  size.writeUInt32BE(width, 16);
  size.writeUInt32BE(height, 20);
  const head = Buffer.alloc(8);
  head.writeUInt32BE(data.length, 0);
  head.write('IDAT', 4, 'latin1');
  return Buffer.concat([size, head, data, Buffer.alloc(4)]);
}
