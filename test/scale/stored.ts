// What the database of a fleet holds, read past all processes.
import pg from 'pg';
import type { StoredDocument } from './judge.ts';

const DOCUMENTS = `select custom_id as "customId", content, step, chunks::int,
    (select count(*) - count(distinct (position, part)) from chunks where chunks.doc = documents.n)::int as doubled
  from documents where deleted = 0 order by n`;

const WAITING = `select count(*)::int as n from documents
  where deleted = 0 and (step not in ('done', 'failed') or memory_state = 'waiting')`;

/** The counts that the store keeps, where they differ from what is there. */
const MISCOUNTED = `select n from containers where
    chunks <> (select count(*) from chunks where chunks.n / 268435456 = containers.n)
    or documents <> (select count(*) from documents where container = containers.n and deleted = 0)`;

const rows = async <Row extends object>(url: string, statement: string): Promise<Row[]> => {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query(statement)).rows as Row[];
  } finally {
    await client.end();
  }
};

const UNFINISHED = `select custom_id, step, crashes, attempts, failure_code, lease is not null as leased,
    lease_boot in (select id from boots where until > clock_timestamp()) as held,
    round(due_at - extract(epoch from clock_timestamp()) * 1000) as due_in, memory_state
  from documents where deleted = 0 and (step not in ('done', 'failed') or memory_state = 'waiting') order by n limit 5`;

const SESSIONS = `select state, wait_event, round(extract(epoch from clock_timestamp() - xact_start)) as seconds,
    left(query, 120) as query
  from pg_stat_activity where datname = current_database() and state <> 'idle' and pid <> pg_backend_pid()`;

/** For people: some of what waits, and what the database is doing. */
export const explainWaiting = async (url: string): Promise<string> =>
  JSON.stringify(
    { documents: await rows(url, UNFINISHED), openSessions: await rows(url, SESSIONS) },
    null,
    1,
  );

export const storedDocuments = (url: string): Promise<StoredDocument[]> => rows(url, DOCUMENTS);

export const stillWaiting = async (url: string): Promise<number> =>
  (await rows<{ n: number }>(url, WAITING))[0]?.n ?? 0;

export const miscounted = async (url: string): Promise<number[]> =>
  (await rows<{ n: number }>(url, MISCOUNTED)).map(({ n }) => Number(n));

export const openSessions = async (url: string): Promise<number> =>
  (
    await rows<{ n: number }>(
      url,
      `select count(*)::int as n from pg_stat_activity
       where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()`,
    )
  )[0]?.n ?? 0;

/** The documents that are done under tags whose names begin so. */
export const doneUnder = async (url: string, name: string): Promise<number> =>
  (
    await rows<{ n: number }>(
      url,
      `select count(*)::int as n from documents where step = 'done' and deleted = 0 and container in (
         select container from container_tags join tags on tags.n = container_tags.tag where tags.tag like '${name}%')`,
    )
  )[0]?.n ?? 0;

/** The 95th percentile of the milliseconds from its add until a document was done, for those added between two times. */
export const slowestTimes = async (url: string, times: readonly Date[]): Promise<number[]> =>
  Promise.all(
    times.slice(1).map(async (end, at) => {
      const [from = 0, to = 0] = [times[at], end].map((time) => time?.getTime());
      const statement = `select percentile_cont(0.95) within group (order by updated_at - created_at) as ms
        from documents where step = 'done' and created_at between ${from} and ${to}`;
      return Math.round((await rows<{ ms: number }>(url, statement))[0]?.ms ?? Number.NaN);
    }),
  );
