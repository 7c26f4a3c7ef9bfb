// The passages that searches of tags have read, until one of them changes: to read those of one search is a third of its work.

import { LRUCache } from 'lru-cache';
import type { Reach } from '../../../../core/scope.ts';
import { engineOf } from '../../engine/engine.ts';
import { keptByDatabase } from '../../engine/kept-by-database.ts';
import { run } from '../../engine/run.ts';
import type { ChunkWithDocument } from '../../ports/search.ts';
import { tagChanges } from '../../statements/live-memories.ts';
import type { Db } from '../../tables/tables.ts';

interface KeptScope {
  /** The changes of its tags, read before its passages. */
  readonly mark: string;
  /** By number. */
  readonly passages: Map<number, ChunkWithDocument>;
}

/** About 10 MB of ordinary passages, for each thread that searches. */
const MOST_PASSAGES = 4_000;

/** By the tags of a reach. */
const keptOf = keptByDatabase(
  () =>
    new LRUCache<string, KeptScope>({
      maxSize: MOST_PASSAGES,
      sizeCalculation: ({ passages }) => passages.size + 1,
    }),
);

const PASSAGE_CHANGES = `select coalesce(sum(changes), 0) as changes from passage_changes
  where tag in (select n from tags where tag in (select value from text_list($1)))`;

/** Triggers count every change of a stored passage and of its document; others count who may see it. */
export const passageChanges = async (db: Db, tags: string): Promise<string> => {
  const { rows } = await run<{ changes: number }>(db, PASSAGE_CHANGES, [tags]);
  return `${await tagChanges(db, tags)}/${rows[0]?.changes}`;
};

/** True for the passages of some tags, on a database that counts the changes of each tag. */
export const mayKeepPassages = (db: Db, { reads }: Reach): boolean =>
  reads !== null && engineOf(db).keepsReads;

/** The passages of these numbers, by number, from `read`, which is asked for those alone that are not kept. */
export const keptPassages = async (
  { db, reach }: { readonly db: Db; readonly reach: Reach },
  ns: readonly number[],
  read: (ns: readonly number[]) => Promise<ChunkWithDocument[]>,
): Promise<ChunkWithDocument[]> => {
  const scopes = keptOf(db);
  const tags = JSON.stringify(reach.reads);
  const mark = await passageChanges(db, tags);
  const known = scopes.get(tags);
  const passages = known?.mark === mark ? known.passages : new Map<number, ChunkWithDocument>();
  const missing = ns.filter((n) => !passages.has(n));
  if (missing.length > 0) {
    for (const passage of await read(missing)) passages.set(passage.n, passage);
    // A new value: the size of one that is kept already is not measured again.
    scopes.set(tags, { mark, passages });
  }
  return ns.flatMap((n) => passages.get(n) ?? []).sort((a, b) => a.n - b.n);
};
