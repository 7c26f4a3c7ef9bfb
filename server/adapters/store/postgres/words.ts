// The keyword index: the analysed words of each chunk and memory as a tsvector, beside the rows themselves, so that a row is
// written once. A container tag is a word of its own in it, so that the tag is part of each match.
import { ROW_VERSION, type UnitWords, type WantedWords, type WordIndex } from '../engine/engine.ts';
import { run } from '../engine/run.ts';
import type { UnitKind } from '../ports/filters.ts';
import type { Db } from '../tables/tables.ts';

const WORD_TABLES: Readonly<Record<UnitKind, string>> = {
  chunks: 'chunk_words',
  memories: 'memory_words',
};

/** PostgreSQL refuses words of more than 2,046 bytes. */
const LONGEST_WORD = 500;

const indexedWord = (word: string): string => word.slice(0, LONGEST_WORD);

/** Analysed words hold no space, so that no text can imitate a tag. */
const tagWord = (tag: number): string => ` ${tag}`;

const indexedWords = ({ tagNumbers, body, extra }: UnitWords): string[] => {
  const words = [...body.split(' '), ...extra.split(' ')].filter((word) => word !== '');
  return [...new Set([...tagNumbers.map(tagWord), ...words.map(indexedWord)])];
};

const write = async (tx: Db, kind: UnitKind, units: readonly UnitWords[]): Promise<void> => {
  if (units.length === 0) return;
  const rows = units.map((unit) => ({ n: unit.n, words: indexedWords(unit) }));
  await run(
    tx,
    `insert into ${WORD_TABLES[kind]} (n, words)
       select (unit ->> 'n')::bigint, array_to_tsvector(array(select json_array_elements_text(unit -> 'words')))
       from json_array_elements($1::json) as unit`,
    [JSON.stringify(rows)],
  );
};

const erase = async (tx: Db, kind: UnitKind, ns: readonly number[]): Promise<void> => {
  await run(tx, `delete from ${WORD_TABLES[kind]} where n in (select value from number_list($1))`, [
    JSON.stringify(ns),
  ]);
};

const touchChunks = async (tx: Db, ns: readonly number[]): Promise<void> => {
  await run(tx, 'update chunk_words set words = words where n in (select value from number_list($1))', [
    JSON.stringify(ns),
  ]);
};

const quotedWord = (word: string): string =>
  `'${indexedWord(word).replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;

const oneOf = (words: readonly string[]): string => `(${words.map(quotedWord).join(' | ')})`;

const expression = ({ tags, words }: WantedWords): string =>
  // No tag has the number 0: a caller whose tags do not exist finds nothing.
  tags === null ? oneOf(words) : `${oneOf([0, ...tags].map(tagWord))} & ${oneOf(words)}`;

/** All that hold the words, as requests see them. */
export const heldUnits = (kind: UnitKind, words: string): string =>
  `(select n, ${ROW_VERSION} from ${WORD_TABLES[kind]} where words @@ ${words}::tsquery)`;

export const postgresWords: WordIndex = { write, erase, touchChunks, expression };
