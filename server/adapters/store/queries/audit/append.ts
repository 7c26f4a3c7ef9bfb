// Appends to the audit log, in the transaction of the change; and prunes its beginning.
import type { AuditDetails, AuditNote } from '../../../../core/audit.ts';
import { serverNote } from '../../../../core/audit-note.ts';
import { run } from '../../engine/run.ts';
import type { AuditPruning } from '../../ports/audit.ts';
import { insertRows } from '../../statements/insert.ts';
import type { Db } from '../../tables/tables.ts';
import { chainedHash } from './chain.ts';

const MOST_TAGS = 20;
const MOST_DETAILS = 2_000;

/** Only the beginning of a long list is kept, with the number of all. */
const boundedTags = (tags: readonly string[]): { tags: string | null; details: AuditDetails } => {
  if (tags.length === 0) return { tags: null, details: {} };
  const more = tags.length > MOST_TAGS ? { containerTags: tags.length } : {};
  return { tags: JSON.stringify(tags.slice(0, MOST_TAGS)), details: more };
};

const boundedDetails = (details: AuditDetails): string => {
  const text = JSON.stringify(details);
  if (Buffer.byteLength(text) <= MOST_DETAILS) return text;
  const short = Object.entries(details).map(([name, value]) => [
    name,
    typeof value === 'object' && value !== null ? value.length : value,
  ]);
  const shorter = JSON.stringify(Object.fromEntries(short));
  return Buffer.byteLength(shorter) <= MOST_DETAILS ? shorter : JSON.stringify({ tooLong: true });
};

const NEXT_ROW = `insert into audit_head (id, n, hash, pruned_n, pruned_hash) values (1, 1, '', 0, '')
  on conflict (id) do update set n = audit_head.n + 1 returning n, hash`;

/** The last statement of its transaction, because on PostgreSQL it takes the end of the chain until the commit. */
export const appendAudit = async (tx: Db, note: AuditNote, now: number): Promise<void> => {
  const { rows } = await run<{ n: number; hash: string }>(tx, NEXT_ROW);
  const [head] = rows;
  if (head === undefined) throw new Error('The audit log gave no number to its next row.');
  const { tags, details } = boundedTags(note.tags ?? []);
  const row = {
    ...{ n: head.n, at: now },
    ...{ actor_kind: note.actor.kind, actor_id: note.actor.id, actor_name: note.actor.name },
    ...{ way: note.way, request_id: note.requestId, action: note.action },
    ...{ target_kind: note.target?.kind ?? null, target_id: note.target?.id ?? null },
    ...{ tags, details: boundedDetails({ ...note.details, ...details }) },
  };
  const hash = chainedHash(head.hash, row);
  await insertRows(tx, 'audit', [{ ...row, hash, address: note.address }]);
  await run(tx, 'update audit_head set hash = $1', [hash]);
};

const PRUNED_AT_ONCE = 5_000;

/** The last row that may go; the end of the chain stays, so that there is always something to chain to. */
const lastToPrune = async (
  tx: Db,
  before: number,
): Promise<{ n: number; hash: string; rows: number } | undefined> => {
  const { rows } = await run<{ n: number; hash: string; rows: number }>(
    tx,
    `select audit.n, audit.hash, audit.n - audit_head.pruned_n as rows from audit, audit_head
       where audit.n > audit_head.pruned_n and audit.n <= audit_head.pruned_n + ${PRUNED_AT_ONCE}
         and audit.n < audit_head.n and audit.at < $1
       order by audit.n desc limit 1`,
    [before],
  );
  return rows[0];
};

/** One transaction of the pruning; the row that says so holds the hash that the rest of the chain begins with. */
export const pruneAudit = async (
  tx: Db,
  { before, addressesBefore }: AuditPruning,
  now: number,
): Promise<{ more: boolean; rows: number }> => {
  await run(tx, 'update audit set address = null where address is not null and at < $1', [addressesBefore]);
  const last = await lastToPrune(tx, before);
  if (last === undefined) return { more: false, rows: 0 };
  const { n, hash, rows } = last;
  await run(tx, 'update audit_head set pruned_n = $1, pruned_hash = $2', [n, hash]);
  await run(tx, 'delete from audit where n <= $1', [n]);
  await appendAudit(tx, serverNote('audit.prune', { details: { rows, through: n, hash } }), now);
  return { more: rows === PRUNED_AT_ONCE, rows };
};
