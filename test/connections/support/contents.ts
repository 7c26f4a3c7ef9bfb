// The files of a test drive, and the documents of the server: equal sets say that nothing is missing, doubled or changed.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { textOf } from '../../bench/support/texts.ts';
import { withoutMiddles } from '../../crash/erased.ts';
import { count } from '../../crash/sql.ts';
import type { FakeDrive } from '../../fakes/google-drive.ts';
import type { SyncedServer } from './synced-server.ts';

export interface FilledDrive {
  readonly folders: readonly string[];
  readonly files: readonly string[];
  /** Its documents, as `storedUnder` shows them. */
  expectedUnder(tag: string): Set<string>;
}

const CHARACTERS = 400;

/** A word that stands in one file alone. */
export const wordOf = (number: number): string => `zqplant${String(number).padStart(6, '0')}z`;

/** The same number always gives the same text. */
const driveText = (number: number): string => `${wordOf(number)} ${textOf(number, CHARACTERS)}`;

const lineOf = (customId: string, sha256: string, tags: string): string => `${customId} ${sha256} ${tags}`;

/** Folders lie in folders: each third one inside the one before it. */
export const fillDrive = (
  drive: FakeDrive,
  { files, folders }: { files: number; folders: number },
): FilledDrive => {
  const made: string[] = [];
  for (let n = 0; n < folders; n++)
    made.push(drive.addFolder(`Folder ${n}`, n % 3 === 2 ? made[n - 1] : undefined));
  const texts = Array.from({ length: files }, (_, n) => driveText(n));
  const ids = texts.map((text, n) =>
    drive.addFile(`file ${n}.txt`, text, { parent: made[n % folders] ?? drive.root }),
  );
  const hashes = texts.map((text) => createHash('sha256').update(text).digest('hex'));
  return {
    folders: made,
    files: ids,
    expectedUnder: (tag) => new Set(ids.map((id, n) => lineOf(id, hashes[n] ?? '', JSON.stringify([tag])))),
  };
};

export const storedUnder = ({ read }: SyncedServer, tag: string): string[] =>
  read((query) =>
    query(
      `select documents.custom_id as id, files.sha256, documents.tags from documents
         inner join files on files.doc = documents.n where documents.deleted = 0 and documents.tags = ?`,
      JSON.stringify([tag]),
    ).map(({ id, sha256, tags }) => lineOf(String(id), String(sha256), String(tags))),
  );

export interface Difference {
  readonly missing: number;
  readonly foreign: number;
  readonly doubled: number;
}

export const differenceOf = (stored: readonly string[], expected: ReadonlySet<string>): Difference => {
  const held = new Set(stored);
  return {
    missing: [...expected].filter((line) => !held.has(line)).length,
    foreign: [...held].filter((line) => !expected.has(line)).length,
    doubled: stored.length - held.size,
  };
};

/** Everything that reading or embedding a document changes. */
export const embeddingMarks = ({ read }: SyncedServer): string =>
  read((query) =>
    JSON.stringify([
      query('select count(*) as chunks, max(n) as newest from chunks'),
      query('select count(*) as documents, max(n) as newest from documents where deleted = 0'),
      query('select vectors from spaces order by id'),
    ]),
  );

/** Those, and every write to a document besides. */
export const contentMarks = (server: SyncedServer): string =>
  server.read((query) =>
    JSON.stringify([
      embeddingMarks(server),
      query('select sum(revision) as revisions, max(updated_at) as updated from documents'),
      count(query, 'select count(*) as n from submissions'),
    ]),
  );

/** Files below the folder that hold one of the words, after a graceful stop. */
export const filesWith = (dir: string, words: readonly string[]): string[] =>
  readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((file) => {
      const bytes = readFileSync(file);
      const held = file.endsWith('memoir.db') ? withoutMiddles(bytes) : bytes;
      return words.some((word) => held.includes(word));
    });
