// The annotations of a PDF page: the values of its fields and the comments written on it.
import { type Engine, readEngineText, withEngineMemory } from './pdfium.ts';

const MOST_ANNOTATIONS = 1_000;
const MOST_BYTES = 20_000;
const FIELD = 20;
/** The types that show their contents; those of links and pop-up windows are for the program. */
const VISIBLE = new Set([1, 3, 9, 10, 11, 12]);

/** A line each: "name: value" of a field, the words of a comment. */
export const readAnnotations = (engine: Engine, page: number): string[] => {
  const count = Math.min(engine._FPDFPage_GetAnnotCount(page), MOST_ANNOTATIONS);
  const lines: string[] = [];
  for (let i = 0; i < count; i++) {
    const annotation = engine._FPDFPage_GetAnnot(page, i);
    if (annotation === 0) continue;
    const line = annotationLine(engine, annotation);
    engine._FPDFPage_CloseAnnot(annotation);
    if (line !== '') lines.push(line);
  }
  return lines;
};

const annotationLine = (engine: Engine, annotation: number): string => {
  const type = engine._FPDFAnnot_GetSubtype(annotation);
  if (VISIBLE.has(type)) return annotationValue(engine, annotation, 'Contents');
  if (type !== FIELD) return '';
  const value = annotationValue(engine, annotation, 'V');
  // The value of a box that is not ticked.
  if (value === '' || value === 'Off') return '';
  const name = annotationValue(engine, annotation, 'TU') || annotationValue(engine, annotation, 'T');
  return name === '' ? value : `${name}: ${value}`;
};

const annotationValue = (engine: Engine, annotation: number, key: string): string => {
  const name = Buffer.from(`${key}\0`, 'latin1');
  return withEngineMemory(engine, name.length, (at) => {
    engine.HEAPU8.set(name, at);
    return readEngineText(engine, MOST_BYTES, (buffer, size) =>
      engine._FPDFAnnot_GetStringValue(annotation, at, buffer, size),
    ).trim();
  });
};
