// Tables of office files, built from their elements; a table inside a cell becomes text of that cell.
import { type Blocks, cellText } from './flow.ts';

export interface Tables {
  /** True for an element of a table. */
  open(name: string): boolean;
  close(name: string): void;
  /** Adds text to the open cell; false where none is open. */
  cell(text: string): boolean;
}

interface OpenTable {
  readonly rows: string[][];
  row: string[] | null;
  cell: string;
}

export const createTables = (blocks: Pick<Blocks, 'table'>): Tables => {
  const open: OpenTable[] = [];

  const closeTable = (): void => {
    const table = open.pop();
    if (table === undefined) return;
    const outer = open.at(-1);
    if (outer === undefined) blocks.table(table.rows);
    else outer.cell += table.rows.map((row) => row.join(' ; ')).join(' / ');
  };

  const closeRow = (table: OpenTable): void => {
    if (table.row !== null) table.rows.push(table.row);
    table.row = null;
  };

  return {
    open(name) {
      const table = open.at(-1);
      if (name === 'tbl') open.push({ rows: [], row: null, cell: '' });
      else if (name === 'tr' && table !== undefined) table.row = [];
      else if (name === 'tc' && table !== undefined) table.cell = '';
      else return false;
      return true;
    },
    close(name) {
      const table = open.at(-1);
      if (name === 'tbl') closeTable();
      else if (table === undefined) return;
      else if (name === 'tr') closeRow(table);
      else if (name === 'tc') {
        table.row?.push(cellText(table.cell));
        table.cell = '';
      }
    },
    cell(text) {
      const table = open.at(-1);
      if (table === undefined) return false;
      table.cell += `${text}\n`;
      return true;
    },
  };
};
