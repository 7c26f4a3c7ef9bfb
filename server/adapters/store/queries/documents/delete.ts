// Deletes documents: they are hidden at once, and ingestion erases what they leave.
import { type SqlBool, sql } from 'kysely';
import type { Reach } from '../../../../core/scope.ts';
import { numberList, textList } from '../../engine/lists.ts';
import type { Removal, Removed } from '../../ports/documents.ts';
import { countDocuments } from '../../statements/containers.ts';
import { excludeDeleted } from '../../statements/excluded-items.ts';
import { underPath } from '../../statements/filters.ts';
import { containersWithAny, holdsAllTags, visible } from '../../statements/scoped-views.ts';
import type { Db } from '../../tables/tables.ts';
import { settleChainsWithout } from '../memories/versions.ts';
import { eraseRequestTexts } from '../usage/write.ts';
import { findDocument } from './read.ts';

const NOTHING: Removed = { deleted: [], missing: [], forbidden: [], ambiguous: [] };
/** Marking many documents at once would block every other write. */
const REMOVED_PER_CALL = 2000;

/** Hidden at once and for everybody; `purge.ts` erases what they leave behind. */
export const markDeleted = async (
  tx: Db,
  documents: readonly { n: number; container: number }[],
  now: number,
) => {
  const ns = documents.map((document) => document.n);
  await tx
    .updateTable('documents')
    .set({ deleted: 1, lease: null, lease_boot: null, updated_at: now })
    .where('n', 'in', numberList(ns))
    .execute();
  await settleChainsWithout(tx, ns);
  await eraseRequestTexts(tx, ns);
  const perContainer = new Map<number, number>();
  for (const { container } of documents) perContainer.set(container, (perContainer.get(container) ?? 0) + 1);
  for (const [container, count] of perContainer) await countDocuments(tx, container, -count);
};

const removeRef = async (tx: Db, reach: Reach, ref: string, now: number): Promise<Removed> => {
  const found = await findDocument({ db: tx, reach, now }, ref);
  if (found.outcome === 'missing') return { ...NOTHING, missing: [ref] };
  if (found.outcome === 'foreign') return { ...NOTHING, forbidden: [ref] };
  if (found.outcome === 'ambiguous') return { ...NOTHING, ambiguous: found.ids };
  const { document } = found;
  if (!holdsAllTags(reach, document.tags)) return { ...NOTHING, forbidden: [document.id] };
  const { container } = await tx
    .selectFrom('documents')
    .select('container')
    .where('n', '=', document.n)
    .executeTakeFirstOrThrow();
  await markDeleted(tx, [{ n: document.n, container }], now);
  return { ...NOTHING, deleted: [document.id] };
};

const removeIds = async (tx: Db, reach: Reach, refs: readonly string[], now: number): Promise<Removed> => {
  const result: Removed = { deleted: [], missing: [], forbidden: [], ambiguous: [] };
  for (const ref of new Set(refs)) {
    const one = await removeRef(tx, reach, ref, now);
    result.deleted.push(...one.deleted);
    result.missing.push(...one.missing);
    result.forbidden.push(...one.forbidden);
    if (one.ambiguous.length > 0) result.ambiguous.push(ref);
  }
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
  await markDeleted(tx, rows, now);
  const deleted = rows.map((row) => row.id);
  if (rows.length < REMOVED_PER_CALL) return { ...NOTHING, deleted };
  const { left } = await held
    .clearSelect()
    .select((eb) => eb.fn.countAll<number>().as('left'))
    .executeTakeFirstOrThrow();
  return { ...NOTHING, deleted, left };
};

const removeTarget = (tx: Db, reach: Reach, target: Removal, now: number): Promise<Removed> => {
  if (target.by === 'ref') return removeRef(tx, reach, target.ref, now);
  if (target.by === 'ids') return removeIds(tx, reach, target.ids, now);
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
