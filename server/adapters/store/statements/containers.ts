// Tags and containers: a container is one set of tags, made on first use.
import { hash } from 'node:crypto';
import { sql } from '#kysely';
import { countInContainer } from '../engine/counts.ts';
import { lockNewTags, needsLocks } from '../engine/locks.ts';
import { run } from '../engine/run.ts';
import type { Db } from '../tables/tables.ts';

/** The same for ["a","b"] and ["b","a"]: a set has no order. Lengths are included, so that no tag can imitate two. */
export const tagSetKey = (tags: readonly string[]): string => {
  const canonical = [...new Set(tags)].sort().map((tag) => `${tag.length}:${tag}`);
  return hash('sha256', canonical.join(' '), 'base64url');
};

/** The highest number of a removed tag: no other tag ever gets it. */
export const LAST_TAG = 'last_tag';

const nextTag = sql<number>`(select 1 + coalesce(max(n), 0) from (select n from tags
  union all select cast(value as bigint) from meta where key = ${sql.lit(LAST_TAG)}) as given)`;

const findTag = async (tx: Db, tag: string): Promise<number | null> =>
  (await tx.selectFrom('tags').select('n').where('tag', '=', tag).executeTakeFirst())?.n ?? null;

/** If several writers look for something at once, one makes it and the others find it once they hold the lock. */
const findOrLock = async (tx: Db, find: () => Promise<number | null>): Promise<number | null> => {
  const found = await find();
  if (found !== null || !needsLocks(tx)) return found;
  await lockNewTags(tx);
  return find();
};

export const ensureTag = async (tx: Db, tag: string, now: number): Promise<number> => {
  const found = await findOrLock(tx, () => findTag(tx, tag));
  if (found !== null) return found;
  const made = await tx
    .insertInto('tags')
    .values({ n: nextTag, tag, name: null, entity_context: null, created_at: now, updated_at: now })
    .returning('n')
    .executeTakeFirstOrThrow();
  return made.n;
};

export const findContainer = async (db: Db, tags: readonly string[]): Promise<number | null> => {
  const { rows } = await run<{ n: number }>(db, 'select n from containers where scope_key = $1', [
    tagSetKey(tags),
  ]);
  return rows[0]?.n ?? null;
};

export const ensureContainer = async (tx: Db, tags: readonly string[], now: number): Promise<number> => {
  const found = await findOrLock(tx, () => findContainer(tx, tags));
  if (found !== null) return found;
  const { n } = await tx
    .insertInto('containers')
    .values({ scope_key: tagSetKey(tags) })
    .returning('n')
    .executeTakeFirstOrThrow();
  for (const tag of new Set(tags)) {
    const number = await ensureTag(tx, tag, now);
    await tx.insertInto('container_tags').values({ tag: number, container: n }).execute();
  }
  return n;
};

/** The containers that exist, by the key of their tags. */
export const findContainers = async (
  db: Db,
  tagSets: Iterable<readonly string[]>,
): Promise<ReadonlyMap<string, number>> => {
  const keys = new Set([...tagSets].map(tagSetKey));
  const { rows } = await run<{ n: number; key: string }>(
    db,
    'select n, scope_key as key from containers where scope_key in (select value from text_list($1))',
    [JSON.stringify([...keys])],
  );
  return new Map(rows.map(({ n, key }) => [key, n]));
};

/** The container of a new document, which it counts. */
export const enterContainer = async (tx: Db, tags: readonly string[], now: number): Promise<number> => {
  const container = await ensureContainer(tx, tags, now);
  await countInContainer(tx, container, { documents: 1 });
  return container;
};

/** The context belongs to the tags; the newest replaces the former. */
export const rememberEntityContext = async (
  tx: Db,
  tags: readonly string[],
  entityContext: string | null,
  now: number,
): Promise<void> => {
  if (entityContext === null) return;
  await tx
    .updateTable('tags')
    .set({ entity_context: entityContext, updated_at: now })
    .where('tag', 'in', tags)
    .execute();
};
