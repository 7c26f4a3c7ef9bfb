// Small files that declare little and unpack to much, or the other way round, are refused before they cost time.
import { describe, expect, it } from 'vitest';
import { cleanHtml } from '../../../server/adapters/extract/html/clean.ts';
import { plainPng } from '../../../server/adapters/extract/ocr/formats/png.ts';
import { checkedPicture } from '../../../server/adapters/extract/ocr/picture.ts';
import {
  basedLinks,
  hugePicture,
  longAttribute,
  longText,
  lyingGif,
  lyingPng,
  manyScans,
  png,
  sharedText,
} from './fixtures/bombs.ts';
import { readBytes } from './fixtures/in-process.ts';
import { zip } from './fixtures/zip.ts';

const MEGABYTE = 1_000_000;

describe('the declared size of a picture', () => {
  it('bounds the data of a PNG that are unpacked', async () => {
    await expect(readBytes(lyingPng(20 * MEGABYTE))).rejects.toMatchObject({
      code: 'corrupt_file',
      message: expect.stringContaining('more than its 100 × 100 pixels need'),
    });
  });

  it('is enough for a PNG whose data fit, interlaced or not', async () => {
    const plain = png({ width: 100, height: 100, data: Buffer.alloc(100 * 101) });
    expect(await plainPng(plain)).toEqual(plain);
    // Seven passes of 13, 13, 25, 25, 50, 50 and 100 pixels in a row, with a byte before each row.
    const passes = 13 * 14 + 13 * 13 + 13 * 26 + 25 * 26 + 25 * 51 + 50 * 51 + 50 * 101;
    const interlaced = { width: 100, height: 100, interlaced: true };
    expect(await plainPng(png({ ...interlaced, data: Buffer.alloc(passes) }))).not.toBeNull();
    expect(await plainPng(png({ ...interlaced, data: Buffer.alloc(passes + MEGABYTE) }))).toBeNull();
  });

  it('leaves out what a PNG holds besides its picture', async () => {
    const picture = { width: 10, height: 10, data: Buffer.alloc(110) };
    const others = [['zTXt', Buffer.from('x')] as const, ['pHYs', Buffer.alloc(9)] as const];
    const kept = await plainPng(png({ ...picture, others }));
    expect(kept).toEqual(png({ ...picture, others: others.slice(1) }));
    expect(await plainPng(png(picture).subarray(0, 50))).not.toBeNull();
  });

  it('is compared with the first frame of a GIF, which has a size of its own', async () => {
    await expect(checkedPicture(lyingGif(65_000, 65_000), 'image/gif')).rejects.toMatchObject({
      code: 'image_too_large',
    });
    expect(await checkedPicture(lyingGif(100, 100), 'image/gif')).toMatchObject({ width: 100 });
  });

  it('bounds the scans of a JPEG', async () => {
    await expect(checkedPicture(manyScans(7_000, 7_000, 100), 'image/jpeg')).rejects.toMatchObject({
      code: 'corrupt_file',
    });
    expect(await checkedPicture(manyScans(7_000, 7_000, 10), 'image/jpeg')).toMatchObject({ width: 7_000 });
  });

  it('is looked at in a PDF before a page is rendered', async () => {
    await expect(readBytes(hugePicture(60_000, 60_000))).rejects.toMatchObject({ code: 'image_too_large' });
  });
});

describe('a single token of an XML file', () => {
  it.each([
    ['an attribute', longAttribute(10 * MEGABYTE)],
    ['a text', longText(10 * MEGABYTE)],
  ])('is bounded: %s', async (_what, file) => {
    await expect(readBytes(file)).rejects.toMatchObject({
      code: 'text_too_large',
      message: expect.stringContaining('A single attribute or text'),
    });
  });
});

describe('what a file refers to', () => {
  it('is bounded for the shared texts of a spreadsheet', async () => {
    await expect(readBytes(sharedText(MEGABYTE, 1_000))).rejects.toMatchObject({ code: 'text_too_large' });
    expect((await readBytes(sharedText(1_000, 1_000))).parts).toHaveLength(1_000);
  });

  it('is bounded for the links of a page that a base completes', async () => {
    expect(cleanHtml(basedLinks(50_000, 1))).not.toContain('<base href');
    const links = (html: string) => html.split('<a href="x">').length - 1;
    expect(links(cleanHtml(basedLinks(100, 20_000)))).toBe(20_000);
    const long = cleanHtml(basedLinks(400, 20_000));
    expect(links(long)).toBeLessThan(13_000);
    expect(long.split('<a>').length - 1 + links(long)).toBe(20_000);
    expect(links(cleanHtml('<a href="x">y</a>'.repeat(2_000), { addressLength: 4_000 }))).toBe(1_250);
  });

  it('is read once for the chapters of a book that all name one file', async () => {
    const items = Array.from(
      { length: 50 },
      (_, i) => `<item id="c${i}" href="one.xhtml" media-type="application/xhtml+xml"/>`,
    );
    const spine = items.map((_, i) => `<itemref idref="c${i}"/>`).join('');
    const book = zip({
      mimetype: 'application/epub+zip',
      'META-INF/container.xml':
        '<container><rootfiles><rootfile full-path="book.opf"/></rootfiles></container>',
      'book.opf': `<package><manifest>${items.join('')}</manifest><spine>${spine}</spine></package>`,
      'one.xhtml': '<html><body><p>The only chapter.</p></body></html>',
    });
    expect((await readBytes(book)).parts.map(({ text }) => text)).toEqual(['The only chapter.']);
  });
});
