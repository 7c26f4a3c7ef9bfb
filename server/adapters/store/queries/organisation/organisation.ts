// The organisation that owns this store, and how much the store holds.

import { run } from '../../engine/run.ts';
import type { WaitingConnection } from '../../ports/connections/connections.ts';
import type { Organisation, StoreCounts } from '../../ports/organisation.ts';
import { AWAITS_INSTANT_MEMORIES_TEXT, IN_WORK_TEXT } from '../../statements/documents/document-steps.ts';
import { FAILED_BY_EMBEDDER } from '../../statements/documents/embedder-faults.ts';
import { LIVING_TEXT } from '../../statements/scoped-views.ts';
import type { Db } from '../../tables/tables.ts';
import { requireNoMove } from './move.ts';

export const readOrganisation = async (db: Db): Promise<Organisation | null> => {
  const row = await db
    .selectFrom('meta')
    .select('value')
    .where('key', '=', 'organisation')
    .executeTakeFirst();
  return row ? JSON.parse(row.value) : null;
};

/** Created once, at the first start; every later call returns the same. A store that moved is refused. */
export const ensureOrganisation = async (tx: Db, fresh: Organisation): Promise<Organisation> => {
  await requireNoMove(tx);
  const existing = await readOrganisation(tx);
  if (existing) return existing;
  await tx
    .insertInto('meta')
    .values({ key: 'organisation', value: JSON.stringify(fresh) })
    .execute();
  return fresh;
};

const SIGNING_KEYS = 'signing keys';

export const readSigningKeys = async (db: Db): Promise<string | null> => {
  const row = await db.selectFrom('meta').select('value').where('key', '=', SIGNING_KEYS).executeTakeFirst();
  return row?.value ?? null;
};

/** Takes the place of what was read, unless another process did that meanwhile; answers with what is stored now. */
export const replaceSigningKeys = async (tx: Db, read: string | null, sealed: string): Promise<string> => {
  const stored = await readSigningKeys(tx);
  if (stored !== null && stored !== read) return stored;
  await tx.deleteFrom('meta').where('key', '=', SIGNING_KEYS).execute();
  await tx.insertInto('meta').values({ key: SIGNING_KEYS, value: sealed }).execute();
  return sealed;
};

export const MODEL_CHOICES = 'model choices';

export const readModelChoices = async (db: Db): Promise<string | null> => {
  const row = await db.selectFrom('meta').select('value').where('key', '=', MODEL_CHOICES).executeTakeFirst();
  return row?.value ?? null;
};

export const keepModelChoices = async (tx: Db, choices: string): Promise<void> => {
  await tx
    .insertInto('meta')
    .values({ key: MODEL_CHOICES, value: choices })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value: choices }))
    .execute();
};

const countOutboxes = async (db: Db): Promise<StoreCounts['outbox']> => {
  const { rows } = await run<StoreCounts['outbox'][number]>(
    db,
    'select space, count(*) as vectors from vector_outbox group by space',
  );
  return rows;
};

export const countEverything = async (db: Db): Promise<StoreCounts> => {
  const { rows } = await run<Omit<StoreCounts, 'outbox'>>(
    db,
    `with visible_unfinished as (select step from documents where ${LIVING_TEXT} and step <> 'done'),
    visible_held as (select failure_message from documents
      where ${LIVING_TEXT} and failure_code is not null and ${FAILED_BY_EMBEDDER}),
    visible_awaited as (select n from documents where ${LIVING_TEXT} and step = 'done' and ${AWAITS_INSTANT_MEMORIES_TEXT})
    select (select coalesce(sum(documents), 0) from containers) as documents,
      (select coalesce(sum(chunks), 0) from containers) as chunks,
      (select count(*) from visible_unfinished where step <> 'failed')
        + (select count(*) from visible_awaited) as queued,
      (select count(*) from visible_unfinished where step = 'failed') as failed,
      (select count(*) from visible_held) as held,
      (select failure_message from visible_held limit 1) as "heldBecause"`,
  );
  const counts = rows[0] ?? { documents: 0, chunks: 0, queued: 0, failed: 0, held: 0, heldBecause: null };
  return { ...counts, outbox: await countOutboxes(db) };
};

/** The waiting connections of the whole organisation, and no more than a report names. */
export const waitingConnections = async (db: Db, limit: number): Promise<WaitingConnection[]> => {
  const { rows } = await run<WaitingConnection>(
    db,
    "select id, provider, state from connections where state in ('signed_out', 'held') order by id limit $1",
    [limit],
  );
  return rows;
};

export const oldestWaiting = async (db: Db): Promise<number | null> => {
  const { rows } = await run<{ oldest: number | null }>(
    db,
    `with visible_waiting as (select created_at from documents
       where ${LIVING_TEXT} and ${IN_WORK_TEXT})
     select min(created_at) as oldest from visible_waiting`,
  );
  return rows[0]?.oldest ?? null;
};
