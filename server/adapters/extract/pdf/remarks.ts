// What was filled into the fields of a page and written onto it: no part of its own text.
import { type Engine, readText, withMemory } from './pdfium.ts';

const MOST_REMARKS = 1_000;
const MOST_BYTES = 20_000;
const FIELD = 20;
/** A link's or a pop-up window's contents are for the program. */
const WRITTEN = new Set([1, 3, 9, 10, 11, 12]);

/** A line each: "name: value" of a field, the words of a remark. */
export function readRemarks(engine: Engine, page: number): string[] {
  const count = Math.min(engine._FPDFPage_GetAnnotCount(page), MOST_REMARKS);
  const lines: string[] = [];
  for (let i = 0; i < count; i++) {
    const remark = engine._FPDFPage_GetAnnot(page, i);
    if (remark === 0) continue;
    const line = lineOf(engine, remark);
    engine._FPDFPage_CloseAnnot(remark);
    if (line !== '') lines.push(line);
  }
  return lines;
}

function lineOf(engine: Engine, remark: number): string {
  const type = engine._FPDFAnnot_GetSubtype(remark);
  if (WRITTEN.has(type)) return entryOf(engine, remark, 'Contents');
  if (type !== FIELD) return '';
  const value = entryOf(engine, remark, 'V');
  // How a box that is not ticked says so.
  if (value === '' || value === 'Off') return '';
  const name = entryOf(engine, remark, 'TU') || entryOf(engine, remark, 'T');
  return name === '' ? value : `${name}: ${value}`;
}

const entryOf = (engine: Engine, remark: number, key: string): string => {
  const name = Buffer.from(`${key}\0`, 'latin1');
  return withMemory(engine, name.length, (at) => {
    engine.HEAPU8.set(name, at);
    return readText(engine, MOST_BYTES, (buffer, size) =>
      engine._FPDFAnnot_GetStringValue(remark, at, buffer, size),
    ).trim();
  });
};
