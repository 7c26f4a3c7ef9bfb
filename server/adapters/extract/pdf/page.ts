// One page of a PDF: its text, its annotations, and its picture for OCR.
import type { GreyPicture } from '../../../lib/pictures/grey-picture.ts';
import { MOST_PAGE_PIXELS } from '../protocol.ts';
import { readAnnotations } from './annotations.ts';
import { decodeUtf16, type Engine, withEngineMemory } from './pdfium.ts';
import { findPictures, type PagePictures } from './pictures.ts';

export interface PdfPage {
  text(): string;
  /** Filled fields and comments. */
  annotations(): string[];
  pictures(): PagePictures;
  render(): GreyPicture;
  close(): void;
}

const DPI = 200;
const POINTS_PER_INCH = 72;
const MOST_CHARACTERS = 10_000_000;
const GREY = 1;
const WHITE = 0xffffffff;
const ANNOTATIONS_AND_GREY = 0x01 | 0x08;

export const createPage = (engine: Engine, page: number): PdfPage => ({
  text: () => pageText(engine, page),
  annotations: () => readAnnotations(engine, page),
  pictures: () => findPictures(engine, page),
  render: () => renderPage(engine, page),
  close: () => engine._FPDF_ClosePage(page),
});

const pageText = (engine: Engine, page: number): string => {
  const text = engine._FPDFText_LoadPage(page);
  if (text === 0) return '';
  try {
    const count = Math.min(engine._FPDFText_CountChars(text), MOST_CHARACTERS);
    if (count <= 0) return '';
    return withEngineMemory(engine, (count + 1) * 2, (at) => {
      const written = engine._FPDFText_GetText(text, 0, count, at);
      return written <= 1 ? '' : joinLines(decodeUtf16(engine, at, (written - 1) * 2));
    });
  } finally {
    engine._FPDFText_ClosePage(text);
  }
};

/** The engine marks a hyphen that divides a word at the end of a line. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: one of the two marks is a control character.
const DIVIDED = /[\u0002\ufffe]\n?/g;

const joinLines = (text: string): string =>
  text
    .replaceAll('\r\n', '\n')
    .replace(DIVIDED, '')
    .replace(/[ \t]{1,200}\n/g, '\n')
    .trim();

const renderPage = (engine: Engine, page: number): GreyPicture => {
  const wide = Math.max(1, engine._FPDF_GetPageWidth(page));
  const high = Math.max(1, engine._FPDF_GetPageHeight(page));
  const scale = Math.min(DPI / POINTS_PER_INCH, Math.sqrt(MOST_PAGE_PIXELS / (wide * high)));
  const width = Math.max(1, Math.floor(wide * scale));
  const height = Math.max(1, Math.floor(high * scale));
  return withEngineMemory(engine, width * height, (at) => {
    const bitmap = engine._FPDFBitmap_CreateEx(width, height, GREY, at, width);
    if (bitmap === 0) throw new Error('The engine could not make a picture of the page.');
    try {
      engine._FPDFBitmap_FillRect(bitmap, 0, 0, width, height, WHITE);
      engine._FPDF_RenderPageBitmap(bitmap, page, 0, 0, width, height, 0, ANNOTATIONS_AND_GREY);
      return { width, height, pixels: Buffer.from(engine.HEAPU8.subarray(at, at + width * height)) };
    } finally {
      engine._FPDFBitmap_Destroy(bitmap);
    }
  });
};
