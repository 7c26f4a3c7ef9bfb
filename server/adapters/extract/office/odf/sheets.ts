// The sheets of an OpenDocument spreadsheet, which stores repeated rows and cells once, with their number.
import type { ContentPart } from '../../port.ts';
import { type Cell, createRows, type Rows } from '../../tables/rows.ts';
import { formatNumber } from '../number-formats.ts';
import { type Attributes, attribute, type XmlHandlers } from '../sax.ts';
import { addOdfSpace } from './paragraphs.ts';

/** At most so many equal cells are written; empty cells only count. */
const MOST_REPEATED = 64;
const LONGEST_CELL = 1_000_000;

export const createOdfSheets = (emit: (part: ContentPart) => void): XmlHandlers => {
  let rows: Rows | null = null;
  let number = 0;
  let rowRepeats = 1;
  let cells: Cell[] = [];
  let column = 0;
  let cell: { text: string; readonly attributes: Attributes } | null = null;
  let skipping = 0;
  let paragraphs = 0;

  const closeCell = (): void => {
    if (cell === null) return;
    const repeats = repeatCount(cell.attributes, 'number-columns-repeated');
    const text = odfCellText(cell.attributes, cell.text.trim());
    if (text !== '')
      for (let i = 0; i < Math.min(repeats, MOST_REPEATED); i++) cells.push({ column: column + i, text });
    column += repeats;
    cell = null;
  };
  const closeRow = (): void => {
    rows?.row(number + 1, cells);
    number += rowRepeats;
  };

  return {
    open(name, attributes) {
      if (skipping > 0 || name === 'annotation' || name === 'tracked-changes') skipping++;
      else if (name === 'table') {
        rows = createRows(attribute(attributes, 'name'), emit);
        number = 0;
      } else if (name === 'table-row') {
        cells = [];
        column = 0;
        rowRepeats = repeatCount(attributes, 'number-rows-repeated');
      } else if (name === 'table-cell' || name === 'covered-table-cell') {
        cell = { text: '', attributes };
        paragraphs = 0;
      } else if (name === 'p' && cell !== null && paragraphs++ > 0) cell.text += ' ';
      else addOdfSpace(cell ?? undefined, name, attributes);
    },
    text(text) {
      if (skipping === 0 && paragraphs > 0 && cell !== null && cell.text.length < LONGEST_CELL)
        cell.text += text.replace(/\s+/g, ' ');
    },
    close(name) {
      if (skipping > 0) skipping--;
      else if (name === 'table-cell' || name === 'covered-table-cell') closeCell();
      else if (name === 'table-row') closeRow();
      else if (name === 'table') {
        rows?.end();
        rows = null;
      }
    },
  };
};

const repeatCount = (attributes: Attributes, name: string): number =>
  Math.max(1, Math.min(Number(attribute(attributes, name)) || 1, 1_048_576));

/** A date is written as in ISO 8601, because its text depends on the country. Some programs write only the value. */
const odfCellText = (attributes: Attributes, text: string): string => {
  const date = attribute(attributes, 'date-value');
  if (date !== undefined) return date.replace(/T00:00:00(?:\.0+)?$/, '').replace('T', ' ');
  if (text !== '') return text;
  const value = attribute(attributes, 'value');
  if (value !== undefined && attribute(attributes, 'value-type') === 'percentage')
    return formatNumber(value, 'percent', false);
  return value ?? attribute(attributes, 'string-value') ?? attribute(attributes, 'boolean-value') ?? '';
};
