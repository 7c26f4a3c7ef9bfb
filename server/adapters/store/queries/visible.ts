// The scoped view: every request reads documents through `visible`, and it alone knows the tag predicate.
import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Reach } from '../../../lib/scope.ts';
import type { ChunksTable, Db, DocumentsTable, MemoriesTable, Tables } from '../tables.ts';

export interface VisibleTables extends Tables {
  visible: DocumentsTable;
  visible_chunks: ChunksTable;
  visible_memories: MemoriesTable;
}

export type VisibleDb = Kysely<VisibleTables>;

/** A list of any length as one parameter, so that the statement stays the same and stays prepared. */
export const inList = <T extends string | number>(values: readonly T[]): RawBuilder<T> =>
  sql`(select value from json_each(${JSON.stringify(values)}))`;

const TAGGED = `select container_tags.container from container_tags
  inner join tags on tags.n = container_tags.tag where tags.tag in`;

/** Containers that carry any of these tags. */
export const containersWithAny = (tags: readonly string[]): RawBuilder<number> =>
  sql`(${sql.raw(TAGGED)} ${inList(tags)})`;

/** The same as text, with one parameter: the tags as JSON. */
export const WITH_ANY = `(${TAGGED} (select value from json_each(?)))`;

/** Containers that carry all of these tags. */
export const containersWithAll = (tags: readonly string[]): RawBuilder<number> => sql`(
  select container_tags.container from container_tags
  inner join tags on tags.n = container_tags.tag where tags.tag in ${inList(tags)}
  group by container_tags.container having count(*) = ${new Set(tags).size})`;

/** `visible` (documents) and `visible_chunks`, bound to the reach. */
export const visible = (db: Db, reach: Reach): VisibleDb => {
  const { reads } = reach;
  const bound = db
    .with('visible', (query) => {
      const living = query.selectFrom('documents').selectAll().where('deleted', '=', sql.lit(0));
      return reads === null ? living : living.where('container', 'in', containersWithAny(reads));
    })
    .with('visible_chunks', (query) =>
      query.selectFrom('chunks').innerJoin('visible', 'visible.n', 'chunks.doc').selectAll('chunks'),
    );
  // Kysely types each `with` apart; the two together are exactly VisibleTables.
  return bound as unknown as VisibleDb;
};

/** `visible_memories` beside the others: a memory is there as long as a document that supports it is. */
export const withMemories = (db: Db, reach: Reach): VisibleDb => {
  const { reads } = reach;
  const bound = visible(db, reach).with('visible_memories', (query) => {
    const supported = query
      .selectFrom('memories')
      .selectAll()
      // True of all: SQLite counts a table of which nothing but the number is read as read outside the view.
      .where('version', '>', sql.lit(0))
      .where(
        sql<SqlBool>`exists (select 1 from memory_sources inner join visible on visible.n = memory_sources.doc
          where memory_sources.memory = memories.n)`,
      );
    return reads === null ? supported : supported.where('container', 'in', containersWithAny(reads));
  });
  return bound as unknown as VisibleDb;
};

/** Whether every tag of a document is among those that the caller holds. */
export const holdsAll = (reach: Reach, tags: readonly string[]): boolean =>
  reach.holds === null || tags.every((tag) => reach.holds?.includes(tag));
