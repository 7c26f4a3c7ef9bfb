// The selection of a connection: which items lie below what a person chose, computed from the ledger and never from a feed.
import { run } from '../../engine/run.ts';
import type { HeldRun, StoredChoice } from '../../ports/connections/connections.ts';
import type { Db } from '../../tables/tables.ts';
import { countInRun, holdsLease } from './runs.ts';
import { placesLeft } from './seen.ts';

/** The chosen items and everything below them. `$1` the connection, `$2` the chosen ids. */
const INSIDE = `with recursive inside (id) as (
  select id from connection_items where connection = $1
    and (id in (select value from text_list($2)) or parent in (select value from text_list($2)))
  union
  select connection_items.id from inside inner join connection_items
    on connection_items.connection = $1 and connection_items.parent = inside.id
)`;

/** Items that were chosen and are no longer: their documents are removed afterwards. */
const LEAVE = `${INSIDE} update connection_items set state = 'outside', taken_mark = null, taken_face = null
  where connection = $1 and kind = 'file' and state not in ('outside', 'excluded', 'gone')
    and id not in (select id from inside)`;

/** An item that the source cannot give is skipped by its reason, which the look noted. */
const SKIP = `${INSIDE} update connection_items set state = 'skipped'
  where connection = $1 and kind = 'file' and state = 'outside' and error_code is not null
    and id in (select id from inside)`;

const ENTER = `${INSIDE} update connection_items set state = 'wanted', due_at = 0
  where connection = $1 and id in (select id from connection_items where connection = $1 and kind = 'file'
    and state = 'outside' and error_code is null and id in (select id from inside) order by id limit 0 + $3)`;

const BEYOND = `${INSIDE} select count(*) as items from connection_items where connection = $1 and kind = 'file'
  and state = 'outside' and error_code is null and id in (select id from inside)`;

/** After the last page of a look. */
export const settleChoice = async (tx: Db, held: HeldRun): Promise<boolean> => {
  if (!(await holdsLease(tx, held))) return false;
  const row = await tx
    .selectFrom('connections')
    .select('choice')
    .where('id', '=', held.connection)
    .executeTakeFirstOrThrow();
  const chosen = row.choice === null ? [] : (JSON.parse(row.choice) as StoredChoice[]).map(({ id }) => id);
  const parameters = [held.connection, JSON.stringify(chosen)];
  await run(tx, LEAVE, parameters);
  await run(tx, SKIP, parameters);
  const left = Math.max(0, await placesLeft(tx, held.connection));
  await run(tx, ENTER, [...parameters, left]);
  const { rows } = await run<{ items: number }>(tx, BEYOND, parameters);
  await countInRun(tx, held, { beyond_limit: Number(rows[0]?.items ?? 0) });
  return true;
};

/** As in "/Plans/2026"; a folder that is not known has none. */
export const pathOfFolder = async (db: Db, connection: string, folder: string): Promise<string> => {
  const { rows } = await run<{ face: string }>(
    db,
    `with recursive above (id, parent, face, depth) as (
       select id, parent, face, 0 from connection_items where connection = $1 and id = $2
       union
       select connection_items.id, connection_items.parent, connection_items.face, above.depth + 1
         from above inner join connection_items
           on connection_items.connection = $1 and connection_items.id = above.parent where above.depth < 100
     ) select face from above order by depth desc`,
    [connection, folder],
  );
  return rows.map(({ face }) => `/${String(JSON.parse(face).title).replaceAll('/', '_')}`).join('');
};
