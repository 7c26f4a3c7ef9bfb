// Reads the audit log for those who may see all of it.
import type { Selectable } from '#kysely';
import type { AuditEntry, AuditQuery } from '../../ports/audit.ts';
import type { ScopedRead } from '../../statements/contexts.ts';
import type { AuditTable } from '../../tables/audit-tables.ts';

const auditEntry = (row: Selectable<AuditTable>): AuditEntry => ({
  n: row.n,
  at: row.at,
  actor: { kind: row.actor_kind, id: row.actor_id, name: row.actor_name },
  way: row.way,
  requestId: row.request_id,
  action: row.action,
  target:
    row.target_kind === null || row.target_id === null ? null : { kind: row.target_kind, id: row.target_id },
  tags: row.tags === null ? [] : JSON.parse(row.tags),
  details: JSON.parse(row.details),
  hash: row.hash,
  address: row.address,
});

/** Empty for a caller who may not see the whole organisation. */
export const listAudit = async (
  { db, reach }: ScopedRead,
  query: AuditQuery,
): Promise<{ entries: AuditEntry[]; total: number }> => {
  if (reach.reads !== null) return { entries: [], total: 0 };
  const { from, to, actor, action, target, after } = query;
  let chosen = db.selectFrom('audit');
  if (from !== undefined) chosen = chosen.where('at', '>=', from);
  if (to !== undefined) chosen = chosen.where('at', '<', to);
  if (actor !== undefined) chosen = chosen.where('actor_id', '=', actor);
  if (action !== undefined)
    chosen = chosen.where((eb) =>
      eb.or([eb('action', '=', action), eb('action', '>=', `${action}.`).and('action', '<', `${action}/`)]),
    );
  if (target !== undefined) chosen = chosen.where('target_id', '=', target);
  if (after !== undefined) chosen = chosen.where('n', '>', after);
  const { total } = await chosen
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  const rows = await chosen
    .selectAll()
    .orderBy('n', after === undefined ? 'desc' : 'asc')
    .limit(query.limit)
    .offset(query.offset)
    .execute();
  return { entries: rows.map(auditEntry), total };
};
