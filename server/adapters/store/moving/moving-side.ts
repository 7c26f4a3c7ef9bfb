// One of the two databases of a move.
import type { StoredSpace } from '../engine/engine.ts';
import type { WriteWork } from '../engine/writer.ts';
import type { Db } from '../tables/tables.ts';
import type { MovedRow } from './moved-tables.ts';

/** The vector of one chunk or memory, as it is compared: a scale and bytes. */
export interface MovedVector {
  readonly n: number;
  readonly data: Uint8Array;
}

/** Numbers after the first and up to the last one; null: no such end. */
export interface NumberRange {
  readonly after: number;
  readonly last: number | null;
}

export interface MovedVectors {
  /** The next vectors in the order of their numbers, about `most`. */
  page(space: StoredSpace, after: number, most: number): Promise<readonly MovedVector[]>;
  within(space: StoredSpace, range: NumberRange): Promise<readonly MovedVector[]>;
  put(tx: Db, space: StoredSpace, vectors: readonly MovedVector[]): Promise<void>;
  remove(tx: Db, space: StoredSpace, ns: readonly number[]): Promise<void>;
  /** Removes the vectors of all other spaces. */
  keepSpaces(tx: Db, ids: readonly number[]): Promise<void>;
}

export interface MovingSide {
  /** For people, without a password. */
  readonly place: string;
  readonly db: Db;
  readonly vectors: MovedVectors;
  /** Every table of the database. */
  tables(): Promise<readonly string[]>;
  /** The columns that are stored, in the order of their names. */
  columns(table: string): Promise<readonly string[]>;
  write(work: WriteWork<void>): Promise<void>;
  insert(tx: Db, table: string, columns: readonly string[], rows: readonly MovedRow[]): Promise<void>;
  /** Everything that is copied says where numbers go on; before the last copy of a database at rest. */
  settleNumbers(tx: Db): Promise<void>;
  /** The numbers that the database deals out go on behind the copied ones. */
  continueNumbers(tx: Db): Promise<void>;
  /** The names of those that work on it now. */
  users(): Promise<readonly string[]>;
  /** True: the write was refused because another row has a name that must be unique. */
  isNameTaken(error: unknown): boolean;
  close(): Promise<void>;
}
