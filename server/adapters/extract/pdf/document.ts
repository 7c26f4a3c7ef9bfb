// An open PDF. Its pages are read one after the other, each closed before the next is opened.
import { failure } from '../failures.ts';
import { createPage, type PdfPage } from './page.ts';
import { createEngine, type Engine, PASSWORD_ERROR, readEngineText, withEngineMemory } from './pdfium.ts';

export interface PdfDocument {
  readonly pages: number;
  /** "Title", "Author", "CreationDate". */
  meta(name: string): string;
  /** Null: the page is damaged. */
  page(index: number): PdfPage | null;
  readonly engine: Engine;
  readonly handle: number;
  close(): void;
}

const MOST_META_BYTES = 4_000;
const HEADER_BYTES = 1_029;

export const openPdf = async (bytes: Buffer): Promise<PdfDocument> => {
  const start = bytes.subarray(0, HEADER_BYTES).indexOf('%PDF-');
  const clean = start > 0 ? bytes.subarray(start) : bytes;
  const engine = await createEngine();
  const memory = engine.wasmExports.malloc(clean.length);
  if (memory === 0) throw failure('file_too_complex');
  engine.HEAPU8.set(clean, memory);
  const handle = engine._FPDF_LoadMemDocument(memory, clean.length, 0);
  if (handle === 0) {
    const error = engine._FPDF_GetLastError();
    throw failure(error === PASSWORD_ERROR ? 'encrypted_file' : 'corrupt_file', {
      cause: new Error(`PDFium failed with error ${error}.`),
    });
  }
  return {
    pages: engine._FPDF_GetPageCount(handle),
    engine,
    handle,
    meta: (name) => readMeta(engine, handle, name),
    page(index) {
      const page = engine._FPDF_LoadPage(handle, index);
      return page === 0 ? null : createPage(engine, page);
    },
    close() {
      engine._FPDF_CloseDocument(handle);
      engine.wasmExports.free(memory);
    },
  };
};

const readMeta = (engine: Engine, handle: number, name: string): string => {
  const tag = Buffer.from(`${name}\0`, 'latin1');
  return withEngineMemory(engine, tag.length, (at) => {
    engine.HEAPU8.set(tag, at);
    return readEngineText(engine, MOST_META_BYTES, (buffer, size) =>
      engine._FPDF_GetMetaText(handle, at, buffer, size),
    );
  });
};
