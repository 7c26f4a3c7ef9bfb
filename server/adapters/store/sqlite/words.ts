// The keyword index: one FTS5 table of chunks and one of memories. A container tag is a word of its own in it, so that the
// tag is part of each match.
import type { UnitKind } from '../ports/filters.ts';
import { run } from '../statements/run.ts';
import type { Db } from '../tables/tables.ts';

export const WORD_TABLES: Readonly<Record<UnitKind, string>> = {
  chunks: 'chunk_words',
  memories: 'memory_words',
};

export interface UnitWords {
  /** The number of the chunk or memory. */
  n: number;
  tagNumbers: readonly number[];
  /** Analysed words, joined by spaces. */
  body: string;
  extra: string;
}

export const tagWord = (tag: number): string => `t${tag}x`;

export const insertWords = async (tx: Db, kind: UnitKind, words: UnitWords): Promise<void> => {
  const { n, tagNumbers, body, extra } = words;
  await run(tx, `insert into ${WORD_TABLES[kind]} (rowid, tag, body, extra) values (?, ?, ?, ?)`, [
    n,
    tagNumbers.map(tagWord).join(' '),
    body,
    extra,
  ]);
};

export const eraseWords = async (tx: Db, kind: UnitKind, ns: readonly number[]): Promise<void> => {
  await run(tx, `delete from ${WORD_TABLES[kind]} where rowid in (select value from json_each(?))`, [
    JSON.stringify(ns),
  ]);
};
