// Deletes documents: they are hidden at once, and ingestion erases what they leave.
import { type SqlBool, sql } from '#kysely';
import type { Reach } from '../../../../core/scope.ts';
import { countInContainer } from '../../engine/counts.ts';
import { numberList, textList } from '../../engine/lists.ts';
import { lockDocuments, lockMemoriesOf } from '../../engine/locks.ts';
import type { Removal, Removed } from '../../ports/documents.ts';
import { excludeDeleted } from '../../statements/documents/excluded-items.ts';
import { underPath } from '../../statements/filters.ts';
import { containersWithAny, holdsAllTags, visible } from '../../statements/scoped-views.ts';
import type { Db } from '../../tables/tables.ts';
import { settleChainsWithout } from '../memories/versions.ts';
import { eraseRequestTexts } from '../usage/write.ts';
import { findDocument } from './read.ts';

const NOTHING: Removed = { deleted: [], missing: [], forbidden: [], ambiguous: [] };
/** Marking many documents at once would block every other write. */
const REMOVED_PER_CALL = 2000;

/** Hidden documents take along the versions of their memories and their texts in the log of requests. */
export const settleDeleted = async (tx: Db, ns: readonly number[]): Promise<void> => {
  await settleChainsWithout(tx, ns);
  await eraseRequestTexts(tx, ns);
};

/** Hidden at once and for everybody; `purge.ts` erases what they leave behind. Returns those that were not deleted before. */
export const markDeleted = async (
  tx: Db,
  documents: readonly { n: number; container: number }[],
  now: number,
): Promise<ReadonlySet<number>> => {
  const wanted = documents.map(({ n }) => n);
  await lockMemoriesOf(
    tx,
    documents.map(({ container }) => container),
  );
  await lockDocuments(tx, wanted);
  const rows = await tx
    .updateTable('documents')
    .set({ deleted: 1, lease: null, lease_boot: null, updated_at: now })
    .where('n', 'in', numberList(wanted))
    .where('deleted', '=', sql.lit(0))
    .returning(['n', 'container'])
    .execute();
  const ns = rows.map(({ n }) => n);
  await settleDeleted(tx, ns);
  for (const [container, deleted] of Map.groupBy(rows, (row) => row.container))
    await countInContainer(tx, container, { documents: -deleted.length });
  return new Set(ns);
};

interface ChosenDocument {
  readonly ref: string;
  readonly id: string;
  readonly n: number;
  readonly container: number;
}

/** The document, or what stands against its removal. */
const chooseRef = async (
  tx: Db,
  reach: Reach,
  ref: string,
  now: number,
): Promise<ChosenDocument | Removed> => {
  const found = await findDocument({ db: tx, reach, now }, ref);
  if (found.outcome === 'missing') return { ...NOTHING, missing: [ref] };
  if (found.outcome === 'foreign') return { ...NOTHING, forbidden: [ref] };
  if (found.outcome === 'ambiguous') return { ...NOTHING, ambiguous: found.ids };
  const { n, id, tags } = found.document;
  if (!holdsAllTags(reach, tags)) return { ...NOTHING, forbidden: [id] };
  const { container } = await tx
    .selectFrom('documents')
    .select('container')
    .where('n', '=', n)
    .executeTakeFirstOrThrow();
  return { ref, id, n, container };
};

/** All are chosen before the first is deleted, so that two calls with the same documents do not wait for each other. */
const removeRefs = async (tx: Db, reach: Reach, refs: readonly string[], now: number): Promise<Removed> => {
  const chosen = new Map<number, ChosenDocument>();
  const result: Removed = { deleted: [], missing: [], forbidden: [], ambiguous: [] };
  for (const ref of refs) {
    const one = await chooseRef(tx, reach, ref, now);
    if ('n' in one) {
      if (chosen.has(one.n)) result.missing.push(ref);
      else chosen.set(one.n, one);
      continue;
    }
    result.missing.push(...one.missing);
    result.forbidden.push(...one.forbidden);
    result.ambiguous.push(...(refs.length > 1 && one.ambiguous.length > 0 ? [ref] : one.ambiguous));
  }
  if (chosen.size === 0) return result;
  const deleted = await markDeleted(tx, [...chosen.values()], now);
  for (const { n, id, ref } of chosen.values())
    if (deleted.has(n)) result.deleted.push(id);
    else result.missing.push(ref);
  return result;
};

/** All documents of these tags or below this path that the caller may delete; at most a slice at a time. */
const removeMatching = async (
  tx: Db,
  reach: Reach,
  target: Extract<Removal, { by: 'tags' | 'filepath' }>,
  now: number,
): Promise<Removed> => {
  const chosen = visible(tx, reach)
    .selectFrom('visible')
    .select(['n', 'id', 'container', 'tags'])
    .where(
      target.by === 'tags'
        ? sql<SqlBool>`container in ${containersWithAny(target.tags)}`
        : underPath(sql.ref('filepath'), target.filepath),
    );
  const held =
    reach.holds === null
      ? chosen
      : chosen.where(
          sql<boolean>`not exists (select 1 from container_tags inner join tags on tags.n = container_tags.tag
            where container_tags.container = visible.container and tags.tag not in ${textList(reach.holds)})`,
        );
  const rows = await held.limit(REMOVED_PER_CALL).execute();
  const marked = await markDeleted(tx, rows, now);
  const deleted = rows.flatMap(({ n, id }) => (marked.has(n) ? [id] : []));
  if (rows.length < REMOVED_PER_CALL) return { ...NOTHING, deleted };
  const { left } = await held
    .clearSelect()
    .select((eb) => eb.fn.countAll<number>().as('left'))
    .executeTakeFirstOrThrow();
  return { ...NOTHING, deleted, left };
};

const removeTarget = (tx: Db, reach: Reach, target: Removal, now: number): Promise<Removed> => {
  if (target.by === 'ref') return removeRefs(tx, reach, [target.ref], now);
  if (target.by === 'ids') return removeRefs(tx, reach, [...new Set(target.ids)], now);
  return removeMatching(tx, reach, target, now);
};

export const removeDocuments = async (
  tx: Db,
  reach: Reach,
  target: Removal,
  now: number,
): Promise<Removed> => {
  const removed = await removeTarget(tx, reach, target, now);
  await excludeDeleted(tx, removed.deleted);
  return removed;
};

/** A slice came back full: there may be more. */
export const mayHaveMore = (target: Removal, removed: Removed): boolean =>
  (target.by === 'tags' || target.by === 'filepath') && removed.deleted.length === REMOVED_PER_CALL;
