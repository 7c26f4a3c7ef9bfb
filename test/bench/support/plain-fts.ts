// Full-text search with plain SQLite over the same texts, as the comparison for a search.
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { newFolder, removeFolder } from './memoir.ts';

export interface PlainFts {
  /** Milliseconds of one query for the words of the question: the ten best, with their texts. */
  ask(question: string): number;
  close(): void;
}

const TOKENIZER = 'porter unicode61';
const RESULTS = 10;

const wordsOf = (question: string): string =>
  (question.match(/[\p{L}\p{N}]+/gu) ?? []).map((word) => `"${word}"`).join(' OR ');

export const openPlainFts = (texts: Iterable<string>): PlainFts => {
  const folder = newFolder();
  const database = new DatabaseSync(join(folder, 'plain.db'));
  database.exec(`create virtual table texts using fts5 (text, tokenize = '${TOKENIZER}')`);
  const insert = database.prepare('insert into texts (text) values (?)');
  database.exec('begin');
  for (const text of texts) insert.run(text);
  database.exec('commit');
  const select = database.prepare(
    `select rowid, text from texts where texts match ? order by rank limit ${RESULTS}`,
  );
  return {
    ask(question) {
      const began = performance.now();
      select.all(wordsOf(question));
      return performance.now() - began;
    },
    close() {
      database.close();
      removeFolder(folder);
    },
  };
};
