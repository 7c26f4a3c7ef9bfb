// The scoped view: every request reads documents through `visible`, and it alone knows the tag predicate.
import { type Kysely, type RawBuilder, type SqlBool, sql } from '#kysely';
import type { Reach } from '../../../core/scope.ts';
import { textList } from '../engine/lists.ts';
import type { ChunksTable, Db, DocumentsTable, MemoriesTable, StoreTables } from '../tables/tables.ts';

export interface VisibleTables extends StoreTables {
  visible: DocumentsTable;
  visible_chunks: ChunksTable;
  visible_memories: MemoriesTable;
}

export type VisibleDb = Kysely<VisibleTables>;

/**
 * Documents that are there for callers and for work. Those of a removed connection are hidden before they are marked as
 * deleted one after the other: a row may be wide, and a connection may have brought ten thousand.
 */
export const LIVING_TEXT = 'documents.deleted = 0 and documents.n not in (select doc from documents_hidden)';
export const LIVING = sql.raw<SqlBool>(`(${LIVING_TEXT})`);

const TAGGED = `select container_tags.container from container_tags
  inner join tags on tags.n = container_tags.tag where tags.tag in`;

/** Containers that carry any of these tags. */
export const containersWithAny = (tags: readonly string[]): RawBuilder<number> =>
  sql`(${sql.raw(TAGGED)} ${textList(tags)})`;

/** Limits the work to the containers of the reach instead of the whole store. */
export const inReach = ({ reads }: Reach): RawBuilder<SqlBool> =>
  reads === null ? sql`true` : sql`container in ${containersWithAny(reads)}`;

/** The same as text, with the first parameter: the tags as JSON. */
export const CONTAINERS_WITH_ANY = `(${TAGGED} (select value from text_list($1)))`;

/** Containers that carry all of these tags. */
export const containersWithAll = (tags: readonly string[]): RawBuilder<number> => sql`(
  select container_tags.container from container_tags
  inner join tags on tags.n = container_tags.tag where tags.tag in ${textList(tags)}
  group by container_tags.container having count(*) = ${new Set(tags).size})`;

/** `visible` (documents) and `visible_chunks`, bound to the reach. */
export const visible = (db: Db, reach: Reach): VisibleDb => {
  const { reads } = reach;
  const bound = db
    // PostgreSQL would read all documents of the reach first, because more than one of these names the view.
    .with(
      (cte) => cte('visible').notMaterialized(),
      (query) => {
        const living = query.selectFrom('documents').selectAll().where(LIVING);
        return reads === null ? living : living.where('container', 'in', containersWithAny(reads));
      },
    )
    .with('visible_chunks', (query) =>
      query.selectFrom('chunks').innerJoin('visible', 'visible.n', 'chunks.doc').selectAll('chunks'),
    );
  // Kysely types each `with` apart; the two together are exactly VisibleTables.
  return bound as unknown as VisibleDb;
};

/** Adds `visible_memories`: a memory is visible while one of its source documents is. */
export const withMemories = (db: Db, reach: Reach): VisibleDb => {
  const { reads } = reach;
  const bound = visible(db, reach).with('visible_memories', (query) => {
    const supported = query
      .selectFrom('memories')
      .selectAll()
      // True for all rows. SQLite treats a table of which only the number is read as read outside the view.
      .where('version', '>', sql.lit(0))
      .where(
        sql<SqlBool>`exists (select 1 from memory_sources inner join visible on visible.n = memory_sources.doc
          where memory_sources.memory = memories.n)`,
      );
    return reads === null ? supported : supported.where('container', 'in', containersWithAny(reads));
  });
  return bound as unknown as VisibleDb;
};

/** True when the caller holds every tag of a document. */
export const holdsAllTags = (reach: Reach, tags: readonly string[]): boolean =>
  reach.holds === null || tags.every((tag) => reach.holds?.includes(tag));
