// Reads the database beside the server, or after its end.
import { join } from 'node:path';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import type { Folder } from './server.ts';

export type Row = Record<string, number | string | Uint8Array | null>;
export type Query = (statement: string, ...parameters: SQLInputValue[]) => Row[];

/** All reads inside the callback see the same state. */
export const reading = <T>({ dir }: Pick<Folder, 'dir'>, read: (query: Query) => T): T => {
  const db = new DatabaseSync(join(dir, 'memoir.db'), { readOnly: true, timeout: 5000 });
  try {
    db.exec('begin');
    return read((statement, ...parameters) => db.prepare(statement).all(...parameters) as Row[]);
  } finally {
    db.close();
  }
};

export const count = (query: Query, statement: string): number => Number(query(statement)[0]?.n);
