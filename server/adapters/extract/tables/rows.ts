// The rows of a table as lines that say what they hold: "name: Ana; city: Lisbon".
import type { ContentPart } from '../port.ts';

export interface Cell {
  /** From 0. */
  readonly column: number;
  readonly text: string;
}

export interface Rows {
  /** `number` from 1, as a spreadsheet counts. Cells in order, blank ones left out. */
  row(number: number, cells: readonly Cell[]): void;
  end(): void;
}

/** A row alone is found best; a table of a hundred thousand must not become as many passages. */
const ALONE = 1_000;
const SHARED = 1_000;
const LONGEST_LABEL = 100;
/** Empty cells between two of a row without labels: more than this are not counted out. */
const WIDEST_GAP = 64;

const NUMBER_OR_DATE =
  /^[-+(]?[\p{Sc}]?\s?[\d.,'\s]+\s?[%\p{Sc}]?\)?$|^\d{1,4}[-./]\d{1,2}[-./]\d{1,4}\b|^\d{1,2}:\d{2}/u;

/** `sheet`: its name, where it has one. */
export function createRows(sheet: string | undefined, emit: (part: ContentPart) => void): Rows {
  let labels: ReadonlyMap<number, string> | null = null;
  /** A row that may be the header: it is one once another row follows. */
  let candidate: { number: number; cells: readonly Cell[] } | null = null;
  let decided = false;
  let count = 0;
  let open: { text: string; row: number; lastRow: number } | null = null;

  const close = (): void => {
    if (open === null) return;
    const { text, row, lastRow } = open;
    open = null;
    emit({
      text,
      row,
      ...(lastRow > row ? { lastRow } : {}),
      ...(sheet === undefined ? {} : { sheet }),
    });
  };

  const write = (number: number, cells: readonly Cell[]): void => {
    const line = labels === null ? plainLine(cells) : labelledLine(cells, labels);
    count++;
    if (open !== null && count > ALONE && open.text.length + line.length < SHARED) {
      open = { text: `${open.text}\n${line}`, row: open.row, lastRow: number };
      return;
    }
    close();
    open = { text: line, row: number, lastRow: number };
    if (count <= ALONE) close();
  };

  return {
    row(number, cells) {
      if (cells.length === 0) return;
      if (candidate !== null) {
        labels = labelsOf(candidate.cells);
        candidate = null;
      } else if (!decided && cells.length > 1) {
        decided = true;
        if (areLabels(cells)) {
          candidate = { number, cells };
          return;
        }
      }
      write(number, cells);
    },
    end() {
      if (candidate !== null) write(candidate.number, candidate.cells);
      close();
    },
  };
}

/** Words, each another one; a number or a date is a value and no label. */
function areLabels(cells: readonly Cell[]): boolean {
  const seen = new Set(cells.map(({ text }) => text.trim().toLowerCase()));
  return (
    seen.size === cells.length &&
    cells.every(({ text }) => text.length <= LONGEST_LABEL && !NUMBER_OR_DATE.test(text.trim()))
  );
}

const labelsOf = (cells: readonly Cell[]): Map<number, string> =>
  new Map(cells.map(({ column, text }) => [column, oneLine(text)]));

const labelledLine = (cells: readonly Cell[], labels: ReadonlyMap<number, string>): string =>
  cells
    .map(({ column, text }) => {
      const label = labels.get(column);
      return label === undefined ? oneLine(text) : `${label}: ${oneLine(text)}`;
    })
    .join('; ');

function plainLine(cells: readonly Cell[]): string {
  let line = '';
  let last = -1;
  for (const { column, text } of cells) {
    const gap = column - last;
    line += last < 0 ? '' : gap > WIDEST_GAP ? ' | … | ' : ' | '.repeat(gap);
    line += oneLine(text);
    last = column;
  }
  return line;
}

const oneLine = (text: string): string => text.trim().replace(/\s{0,100}[\r\n]\s{0,100}/g, ' ');
