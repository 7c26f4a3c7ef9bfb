// Documents of connections that a person deletes here.
import { run } from '../../engine/run.ts';
import type { Db } from '../../tables/tables.ts';

/** A document that a person deleted does not come back with the next look. */
export const excludeDeleted = async (tx: Db, ids: readonly string[]): Promise<void> => {
  if (ids.length === 0) return;
  await run(
    tx,
    `update connection_items set state = 'excluded', doc = null, taken_mark = null, taken_face = null,
       content_mark = null where doc in (select value from text_list($1))`,
    [JSON.stringify(ids)],
  );
};
