// The pictures of a PDF page, by what they declare: nothing is decoded.
import { type Engine, withEngineMemory } from './pdfium.ts';

export interface PagePictures {
  /** True for a page with pictures, or with so many lines and curves that they may be letters. */
  readonly some: boolean;
  /** The pixels of all its pictures, each as often as the page shows it. */
  readonly pixels: number;
}

const IMAGE = 3;
const FORM = 5;
const PATH = 2;
const LETTERS_AS_PATHS = 200;
const MOST_OBJECTS = 500_000;
/** Forms may stand in forms. */
const DEEPEST = 20;

export const findPictures = (engine: Engine, page: number): PagePictures => {
  let objects = 0;
  let paths = 0;
  let pictures = 0;
  let pixels = 0;

  const visit = (object: number, depth: number): void => {
    // More objects than any real page has count as too many pixels.
    if (++objects > MOST_OBJECTS) pixels = Number.POSITIVE_INFINITY;
    const type = engine._FPDFPageObj_GetType(object);
    if (type === PATH) paths++;
    if (type !== IMAGE && type !== FORM) return;
    pictures++;
    if (type === IMAGE) pixels += imagePixels(engine, object);
    else if (depth < DEEPEST) visitForm(object, depth);
  };
  const visitForm = (form: number, depth: number): void => {
    const count = engine._FPDFFormObj_CountObjects(form);
    for (let i = 0; i < count && objects <= MOST_OBJECTS; i++)
      visit(engine._FPDFFormObj_GetObject(form, i), depth + 1);
  };

  const count = engine._FPDFPage_CountObjects(page);
  for (let i = 0; i < count && objects <= MOST_OBJECTS; i++) visit(engine._FPDFPage_GetObject(page, i), 0);
  return { some: pictures > 0 || paths >= LETTERS_AS_PATHS, pixels };
};

const NUMBER_BYTES = 4;

const imagePixels = (engine: Engine, image: number): number =>
  withEngineMemory(engine, 2 * NUMBER_BYTES, (at) => {
    if (engine._FPDFImageObj_GetImagePixelSize(image, at, at + NUMBER_BYTES) === 0) return 0;
    // Not kept from before: the view is replaced when the memory grows.
    const numbers = new DataView(engine.HEAPU8.buffer, at, 2 * NUMBER_BYTES);
    return numbers.getUint32(0, true) * numbers.getUint32(NUMBER_BYTES, true);
  });
