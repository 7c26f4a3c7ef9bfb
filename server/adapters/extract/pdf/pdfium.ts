// The functions of PDFium (WebAssembly) that are used, called directly so that each page is closed again.
import { PDFiumModule } from '@hyzyla/pdfium';

/** Handles are addresses in the engine's memory; 0 is none. */
type Handle = number;

export interface Engine {
  readonly HEAPU8: Uint8Array;
  readonly wasmExports: { malloc(size: number): Handle; free(at: Handle): void };
  _FPDF_InitLibraryWithConfig(config: object): void;
  _FPDF_LoadMemDocument(at: Handle, size: number, password: Handle): Handle;
  _FPDF_CloseDocument(document: Handle): void;
  _FPDF_GetLastError(): number;
  _FPDF_GetPageCount(document: Handle): number;
  _FPDF_GetMetaText(document: Handle, tag: Handle, buffer: Handle, size: number): number;
  _FPDF_LoadPage(document: Handle, index: number): Handle;
  _FPDF_ClosePage(page: Handle): void;
  _FPDF_GetPageWidth(page: Handle): number;
  _FPDF_GetPageHeight(page: Handle): number;
  _FPDFPage_CountObjects(page: Handle): number;
  _FPDFPage_GetObject(page: Handle, index: number): Handle;
  _FPDFPageObj_GetType(object: Handle): number;
  _FPDFFormObj_CountObjects(form: Handle): number;
  _FPDFFormObj_GetObject(form: Handle, index: number): Handle;
  _FPDFImageObj_GetImagePixelSize(image: Handle, width: Handle, height: Handle): number;
  _FPDFText_LoadPage(page: Handle): Handle;
  _FPDFText_ClosePage(text: Handle): void;
  _FPDFText_CountChars(text: Handle): number;
  _FPDFText_GetText(text: Handle, start: number, count: number, buffer: Handle): number;
  _FPDFPage_GetAnnotCount(page: Handle): number;
  _FPDFPage_GetAnnot(page: Handle, index: number): Handle;
  _FPDFPage_CloseAnnot(annotation: Handle): void;
  _FPDFAnnot_GetSubtype(annotation: Handle): number;
  _FPDFAnnot_GetStringValue(annotation: Handle, key: Handle, buffer: Handle, size: number): number;
  _FPDFBookmark_GetFirstChild(document: Handle, parent: Handle): Handle;
  _FPDFBookmark_GetNextSibling(document: Handle, bookmark: Handle): Handle;
  _FPDFBookmark_GetTitle(bookmark: Handle, buffer: Handle, size: number): number;
  _FPDFBookmark_GetDest(document: Handle, bookmark: Handle): Handle;
  _FPDFBookmark_GetAction(bookmark: Handle): Handle;
  _FPDFAction_GetDest(document: Handle, action: Handle): Handle;
  _FPDFDest_GetDestPageIndex(document: Handle, destination: Handle): number;
  _FPDFBitmap_CreateEx(width: number, height: number, format: number, at: Handle, stride: number): Handle;
  _FPDFBitmap_FillRect(
    bitmap: Handle,
    left: number,
    top: number,
    width: number,
    height: number,
    colour: number,
  ): void;
  _FPDFBitmap_Destroy(bitmap: Handle): void;
  _FPDF_RenderPageBitmap(
    bitmap: Handle,
    page: Handle,
    left: number,
    top: number,
    width: number,
    height: number,
    rotate: number,
    flags: number,
  ): void;
}

export const PASSWORD_ERROR = 4;

/** A new engine for each file, because its memory never shrinks. */
export const createEngine = async (): Promise<Engine> => {
  // The types of the package cover only a part of its exports.
  const engine = (await PDFiumModule({})) as unknown as Engine;
  engine._FPDF_InitLibraryWithConfig({ version: 2 });
  return engine;
};

/** Allocates memory of the engine for as long as `use` runs. */
export const withEngineMemory = <T>(engine: Engine, size: number, use: (at: Handle) => T): T => {
  const at = engine.wasmExports.malloc(Math.max(1, size));
  if (at === 0) throw new Error(`The engine has no ${size} bytes left.`);
  try {
    return use(at);
  } finally {
    engine.wasmExports.free(at);
  }
};

/** Text that the engine writes as UTF-16 with a zero at its end; `write` with size 0 returns the size. */
export const readEngineText = (
  engine: Engine,
  most: number,
  write: (buffer: Handle, size: number) => number,
): string => {
  const size = Math.min(write(0, 0), most);
  if (size <= 2) return '';
  return withEngineMemory(engine, size, (at) => {
    write(at, size);
    return decodeUtf16(engine, at, size - 2);
  });
};

/** Copies first: the view may be replaced when the memory grows. */
export const decodeUtf16 = (engine: Engine, at: Handle, bytes: number): string =>
  Buffer.from(engine.HEAPU8.subarray(at, at + bytes)).toString('utf16le');
