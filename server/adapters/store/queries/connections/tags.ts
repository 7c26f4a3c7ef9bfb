// The tags of connections when tags are merged or deleted: otherwise the next look would bring back what went away.
import type { WriteContext } from '../../statements/contexts.ts';
import type { Db } from '../../tables/tables.ts';
import { beginFarewell } from './farewells.ts';
import { markRemoving } from './remove.ts';

const withTags = async (tx: Db, tags: readonly string[]): Promise<{ id: string; tags: string[] }[]> => {
  const rows = await tx.selectFrom('connections').select(['id', 'tags']).execute();
  const all = rows.map((row) => ({ id: row.id, tags: JSON.parse(row.tags) as string[] }));
  return all.filter((each) => each.tags.some((tag) => tags.includes(tag)));
};

const setTags = async (tx: Db, id: string, tags: readonly string[]): Promise<void> => {
  await tx
    .updateTable('connections')
    .set({ tags: JSON.stringify(tags) })
    .where('id', '=', id)
    .execute();
};

export const mergeTagsOfConnections = async (
  tx: Db,
  sources: readonly string[],
  target: string,
): Promise<void> => {
  for (const { id, tags } of await withTags(tx, sources))
    await setTags(tx, id, [...new Set(tags.map((tag) => (sources.includes(tag) ? target : tag)))]);
};

/** A connection without another tag ends; its documents went with the tag. */
export const takeTagOffConnections = async ({ tx, now }: WriteContext, tag: string): Promise<void> => {
  for (const { id, tags } of await withTags(tx, [tag])) {
    const left = tags.filter((each) => each !== tag);
    if (left.length === 0) await markRemoving({ tx, now }, id, false);
    else await setTags(tx, id, left);
  }
};

/** Returns their number. */
export const removeAllConnections = async ({ tx, now }: WriteContext): Promise<number> => {
  const left = await tx.selectFrom('connections').select('id').where('state', '<>', 'removing').execute();
  for (const { id } of left) await beginFarewell({ tx, now }, id);
  await tx.deleteFrom('connections').where('state', '=', 'removing').execute();
  const { numDeletedRows } = await tx.deleteFrom('connections').executeTakeFirst();
  for (const table of [
    'connection_items',
    'connection_secrets',
    'connection_hooks',
    'connection_states',
    'sync_runs',
  ] as const)
    await tx.deleteFrom(table).execute();
  return Number(numDeletedRows);
};
