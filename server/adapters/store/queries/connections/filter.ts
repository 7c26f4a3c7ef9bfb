// The include and exclude rules of the settings, applied to the ledger before anything is read.
import { run } from '../../engine/run.ts';
import type { HeldRun, LedgerFile } from '../../ports/connections/connections.ts';
import type { ConnectionItemsTable } from '../../tables/connection-tables.ts';
import type { Db } from '../../tables/tables.ts';
import { holdsLease } from './runs.ts';

/** Files that a rule could be about, in the order of their ids. */
export const ledgerFiles = async (
  db: Db,
  connection: string,
  after: string,
  limit: number,
): Promise<LedgerFile[]> => {
  const { rows } = await run<{
    id: string;
    state: ConnectionItemsTable['state'];
    code: string | null;
    parent: string | null;
    face: string;
  }>(
    db,
    `select id, state, error_code as code, parent, face from connection_items
       where connection = $1 and kind = 'file' and id > $2 and state in ('wanted', 'taken', 'failed', 'skipped')
       order by id limit 0 + $3`,
    [connection, after, limit],
  );
  return rows.map(({ code, face, ...row }) => ({ ...row, errorCode: code, face: JSON.parse(face) }));
};

/** The documents of those that are left out now are removed with those that are gone. */
export const applyFilter = async (
  tx: Db,
  held: HeldRun,
  { leftOut, back }: { leftOut: readonly string[]; back: readonly string[] },
): Promise<boolean> => {
  if (!(await holdsLease(tx, held))) return false;
  await run(
    tx,
    `update connection_items set state = 'skipped', error_code = 'left_out',
       error = 'The include and exclude rules of the settings leave it out.'
       where connection = $1 and id in (select value from text_list($2))`,
    [held.connection, JSON.stringify(leftOut)],
  );
  await run(
    tx,
    `update connection_items set state = 'wanted', error_code = null, error = null, due_at = 0, taken_mark = null
       where connection = $1 and id in (select value from text_list($2)) and error_code = 'left_out'`,
    [held.connection, JSON.stringify(back)],
  );
  return true;
};
