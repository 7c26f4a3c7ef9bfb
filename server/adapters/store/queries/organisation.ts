// The organisation that owns this store, and how much the store holds.
import { sql } from 'kysely';
import type { Organisation, StoreCounts } from '../port.ts';
import type { Db } from '../tables.ts';
import { AWAITED } from './steps.ts';

export const readOrganisation = async (db: Db): Promise<Organisation | null> => {
  const row = await db
    .selectFrom('meta')
    .select('value')
    .where('key', '=', 'organisation')
    .executeTakeFirst();
  return row ? JSON.parse(row.value) : null;
};

/** Made once, at the first start; every later call answers the same. */
export const ensureOrganisation = async (tx: Db, fresh: Organisation): Promise<Organisation> => {
  const existing = await readOrganisation(tx);
  if (existing) return existing;
  await tx
    .insertInto('meta')
    .values({ key: 'organisation', value: JSON.stringify(fresh) })
    .execute();
  return fresh;
};

export const countEverything = async (db: Db): Promise<StoreCounts> => {
  const { rows } = await sql<StoreCounts>`
    with visible_unfinished as (select step from documents where deleted = 0 and step <> 'done'),
    visible_awaited as (select n from documents where deleted = 0 and step = 'done' and ${AWAITED})
    select (select coalesce(sum(documents), 0) from containers) as documents,
      (select coalesce(sum(chunks), 0) from containers) as chunks,
      (select count(*) from visible_unfinished where step <> 'failed')
        + (select count(*) from visible_awaited) as queued,
      (select count(*) from visible_unfinished where step = 'failed') as failed,
      (select count(*) from vector_outbox) as outbox`.execute(db);
  return rows[0] ?? { documents: 0, chunks: 0, queued: 0, failed: 0, outbox: 0 };
};
