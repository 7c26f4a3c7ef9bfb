// The organisation's settings as rows of JSON, and the reset that empties everything.
import { WHOLE_REACH } from '../../../../core/scope.ts';
import type { ResetCounts } from '../../ports/settings.ts';
import { LIVING, withMemories } from '../../statements/scoped-views.ts';
import type { Db } from '../../tables/tables.ts';
import { settleHidden } from '../connections/remove.ts';
import { removeAllConnections } from '../connections/tags.ts';
import { markDeleted } from '../documents/delete.ts';
import { eraseTags } from '../tags/tags.ts';

export const readSettings = async (db: Db): Promise<Record<string, unknown>> => {
  const rows = await db.selectFrom('settings').select(['key', 'value']).execute();
  return Object.fromEntries(rows.map(({ key, value }) => [key, JSON.parse(value)]));
};

export const writeSettings = async (
  tx: Db,
  changes: Readonly<Record<string, unknown>>,
  now: number,
): Promise<Record<string, unknown>> => {
  for (const [key, value] of Object.entries(changes)) {
    await tx.deleteFrom('settings').where('key', '=', key).execute();
    if (value !== null)
      await tx
        .insertInto('settings')
        .values({ key, value: JSON.stringify(value), updated_at: now })
        .execute();
  }
  // Buckets and prompts shape every profile.
  await tx
    .updateTable('tags')
    .set((eb) => ({ changes: eb('changes', '+', 1) }))
    .execute();
  return readSettings(tx);
};

const DELETED_AT_ONCE = 2000;

const clearDefault = async (tx: Db, tag: string, now: number): Promise<boolean> => {
  const row = await tx.selectFrom('tags').selectAll().where('tag', '=', tag).executeTakeFirst();
  if (!row) return false;
  const silent = { name: null, entity_context: null, memory_paths: null, buckets: null };
  await tx
    .updateTable('tags')
    .set({ ...silent, updated_at: now })
    .where('n', '=', row.n)
    .execute();
  return [row.name, row.entity_context, row.memory_paths, row.buckets].some((said) => said !== null);
};

const finishReset = async (tx: Db, defaultTag: string, now: number): Promise<ResetCounts> => {
  const extra = await tx.selectFrom('tags').select('n').where('tag', '<>', defaultTag).execute();
  await tx.deleteFrom('merges').execute();
  const connections = await removeAllConnections({ tx, now });
  await eraseTags(
    tx,
    extra.map(({ n }) => n),
  );
  await tx.deleteFrom('settings').execute();
  const clearedDefault = await clearDefault(tx, defaultTag, now);
  return { documents: 0, batches: 0, memories: 0, connections, tags: extra.length, clearedDefault };
};

/** One transaction of the reset; the last one deletes tags and settings. */
export const resetSlice = async (
  tx: Db,
  defaultTag: string,
  now: number,
): Promise<{ more: boolean; counts: ResetCounts }> => {
  const nothing = { documents: 0, batches: 0, memories: 0, connections: 0, tags: 0, clearedDefault: false };
  if ((await settleHidden(tx)) > 0) return { more: true, counts: nothing };
  const documents = await tx
    .selectFrom('documents')
    .select(['n', 'container'])
    .where(LIVING)
    .limit(DELETED_AT_ONCE)
    .execute();
  if (documents.length === 0) return { more: false, counts: await finishReset(tx, defaultTag, now) };
  await markDeleted(tx, documents, now);
  return { more: true, counts: { ...nothing, documents: documents.length, batches: 1 } };
};

/** Memories whose documents were deleted before are not counted, whether their rows are erased yet or not. */
export const countMemories = async (tx: Db): Promise<number> => {
  const { count } = await withMemories(tx, WHOLE_REACH)
    .selectFrom('visible_memories')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
};
