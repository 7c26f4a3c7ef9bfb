// Deleted content is absent from rows, from the keyword index, and finally from the files.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from './api.ts';
import type { Folder } from './server.ts';
import { count, type Query, reading } from './sql.ts';
import { type Story, wordsIn, wordsOf } from './stories.ts';

/** Scrubbing waits until no more deletions come, and rests thirty times as long as the last one took. */
const SCRUBBED_MS = 90_000;

const TEXTS = [
  "select coalesce(content, '') || ' ' || coalesce(title, '') || ' ' || coalesce(summary, '') as text from documents",
  'select content as text from chunks',
  'select memory as text from memories',
  "select coalesce(content, '') as text from submissions",
  'select text from document_meta',
  'select thread as text from thread_places',
];

const deletedWords = (stories: readonly Story[]): Set<string> => {
  const deleted = new Set(stories.filter(({ deletion }) => deletion === 'done').flatMap(wordsOf));
  const living = new Set(stories.filter(({ deletion }) => deletion !== 'done').flatMap(wordsOf));
  return new Set([...deleted].filter((word) => !living.has(word)));
};

const refuse = (where: string, words: readonly string[], deleted: ReadonlySet<string>): void => {
  const found = new Set(words.filter((word) => deleted.has(word)));
  if (found.size > 0)
    throw new Error(`${found.size} words of deleted texts are left ${where}: ${[...found].slice(0, 5)}`);
};

/** Called when the server is idle. */
export const checkErased = (folder: Folder, stories: readonly Story[]): void =>
  reading(folder, (query) => {
    const deleted = deletedWords(stories);
    for (const statement of TEXTS)
      refuse(
        `in the answer to ${statement}`,
        query(statement).flatMap(({ text }) => wordsIn(String(text))),
        deleted,
      );
  });

const termsOf = (query: Query, index: string): string[] => {
  query(`create virtual table temp.${index}_terms using fts5vocab('main', '${index}', 'row')`);
  return query(`select term from temp.${index}_terms where term glob 'zqc*'`).map(({ term }) => String(term));
};

/** Called when the server is idle, so that it finishes its scrubbing. */
export const checkScrubbed = async (folder: Folder, stories: readonly Story[]): Promise<void> => {
  const isScrubbed = () =>
    reading(folder, (query) => count(query, "select count(*) as n from meta where key = 'unscrubbed'") === 0);
  await until('deleted words are scrubbed', SCRUBBED_MS, async () => isScrubbed());
  const deleted = deletedWords(stories);
  reading(folder, (query) => {
    for (const index of ['chunk_words', 'memory_words'])
      refuse(`in ${index}`, termsOf(query, index), deleted);
  });
};

const PAGE = 4096;
/** The kinds of pages of a b-tree, with the length of their headers. */
const HEADERS = new Map([
  [2, 12],
  [5, 12],
  [10, 8],
  [13, 8],
]);

/**
 * The bytes of a database without the unused middles of its pages. SQLite overwrites what is deleted, but when it moves
 * a row to a neighbouring page it may leave the former copy in that middle, where a later deletion does not look: a few
 * in a thousand, until the page is used up or the database is rebuilt.
 */
export const withoutMiddles = (database: Buffer): Buffer => {
  const bytes = Buffer.from(database);
  for (let at = 0; at < bytes.length; at += PAGE) {
    const head = at === 0 ? 100 : at;
    const length = HEADERS.get(bytes.readUInt8(head));
    if (length === undefined) continue;
    const cells = bytes.readUInt16BE(head + 3);
    bytes.fill(0, head + length + 2 * cells, at + (bytes.readUInt16BE(head + 5) || PAGE));
  }
  return bytes;
};

/** Called after a graceful stop of the server. */
export const checkFiles = ({ dir }: Folder, stories: readonly Story[]): void => {
  const deleted = deletedWords(stories);
  for (const name of readdirSync(dir, { recursive: true, withFileTypes: true })) {
    if (!name.isFile()) continue;
    const file = join(name.parentPath, name.name);
    const bytes = readFileSync(file);
    const held = name.name === 'memoir.db' ? withoutMiddles(bytes) : bytes;
    refuse(`in ${file}`, wordsIn(held.toString('latin1')), deleted);
  }
};
