// The keyword index: one FTS5 table of chunks and one of memories. A container tag is a word of its own in it, so that the
// tag is part of each match.
import type { UnitWords, WantedWords, WordIndex } from '../engine/engine.ts';
import { run } from '../engine/run.ts';
import type { UnitKind } from '../ports/filters.ts';
import type { Db } from '../tables/tables.ts';

export const WORD_TABLES: Readonly<Record<UnitKind, string>> = {
  chunks: 'chunk_words',
  memories: 'memory_words',
};

const tagWord = (tag: number): string => `t${tag}x`;

const insertWords = async (
  tx: Db,
  table: string,
  { n, tagNumbers, body, extra }: UnitWords,
): Promise<void> => {
  await run(tx, `insert into ${table} (rowid, tag, body, extra) values ($1, $2, $3, $4)`, [
    n,
    tagNumbers.map(tagWord).join(' '),
    body,
    extra,
  ]);
};

/**
 * In order: FTS5 writes out what it has gathered before any statement that may have to be undone and whenever the next
 * number is smaller. Each time is one more segment, to be merged with the others later.
 */
const write = async (tx: Db, kind: UnitKind, units: readonly UnitWords[]): Promise<void> => {
  for (const each of units.toSorted((a, b) => a.n - b.n)) await insertWords(tx, WORD_TABLES[kind], each);
};

const erase = async (tx: Db, kind: UnitKind, ns: readonly number[]): Promise<void> => {
  await run(tx, `delete from ${WORD_TABLES[kind]} where rowid in (select value from number_list($1))`, [
    JSON.stringify(ns),
  ]);
};

const quotedTerm = (term: string): string => `"${term.replaceAll('"', '""')}"`;

/** The tag is part of the match, so that other people's text is not even read. */
const expression = ({ tags, words }: WantedWords): string => {
  const held = `{body extra} : (${words.map(quotedTerm).join(' OR ')})`;
  // No tag has the number 0: a caller whose tags do not exist finds nothing.
  return tags === null ? held : `tag : (${[0, ...tags].map(tagWord).join(' OR ')}) AND ${held}`;
};

/** The numbers of all that hold the words. */
export const unitsHolding = (kind: UnitKind, match: string): string =>
  `(select rowid as n from ${WORD_TABLES[kind]} where ${WORD_TABLES[kind]} match ${match})`;

export const sqliteWords: WordIndex = {
  ...{ write, erase, expression },
  // Its rows have no versions.
  touchChunks: async () => undefined,
};
