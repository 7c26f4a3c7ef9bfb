// The state of a move to another database: a store that is being moved, or was moved, is not served.
import { unavailable } from '../../../../core/errors.ts';
import type { StoreMove } from '../../ports/organisation.ts';
import type { Db } from '../../tables/tables.ts';

/** A row of `meta` that each database has for itself. */
export const MOVE_KEY = 'move';

export const readMove = async (db: Db): Promise<StoreMove | null> => {
  const row = await db.selectFrom('meta').select('value').where('key', '=', MOVE_KEY).executeTakeFirst();
  return row ? JSON.parse(row.value) : null;
};

export const endMove = async (tx: Db): Promise<void> => {
  await tx.deleteFrom('meta').where('key', '=', MOVE_KEY).execute();
};

export const noteMove = async (tx: Db, move: StoreMove): Promise<void> => {
  await endMove(tx);
  await tx
    .insertInto('meta')
    .values({ key: MOVE_KEY, value: JSON.stringify(move) })
    .execute();
};

const refusalOf = ({ state, other, at }: StoreMove): string => {
  const on = new Date(at).toISOString().slice(0, 10);
  if (state === 'arriving')
    return `A move from ${other} to this database began on ${on} and has not ended. Run the same "memoir migrate-store" again to finish it, or name another database.`;
  if (state === 'leaving')
    return `This store is being moved to ${other}. Run the same "memoir migrate-store" again to finish the move, or "memoir migrate-store --cancel" to go on here.`;
  return `This store moved to ${other} on ${on}. Start Memoir with the settings of that database. "memoir migrate-store --cancel" opens this copy again; it lacks everything that was written after the move.`;
};

/** Not 409, by which a command knows that the folder is in use and waits for it. */
export const requireNoMove = async (db: Db): Promise<void> => {
  const move = await readMove(db);
  if (move !== null) throw unavailable(refusalOf(move));
};
