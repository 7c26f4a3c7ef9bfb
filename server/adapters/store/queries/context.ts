// Which memories may serve as context while a document is read: those whose own metadata, or that of a document which
// supports them, has of each key that is named one of the values.
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { ContextFilter } from '../port.ts';
import { inList } from './visible.ts';

/** Values are compared as they are written: 5 and "5" are the same, as they are to a search. */
const written = (value: ContextFilter[string]): string[] =>
  typeof value === 'object' ? [...value] : [String(value)];

/** Documents and memories alike stand in `document_meta`, each under its number. */
const holders = (container: number, key: string, value: ContextFilter[string]): RawBuilder<number> => sql`(
  select doc from document_meta
  where key = ${key} and container = ${container} and text in ${inList(written(value))})`;

/** Over `memories`. */
export const mayServe = (container: number, filter: ContextFilter | null): RawBuilder<SqlBool> => {
  const parts = Object.entries(filter ?? {}).map(([key, value]) => {
    const among = holders(container, key, value);
    return sql<SqlBool>`memories.n in (select doc from ${among} union all
      select memory from memory_sources where doc in ${among})`;
  });
  return parts.length === 0 ? sql`true` : sql.join(parts, sql` and `);
};
