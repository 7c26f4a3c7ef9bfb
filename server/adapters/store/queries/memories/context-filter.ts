// Selects the memories that may serve as context while a document is read. For each key of the filter, their own metadata
// or that of a document that supports them must have one of the values.
import { type RawBuilder, type SqlBool, sql } from '#kysely';
import { textList } from '../../engine/lists.ts';
import type { ContextFilter } from '../../ports/metadata.ts';

/** Values are compared as they are written: 5 and "5" are the same, as they are to a search. */
const writtenValues = (value: ContextFilter[string]): string[] =>
  typeof value === 'object' ? [...value] : [String(value)];

/** `document_meta` holds documents and memories, each under its number. */
const holdersOfValue = (
  container: number,
  key: string,
  value: ContextFilter[string],
): RawBuilder<number> => sql`(
  select doc from document_meta
  where key = ${key} and container = ${container} and text in ${textList(writtenValues(value))})`;

/** Over `memories`. */
export const mayServeAsContext = (container: number, filter: ContextFilter | null): RawBuilder<SqlBool> => {
  const parts = Object.entries(filter ?? {}).map(([key, value]) => {
    const among = holdersOfValue(container, key, value);
    return sql<SqlBool>`memories.n in (select doc from ${among} as held union all
      select memory from memory_sources where doc in ${among})`;
  });
  return parts.length === 0 ? sql`true` : sql.join(parts, sql` and `);
};
