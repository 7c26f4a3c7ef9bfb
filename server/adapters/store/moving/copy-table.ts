// Makes a table of one database equal to that of another, range by range: rows that are equal are read and not written, so
// that a copy that was interrupted goes on, and one that is finished is checked, by the same code.
import { createHash, type Hash } from 'node:crypto';
import { run } from '../engine/run.ts';
import type { Db } from '../tables/tables.ts';
import type { MovedRow, MovedTable } from './moved-tables.ts';
import { moveWords } from './moved-words.ts';
import type { MovingSide } from './moving-side.ts';

/** The state of one table before it was made equal. */
export interface TableCopy {
  readonly table: string;
  readonly rows: number;
  /** Rows that were not equal on the other side. */
  readonly differences: number;
  /** The digest of all rows of the source, and of those rows that the other side held before. */
  readonly digests: { readonly source: string; readonly target: string };
}

export interface Sides {
  readonly source: MovingSide;
  readonly target: MovingSide;
  /** Told the rows that were looked at. */
  readonly looked: (table: string, rows: number) => void;
}

/** About so much is in memory at a time. */
const BATCH_CHARACTERS = 4_000_000;
const MOST_ROWS = 2_000;
const FEWEST_ROWS = 10;

/** PostgreSQL stores no NUL in a text, and no half of a pair of code units. */
const storable = (value: unknown): unknown =>
  typeof value === 'string' ? value.replaceAll('\0', '').toWellFormed() : value;

const textOfValue = (value: unknown): unknown =>
  value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value;

const rowText = (row: MovedRow, columns: readonly string[]): string =>
  JSON.stringify(columns.map((column) => textOfValue(row[column])));

const readRange = async (
  db: Db,
  { name, key }: MovedTable,
  range: { columns: readonly string[]; after: readonly unknown[] | null; last: readonly unknown[] | null },
  limit: number | null,
): Promise<readonly MovedRow[]> => {
  const { columns, after, last } = range;
  const keys = `(${key.join(', ')})`;
  const values = [...(after ?? []), ...(last ?? [])];
  const places = (from: number): string => `(${key.map((_, at) => `$${from + at + 1}`).join(', ')})`;
  const conditions = [
    ...(after === null ? [] : [`${keys} > ${places(0)}`]),
    ...(last === null ? [] : [`${keys} <= ${places(after?.length ?? 0)}`]),
  ];
  const where = conditions.length === 0 ? '' : `where ${conditions.join(' and ')}`;
  const { rows } = await run<MovedRow>(
    db,
    `select ${columns.join(', ')} from ${name} ${where} order by ${key.join(', ')} ${limit === null ? '' : `limit ${limit}`}`,
    values,
  );
  return rows;
};

interface Difference {
  readonly added: readonly MovedRow[];
  readonly changed: readonly MovedRow[];
  readonly removed: readonly MovedRow[];
}

interface CopyContext extends Sides {
  readonly table: MovedTable;
  readonly columns: readonly string[];
  readonly hashes: Readonly<Record<'source' | 'target', Hash>>;
}

/** With the rows that only the target holds under `removed`. */
const compareRows = (
  { table, columns, hashes }: CopyContext,
  wanted: readonly MovedRow[],
  found: readonly MovedRow[],
): Difference => {
  const held = new Map(
    found.map((row) => [rowText(row, table.key), { row, text: rowText(row, columns) }] as const),
  );
  for (const { text } of held.values()) hashes.target.update(text);
  const added: MovedRow[] = [];
  const changed: MovedRow[] = [];
  for (const row of wanted) {
    const name = rowText(row, table.key);
    const text = rowText(row, columns);
    hashes.source.update(text);
    const other = held.get(name);
    if (other === undefined) added.push(row);
    else if (other.text !== text) changed.push(row);
    held.delete(name);
  }
  return { added, changed, removed: [...held.values()].map(({ row }) => row) };
};

const isKey = ({ key }: MovedTable): string =>
  key.map((column, at) => `${column} = $${at + 1}`).join(' and ');
const keyOf = ({ key }: MovedTable, row: MovedRow): unknown[] => key.map((column) => row[column]);

const removeRows = async (tx: Db, table: MovedTable, rows: readonly MovedRow[]): Promise<void> => {
  for (const row of rows) await run(tx, `delete from ${table.name} where ${isKey(table)}`, keyOf(table, row));
};

const changeRows = async (
  tx: Db,
  { table, columns }: CopyContext,
  rows: readonly MovedRow[],
): Promise<void> => {
  const changed = columns.filter((column) => !table.key.includes(column));
  const set = changed.map((column, at) => `${column} = $${table.key.length + at + 1}`).join(', ');
  for (const row of rows)
    await run(tx, `update ${table.name} set ${set} where ${isKey(table)}`, [
      ...keyOf(table, row),
      ...changed.map((column) => row[column]),
    ]);
};

const writeDifference = (context: CopyContext, difference: Difference): Promise<void> => {
  const { source, target, table, columns } = context;
  const { added, changed, removed } = difference;
  return target.write(async (tx) => {
    await removeRows(tx, table, removed);
    await changeRows(tx, context, changed);
    if (added.length > 0) await target.insert(tx, table.name, columns, added);
    if (table.words) await moveWords(tx, source.db, table.words, difference);
  });
};

const NOTHING: Difference = { added: [], changed: [], removed: [] };

/**
 * Each row for itself. While the source is in use a later row may still hold a name that has gone over to this one: that row
 * comes first, and the next copy finds the difference again.
 */
const applyOneByOne = async (context: CopyContext, difference: Difference): Promise<void> => {
  const single = (Object.keys(difference) as (keyof Difference)[]).flatMap((kind) =>
    difference[kind].map((row): Difference => ({ ...NOTHING, [kind]: [row] })),
  );
  for (const each of single)
    try {
      await writeDifference(context, each);
    } catch (error) {
      if (!context.target.isNameTaken(error)) throw error;
    }
};

const applyDifference = async (context: CopyContext, difference: Difference): Promise<void> => {
  try {
    await writeDifference(context, difference);
  } catch (error) {
    if (!context.target.isNameTaken(error)) throw error;
    await applyOneByOne(context, difference);
  }
};

const sizeOfDifference = ({ added, changed, removed }: Difference): number =>
  added.length + changed.length + removed.length;

const settledRows = (
  { own, settled }: MovedTable,
  rows: readonly MovedRow[],
  isSource: boolean,
): MovedRow[] =>
  rows
    .filter((row) => !own?.(row))
    .map((row) => (isSource && settled ? settled(row) : row))
    .map((row) => Object.fromEntries(Object.entries(row).map(([name, value]) => [name, storable(value)])));

/** Rows of a batch, so that it stays about as large in memory. */
const nextLimit = (limit: number, rows: readonly MovedRow[]): number => {
  let characters = 1;
  for (const row of rows)
    for (const value of Object.values(row))
      characters += typeof value === 'string' || value instanceof Uint8Array ? value.length : 8;
  const fitting = Math.floor((rows.length * BATCH_CHARACTERS) / characters);
  return Math.min(MOST_ROWS, Math.max(FEWEST_ROWS, Math.min(fitting, limit * 2)));
};

const requireSameColumns = async ({ source, target }: Sides, table: string): Promise<readonly string[]> => {
  const [columns, others] = await Promise.all([source.columns(table), target.columns(table)]);
  const missing = columns.filter((column) => !others.includes(column));
  const more = others.filter((column) => !columns.includes(column));
  if (missing.length + more.length > 0)
    throw new Error(
      `The table ${table} has other columns in ${target.place} than in ${source.place}: ${[...missing, ...more].join(', ')}. Nothing of it was copied. Use the version of Memoir that wrote both.`,
    );
  return columns;
};

/** Copies what differs. A second call on databases at rest finds no difference. */
export const copyTable = async (sides: Sides, table: MovedTable): Promise<TableCopy> => {
  const columns = await requireSameColumns(sides, table.name);
  const hashes = { source: createHash('sha256'), target: createHash('sha256') };
  const context: CopyContext = { ...sides, table, columns, hashes };
  let after: readonly unknown[] | null = null;
  let limit = FEWEST_ROWS;
  let rows = 0;
  let differences = 0;
  for (;;) {
    const read: readonly MovedRow[] = await readRange(
      sides.source.db,
      table,
      { columns, after, last: null },
      limit,
    );
    const end = read.at(-1);
    const isEnd = read.length < limit;
    const last: readonly unknown[] | null = isEnd || end === undefined ? null : keyOf(table, end);
    const found = await readRange(sides.target.db, table, { columns, after, last }, null);
    const wanted = settledRows(table, read, true);
    const difference = compareRows(context, wanted, settledRows(table, found, false));
    if (sizeOfDifference(difference) > 0) await applyDifference(context, difference);
    rows += wanted.length;
    differences += sizeOfDifference(difference);
    sides.looked(table.name, rows);
    if (last === null) break;
    after = last;
    limit = nextLimit(limit, read);
  }
  const digests = { source: hashes.source.digest('hex'), target: hashes.target.digest('hex') };
  return { table: table.name, rows, differences, digests };
};
