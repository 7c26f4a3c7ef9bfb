// The passages that searches of tags have read, until one of them changes: to read those of one search is a third of its work.
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

interface KeptPassages {
  count: number;
  /** By the tags of a reach. */
  readonly scopes: Map<string, KeptScope>;
}

/** About 5 MB of ordinary passages, for each thread that searches. */
const MOST_PASSAGES = 2_000;

const keptOf = keptByDatabase((): KeptPassages => ({ count: 0, scopes: new Map() }));

const PASSAGE_CHANGES = `select coalesce(sum(changes), 0) as changes from passage_changes
  where tag in (select n from tags where tag in (select value from text_list($1)))`;

/** Triggers count every change of a stored passage and of its document; others count who may see it. */
export const passageChanges = async (db: Db, tags: string): Promise<string> => {
  const { rows } = await run<{ changes: number }>(db, PASSAGE_CHANGES, [tags]);
  return `${await tagChanges(db, tags)}/${rows[0]?.changes}`;
};

const scopeOf = (kept: KeptPassages, tags: string, mark: string): KeptScope => {
  const known = kept.scopes.get(tags);
  if (known?.mark === mark && kept.count <= MOST_PASSAGES) return known;
  if (kept.count > MOST_PASSAGES) {
    kept.scopes.clear();
    kept.count = 0;
  } else kept.count -= known?.passages.size ?? 0;
  const scope = { mark, passages: new Map() };
  kept.scopes.set(tags, scope);
  return scope;
};

/** Those of a few tags, on a database that counts their changes. */
export const mayKeepPassages = (db: Db, { reads }: Reach): boolean =>
  reads !== null && engineOf(db).keepsReads;

/** The passages of these numbers, by number, from `read`, which is asked for those alone that are not kept. */
export const keptPassages = async (
  { db, reach }: { readonly db: Db; readonly reach: Reach },
  ns: readonly number[],
  read: (ns: readonly number[]) => Promise<ChunkWithDocument[]>,
): Promise<ChunkWithDocument[]> => {
  const kept = keptOf(db);
  const tags = JSON.stringify(reach.reads);
  const { passages } = scopeOf(kept, tags, await passageChanges(db, tags));
  const missing = ns.filter((n) => !passages.has(n));
  const fresh = missing.length === 0 ? [] : await read(missing);
  kept.count += fresh.length;
  for (const passage of fresh) passages.set(passage.n, passage);
  return ns.flatMap((n) => passages.get(n) ?? []).sort((a, b) => a.n - b.n);
};
