// Container tags as records: their fields, their counts, their creation and removal.
import { type Selectable, sql } from '#kysely';
import type { Reach } from '../../../../core/scope.ts';
import { numberList } from '../../engine/lists.ts';
import { run } from '../../engine/run.ts';
import type { TagAccount, TagChanges, TagRecord, TagRemoved, TagSummary } from '../../ports/tags.ts';
import { ensureTag, findContainer, LAST_TAG } from '../../statements/containers.ts';
import type { ScopedRead, ScopedWrite } from '../../statements/contexts.ts';
import { jsonOrNull } from '../../statements/json.ts';
import { isLive } from '../../statements/memory-rows.ts';
import { LIVING, LIVING_TEXT } from '../../statements/scoped-views.ts';
import type { Db, TagsTable } from '../../tables/tables.ts';
import { eraseTokens, tokensOfTag } from '../access/usage.ts';
import { takeTagOffConnections } from '../connections/tags.ts';
import { markDeleted } from '../documents/delete.ts';
import { retag } from '../documents/update.ts';
import { changeQuotas } from '../usage/quotas.ts';
import { eraseUsage } from '../usage/write.ts';
import { mergeOf, unfinishedMerges } from './merges.ts';

type TagRow = Pick<
  Selectable<TagsTable>,
  'tag' | 'name' | 'entity_context' | 'memory_paths' | 'buckets' | 'created_at' | 'updated_at'
>;

const COLUMNS = [
  'tag',
  'name',
  'entity_context',
  'memory_paths',
  'buckets',
  'created_at',
  'updated_at',
] as const;

const tagRecord = (row: TagRow): TagRecord => ({
  tag: row.tag,
  name: row.name,
  entityContext: row.entity_context,
  memoryFilesystemPaths: row.memory_paths === null ? null : JSON.parse(row.memory_paths),
  profileBuckets: row.buckets === null ? [] : JSON.parse(row.buckets),
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});

interface CountedTag extends TagRow {
  documents: number;
  memories: number;
  last: number | null;
}

/** `isLive` as text, with the moment as first parameter. */
const LIVE = '(is_latest = 1 and is_forgotten = 0 and (forget_after is null or forget_after > $1))';

/** The counts of a tag: sums of the containers' totals, and the newest entries of two indexes. */
const countUnderTags = async (db: Db, reach: Reach, now: number): Promise<CountedTag[]> => {
  const { reads } = reach;
  const { rows } = await run<CountedTag>(
    db,
    `with visible_documents as (select container, updated_at from documents where ${LIVING_TEXT}),
    visible_latest as (
      select container, updated_at from memories where ${LIVE} and exists (
        select 1 from memory_sources inner join documents on documents.n = memory_sources.doc
        where memory_sources.memory = memories.n and ${LIVING_TEXT})
    )
    select tag, name, entity_context, memory_paths, buckets, created_at, updated_at,
      (select coalesce(sum(containers.documents), 0) from container_tags
        inner join containers on containers.n = container_tags.container
        where container_tags.tag = tags.n) as documents,
      (select count(*) from container_tags
        inner join visible_latest on visible_latest.container = container_tags.container
        where container_tags.tag = tags.n) as memories,
      (select max(newest) from (
          select (select max(updated_at) from visible_documents where container = held.container) as newest
            from container_tags as held where held.tag = tags.n
          union all
          select (select max(updated_at) from visible_latest where container = held.container)
            from container_tags as held where held.tag = tags.n
        ) as each) as last
    from tags ${reads === null ? '' : 'where tag in (select value from text_list($2))'}
    order by created_at, n`,
    reads === null ? [now] : [now, JSON.stringify(reads)],
  );
  return rows;
};

export const listTags = async ({ db, reach, now }: ScopedRead): Promise<TagSummary[]> => {
  const merges = await unfinishedMerges(db);
  return (await countUnderTags(db, reach, now)).map((row) => ({
    ...tagRecord(row),
    documents: row.documents,
    memories: row.memories,
    lastActivityAt: row.last,
    merge: mergeOf(merges, row.tag),
  }));
};

const mayUse = (allowed: readonly string[] | null, tag: string): boolean =>
  allowed === null || allowed.includes(tag);

export const getTag = async ({ db, reach }: ScopedRead, tag: string): Promise<TagAccount | null> => {
  if (!mayUse(reach.reads, tag)) return null;
  const row = await db
    .selectFrom('tags')
    .select([...COLUMNS, 'n'])
    .where('tag', '=', tag)
    .executeTakeFirst();
  return row ? { ...tagRecord(row), tokens: await tokensOfTag(db, row.n) } : null;
};

export const upsertTag = async (
  { tx, reach, now }: ScopedWrite,
  tag: string,
  changes: TagChanges,
): Promise<TagRecord> => {
  if (!mayUse(reach.holds, tag)) throw new Error(`The scope does not hold the tag ${JSON.stringify(tag)}.`);
  const n = await ensureTag(tx, tag, now);
  const { name, entityContext, memoryFilesystemPaths: paths, profileBuckets: buckets, quotas } = changes;
  if (quotas !== undefined) await changeQuotas(tx, { of: 'tag', id: tag, quotas });
  const row = await tx
    .updateTable('tags')
    .set((eb) => ({
      updated_at: now,
      // The settings of a tag shape its profile.
      changes: eb('changes', '+', 1),
      ...(name === undefined ? {} : { name }),
      ...(entityContext === undefined ? {} : { entity_context: entityContext }),
      ...(paths === undefined ? {} : { memory_paths: jsonOrNull(paths) }),
      ...(buckets === undefined ? {} : { buckets: jsonOrNull(buckets) }),
    }))
    .where('n', '=', n)
    .returning(COLUMNS)
    .executeTakeFirstOrThrow();
  return tagRecord(row);
};

// --- removing ----------------------------------------------------------------------------------------

/** Marking is quick; moving writes several rows for each document. */
const MARKED_AT_ONCE = 2000;
const MOVED_AT_ONCE = 100;

export interface Removing {
  more: boolean;
  removed: TagRemoved;
}

const livingIn = (tx: Db, container: number, limit: number) =>
  tx
    .selectFrom('documents')
    .select(['n', 'container'])
    .where(LIVING)
    .where('container', '=', container)
    .limit(limit)
    .execute();

/** Documents with any of these tags, and all of the tags they carry. */
export const taggedWith = (tx: Db, tags: readonly number[], limit: number) =>
  tx
    .selectFrom('documents')
    .select(['n', 'tags'])
    .where(LIVING)
    .where(
      'container',
      'in',
      tx.selectFrom('container_tags').select('container').where('tag', 'in', numberList(tags)),
    )
    .orderBy('n')
    .limit(limit)
    .execute();

/** Live, and a document that is not deleted supports them. */
const countLive = async (tx: Db, container: number, now: number): Promise<number> => {
  const { count } = await tx
    .selectFrom('memories')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('container', '=', container)
    .where(isLive(now))
    .where(
      sql<boolean>`exists (select 1 from memory_sources inner join documents on documents.n = memory_sources.doc
        where memory_sources.memory = memories.n and ${sql.raw(LIVING_TEXT)})`,
    )
    .executeTakeFirstOrThrow();
  return count;
};

/**
 * The tags themselves, when nothing lives under them. A container keeps its number for ever, for what is erased later
 * still use it; so does a tag, because the indexed words of those documents contain it.
 */
export const eraseTags = async (tx: Db, tags: readonly number[]): Promise<void> => {
  if (tags.length === 0) return;
  const parameters = [JSON.stringify(tags)];
  const ours = '(select value from number_list($1))';
  const left = `(select container from container_tags where tag in ${ours})`;
  await run(tx, `update containers set scope_key = 'gone ' || n where n in ${left}`, parameters);
  await run(tx, `delete from container_tags where container in ${left}`, parameters);
  await run(
    tx,
    `insert into meta (key, value) select '${LAST_TAG}', cast(max(value) as text) from number_list($1) where true
       on conflict (key) do update set value = excluded.value
       where cast(excluded.value as bigint) > cast(meta.value as bigint)`,
    parameters,
  );
  await eraseTokens(tx, tags);
  await eraseUsage(tx, tags);
  await run(tx, `delete from tags where n in ${ours}`, parameters);
};

const removedSlice = (documents: number, memories: number, more: boolean): Removing => ({
  more,
  removed: { outcome: 'removed', documents, memories },
});

export const countUnderTag = async (tx: Db, tag: string): Promise<number> => {
  const { rows } = await run<{ documents: number }>(
    tx,
    `select coalesce(sum(containers.documents), 0) as documents from tags
       join container_tags on container_tags.tag = tags.n join containers on containers.n = container_tags.container
       where tags.tag = $1`,
    [tag],
  );
  return rows[0]?.documents ?? 0;
};

/** One transaction of the removal; the last one removes the tag itself. */
export const removeTagSlice = async (tx: Db, reach: Reach, tag: string, now: number): Promise<Removing> => {
  if (reach.holds !== null) return { more: false, removed: { outcome: 'forbidden' } };
  const row = await tx.selectFrom('tags').select('n').where('tag', '=', tag).executeTakeFirst();
  if (!row) return { more: false, removed: { outcome: 'missing' } };
  const merge = mergeOf(await unfinishedMerges(tx), tag);
  if (merge) return { more: false, removed: { outcome: 'merging', id: merge.id } };
  const own = await findContainer(tx, [tag]);
  const lone = own === null ? [] : await livingIn(tx, own, MARKED_AT_ONCE);
  if (own !== null && lone.length > 0) {
    const before = await countLive(tx, own, now);
    await markDeleted(tx, lone, now);
    return removedSlice(lone.length, before - (await countLive(tx, own, now)), true);
  }
  const shared = await taggedWith(tx, [row.n], MOVED_AT_ONCE);
  for (const document of shared) {
    const left = (JSON.parse(document.tags) as string[]).filter((each) => each !== tag);
    await retag(tx, document.n, left, now);
  }
  if (shared.length > 0) return removedSlice(0, 0, true);
  await takeTagOffConnections({ tx, now }, tag);
  await eraseTags(tx, [row.n]);
  return removedSlice(0, 0, false);
};

/** The reads of this file, under the names of the port. */
export const tagReads = { list: listTags, get: getTag };
