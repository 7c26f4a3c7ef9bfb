// The rows of a table as lines with labels: "name: Ana; city: Lisbon".
import { failure } from '../failures.ts';
import { type ContentPart, LONGEST_TEXT } from '../port.ts';

export interface Cell {
  /** From 0. */
  readonly column: number;
  readonly text: string;
}

export interface Rows {
  /** `number` from 1, as a spreadsheet counts. `cells` in order, without blank ones. */
  row(number: number, cells: readonly Cell[]): void;
  end(): void;
}

/** A search finds a row best when it is a part of its own, but a table of 100,000 rows must not become as many parts. */
const MOST_SINGLE_ROWS = 1_000;
const SHARED_PART_LENGTH = 1_000;
const LONGEST_LABEL = 100;
/** In a row without labels, a wider gap of empty cells is shortened. */
const WIDEST_GAP = 64;

const NUMBER_OR_DATE =
  /^[-+(]?[\p{Sc}]?\s?[\d.,'\s]+\s?[%\p{Sc}]?\)?$|^\d{1,4}[-./]\d{1,2}[-./]\d{1,4}\b|^\d{1,2}:\d{2}/u;

/** `sheet`: the name of the sheet, where there is one. */
export const createRows = (sheet: string | undefined, emit: (part: ContentPart) => void): Rows => {
  let labels: ReadonlyMap<number, string> | null = null;
  /** The first row with labels is the header once another row follows. */
  let candidate: { number: number; cells: readonly Cell[] } | null = null;
  let decided = false;
  let count = 0;
  let characters = 0;
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
    characters += lineLength(cells, labels);
    if (characters > LONGEST_TEXT) throw failure('text_too_large');
    const line = labels === null ? plainLine(cells) : labelledLine(cells, labels);
    count++;
    if (open !== null && count > MOST_SINGLE_ROWS && open.text.length + line.length < SHARED_PART_LENGTH) {
      open = { text: `${open.text}\n${line}`, row: open.row, lastRow: number };
      return;
    }
    close();
    open = { text: line, row: number, lastRow: number };
    if (count <= MOST_SINGLE_ROWS) close();
  };

  return {
    row(number, cells) {
      if (cells.length === 0) return;
      if (candidate !== null) {
        labels = columnLabels(candidate.cells);
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
};

/** Labels are short, all different, and neither numbers nor dates. */
const areLabels = (cells: readonly Cell[]): boolean => {
  const seen = new Set(cells.map(({ text }) => text.trim().toLowerCase()));
  return (
    seen.size === cells.length &&
    cells.every(({ text }) => text.length <= LONGEST_LABEL && !NUMBER_OR_DATE.test(text.trim()))
  );
};

const columnLabels = (cells: readonly Cell[]): Map<number, string> =>
  new Map(cells.map(({ column, text }) => [column, cellLine(text)]));

/** Counted before the line is made: cells of a spreadsheet may all refer to one long text. */
const lineLength = (cells: readonly Cell[], labels: ReadonlyMap<number, string> | null): number =>
  cells.reduce((sum, { column, text }) => sum + text.length + (labels?.get(column)?.length ?? 0), 0);

const labelledLine = (cells: readonly Cell[], labels: ReadonlyMap<number, string>): string =>
  cells
    .map(({ column, text }) => {
      const label = labels.get(column);
      return label === undefined ? cellLine(text) : `${label}: ${cellLine(text)}`;
    })
    .join('; ');

const plainLine = (cells: readonly Cell[]): string => {
  let line = '';
  let last = -1;
  for (const { column, text } of cells) {
    const gap = column - last;
    line += last < 0 ? '' : gap > WIDEST_GAP ? ' | … | ' : ' | '.repeat(gap);
    line += cellLine(text);
    last = column;
  }
  return line;
};

const cellLine = (text: string): string => text.trim().replace(/\s{0,100}[\r\n]\s{0,100}/g, ' ');
