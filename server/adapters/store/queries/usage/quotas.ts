// Quotas, and what a key, a member or a tag used since a moment.
import { DAY_MS } from '../../../../lib/text/dates/calendar.ts';
import { run } from '../../engine/run.ts';
import type { QuotaChange, QuotaHolder, QuotaRecord, QuotaUse } from '../../ports/usage/quotas.ts';
import type { Db } from '../../tables/tables.ts';

export const listQuotas = async (db: Db): Promise<QuotaRecord[]> => {
  const rows = await db.selectFrom('quotas').selectAll().orderBy('holder').orderBy('subject').execute();
  return rows.map(({ holder: of, subject: id, quota, most }) => ({ of, id, quota, most }));
};

const EXISTS: Readonly<Record<QuotaHolder, string>> = {
  key: 'select 1 as one from keys where id = $1',
  member: 'select 1 as one from members where id = $1',
  tag: 'select 1 as one from tags where tag = $1',
};

export const changeQuotas = async (tx: Db, { of, id, quotas }: QuotaChange): Promise<boolean> => {
  const { rows } = await run(tx, EXISTS[of], [id]);
  if (rows.length === 0) return false;
  for (const [quota, most] of Object.entries(quotas)) {
    const names = [of, id, quota];
    await run(tx, 'delete from quotas where holder = $1 and subject = $2 and quota = $3', names);
    if (most !== null)
      await run(tx, 'insert into quotas (holder, subject, quota, most) values ($1, $2, $3, $4)', [
        ...names,
        most,
      ]);
  }
  return true;
};

/** The quotas of a key go on with the key that takes its place, so that rotating it gives no new ones. */
export const passQuotasOn = async (tx: Db, former: string, key: string): Promise<void> => {
  await run(
    tx,
    `insert into quotas (holder, subject, quota, most)
       select holder, cast($2 as text), quota, most from quotas where holder = 'key' and subject = $1`,
    [former, key],
  );
};

const SEARCHES = `('search.documents', 'search.memories', 'namespaces.search')`;

/** The keys of a rotation count for each other, and the keys that it made, directly or not, count for the one that made them. */
const LINE = `with recursive steps (former, next) as (
    select made_by, id from keys where made_by is not null
    union all select replaced_by, id from keys where replaced_by is not null
    union all select id, replaced_by from keys where replaced_by is not null),
  line (id) as (select id from keys where id = $1 union select next from line join steps on former = line.id)`;

const CALLS = (whose: string): string => `select coalesce(sum(documents), 0) as documents,
  coalesce(sum(bytes), 0) as bytes,
  coalesce(sum(case when operation in ${SEARCHES} and status < 400 then count else 0 end), 0) as searches,
  (select coalesce(sum(input_tokens + output_tokens), 0) from key_tokens where day >= $3 and ${whose}) as tokens
  from usage_calls where span = 'hour' and start >= $2 and ${whose}`;

const USED: Readonly<Record<QuotaHolder, string>> = {
  key: `${LINE} ${CALLS('key in (select id from line)')}`,
  member: CALLS('(key in (select id from keys where owner = $1) or key = $1)'),
  tag: `select coalesce(sum(documents), 0) as documents, coalesce(sum(bytes), 0) as bytes,
    coalesce(sum(case when type in ('search', 'search_v4') then count else 0 end), 0) as searches,
    (select coalesce(sum(input_tokens + output_tokens), 0) from tag_tokens
      where day >= $3 and tag in (select n from tags where tag = $1)) as tokens
    from usage_tags where span = 'hour' and start >= $2 and tag in (select n from tags where tag = $1)`,
};

const NOTHING: QuotaUse = { documents: 0, bytes: 0, searches: 0, tokens: 0 };

export const usedSince = async (db: Db, of: QuotaHolder, id: string, since: number): Promise<QuotaUse> => {
  const { rows } = await run<QuotaUse>(db, USED[of], [id, since, since - (since % DAY_MS)]);
  return rows[0] ?? NOTHING;
};
