// Reads an XLSX: the cells of each stored row, with their formatted numbers.
import type { Extract } from '../contract.ts';
import { createPartQueue } from '../tables/part-queue.ts';
import { type Cell, createRows, type Rows } from '../tables/rows.ts';
import { formatNumber } from './number-formats.ts';
import { withPackage } from './package.ts';
import { createProperties } from './properties.ts';
import { type Attributes, attribute, type XmlHandlers } from './sax.ts';
import { readWorkbook, type Workbook } from './workbook.ts';

const LONGEST_CELL = 1_000_000;

export const readXlsx: Extract = (content, sink) =>
  withPackage(content.file, async (office) => {
    const workbook = await readWorkbook(office);
    const properties = createProperties();
    await office.parse('docProps/core.xml', properties.handlers);
    const { title, metadata } = properties.facts();
    sink.begin({ form: 'lines', title, metadata: { ...metadata, sheets: workbook.sheets.length } });
    const queue = createPartQueue();
    for (const [i, sheet] of workbook.sheets.entries()) {
      const rows = createRows(sheet.name, queue.add);
      await office.parse(sheet.part, sheetHandlers(workbook, rows), () => queue.drain(sink));
      rows.end();
      sink.progress(i + 1, workbook.sheets.length, 'sheets');
    }
    await queue.drain(sink);
  });

const sheetHandlers = (workbook: Workbook, rows: Rows): XmlHandlers => {
  let number = 0;
  let cells: Cell[] = [];
  let column = -1;
  let cell: Attributes | null = null;
  let value = '';
  let inValue = false;

  const closeCell = (): void => {
    const text = cell === null ? '' : cellValue(cell, value, workbook);
    if (text.trim() !== '') cells.push({ column, text });
    cell = null;
  };

  return {
    open(name, attributes) {
      if (name === 'row') {
        number = Number(attribute(attributes, 'r')) || number + 1;
        cells = [];
        column = -1;
      } else if (name === 'c') {
        cell = attributes;
        value = '';
        column = columnOf(attribute(attributes, 'r')) ?? column + 1;
      } else if (name === 'v' || name === 't') inValue = cell !== null;
    },
    text(text) {
      if (inValue && value.length < LONGEST_CELL) value += text;
    },
    close(name) {
      if (name === 'v' || name === 't') inValue = false;
      else if (name === 'c') closeCell();
      else if (name === 'row') rows.row(number, cells);
    },
  };
};

/** "AB12" is in the 28th column, so 27. */
const columnOf = (reference: string | undefined): number | null => {
  const letters = /^[A-Z]{1,4}/.exec(reference ?? '')?.[0];
  if (letters === undefined) return null;
  let column = 0;
  for (const letter of letters) column = column * 26 + letter.charCodeAt(0) - 64;
  return column - 1;
};

const cellValue = (cell: Attributes, value: string, { shared, formats, from1904 }: Workbook): string => {
  const type = attribute(cell, 't') ?? 'n';
  if (type === 's') return shared[Number(value)] ?? '';
  if (type === 'b') return value === '1' ? 'TRUE' : 'FALSE';
  if (type !== 'n') return value;
  return formatNumber(value, formats[Number(attribute(cell, 's') ?? 0)] ?? 'plain', from1904);
};
