// The chain of the audit log: each row's hash covers the row and the hash before it, so that a row that is changed, left
// out or put in by hand does not fit.
import type { Selectable } from '#kysely';
import { sha256 } from '../../../../lib/hash.ts';
import { run } from '../../engine/run.ts';
import type { ChainCheck, ChainPlace } from '../../ports/audit.ts';
import type { ScopedRead } from '../../statements/contexts.ts';
import type { AuditHeadTable, AuditTable } from '../../tables/audit-tables.ts';
import type { Db } from '../../tables/tables.ts';

type AuditRow = Selectable<AuditTable>;

/** Without the address, which is dropped after a while. */
const canonical = (row: Omit<AuditRow, 'hash' | 'address'>): string =>
  JSON.stringify([
    ...[row.n, row.at, row.actor_kind, row.actor_id, row.actor_name, row.way, row.request_id],
    ...[row.action, row.target_kind, row.target_id, row.tags, row.details],
  ]);

export const chainedHash = (before: string, row: Omit<AuditRow, 'hash' | 'address'>): string =>
  sha256(`${before}\n${canonical(row)}`);

interface Ends extends Omit<Selectable<AuditHeadTable>, 'id'> {
  /** A row beyond the end of the chain; null: there is none. */
  beyond: number | null;
  /** A row before its beginning. */
  before: number | null;
  /** The details of the newest row that says what was pruned. */
  checkpoint: string | null;
}

const ENDS = `select ends.*, (select min(n) from audit where audit.n > ends.n) as beyond,
  (select min(n) from audit where audit.n <= ends.pruned_n) as before,
  (select details from audit where action = 'audit.prune' order by audit.n desc limit 1) as checkpoint
  from (select coalesce(max(n), 0) as n, coalesce(max(hash), '') as hash, coalesce(max(pruned_n), 0) as pruned_n,
    coalesce(max(pruned_hash), '') as pruned_hash from audit_head) as ends`;

const COMPARED_AT_ONCE = 2_000;

const readEnds = async (db: Db): Promise<Ends> => {
  const { rows } = await run<Ends>(db, ENDS);
  const [ends] = rows;
  if (ends === undefined) throw new Error('The ends of the audit log were not read.');
  return ends;
};

/** A row of the chain itself says what was pruned, so nobody hides rows by moving its beginning. */
const saysCheckpoint = ({ pruned_n, pruned_hash, checkpoint }: Ends): boolean => {
  if (pruned_n === 0) return true;
  const said = checkpoint === null ? {} : (JSON.parse(checkpoint) as Record<string, unknown>);
  return said.through === pruned_n && said.hash === pruned_hash;
};

const brokenEnd = (ends: Ends, place: ChainPlace): ChainCheck['broken'] => {
  if (place.n < ends.n) return { n: place.n + 1, why: 'missing' };
  if (place.hash !== ends.hash) return { n: place.n, why: 'changed' };
  return ends.beyond === null ? null : { n: ends.beyond, why: 'inserted' };
};

const brokenBeginning = (ends: Ends): ChainCheck['broken'] => {
  if (ends.before !== null) return { n: ends.before, why: 'inserted' };
  return saysCheckpoint(ends) ? null : { n: ends.pruned_n, why: 'missing' };
};

export const checkChain = async ({ db }: ScopedRead, after: ChainPlace | null): Promise<ChainCheck> => {
  const ends = await readEnds(db);
  const beginning = { n: ends.pruned_n, hash: ends.pruned_hash };
  let place = after === null || after.n < beginning.n ? beginning : after;
  const early = brokenBeginning(ends);
  if (early !== null) return { place, rows: 0, done: true, broken: early };
  const rows = await db
    .selectFrom('audit')
    .selectAll()
    .where('n', '>', place.n)
    .where('n', '<=', ends.n)
    .orderBy('n')
    .limit(COMPARED_AT_ONCE)
    .execute();
  for (const [at, row] of rows.entries()) {
    if (row.n !== place.n + 1)
      return { place, rows: at, done: true, broken: { n: place.n + 1, why: 'missing' } };
    if (chainedHash(place.hash, row) !== row.hash)
      return { place, rows: at, done: true, broken: { n: row.n, why: 'changed' } };
    place = { n: row.n, hash: row.hash };
  }
  const done = rows.length < COMPARED_AT_ONCE || place.n === ends.n;
  return { place, rows: rows.length, done, broken: done ? brokenEnd(ends, place) : null };
};

export const chainEnd = async (db: Db): Promise<ChainPlace> => {
  const { n, hash } = await readEnds(db);
  return { n, hash };
};
