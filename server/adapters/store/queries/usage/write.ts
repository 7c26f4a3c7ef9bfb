// Adds counted calls to what is stored, and turns old hours into days. Sums only, so the order of writers does not matter.
import { DURATION_BUCKETS } from '../../../../lib/histogram.ts';
import { DAY_MS } from '../../../../lib/text/dates/calendar.ts';
import { run } from '../../engine/run.ts';
import type {
  CallCount,
  RequestRow,
  TagCount,
  UsageBatch,
  UsagePruning,
} from '../../ports/usage/analytics.ts';
import { insertRows, numberedInsert } from '../../statements/insert.ts';
import type { Db } from '../../tables/tables.ts';

export const BUCKET_COLUMNS = Array.from({ length: DURATION_BUCKETS }, (_, at) => `b${at}`);

const CALL_KEYS = ['span', 'start', 'key', 'operation', 'way', 'status'];
const CALL_SUMS = ['count', 'sum_ms', 'documents', 'bytes', ...BUCKET_COLUMNS];
const CALL_LASTS = ['max_ms', 'last_at'];
const TAG_KEYS = ['span', 'start', 'tag', 'type'];
const TAG_SUMS = ['count', 'documents', 'bytes'];
const TAG_LASTS = ['last_at'];

/** Joins a row with the stored row of the same keys: sums are added, and of the other figures the greater one stays. */
const added = (
  table: string,
  { keys, sums, lasts }: { keys: readonly string[]; sums: readonly string[]; lasts: readonly string[] },
): string =>
  `on conflict (${keys.join(', ')}) do update set ${[
    ...sums.map((name) => `${name} = ${table}.${name} + excluded.${name}`),
    ...lasts.map(
      (name) =>
        `${name} = case when excluded.${name} > ${table}.${name} then excluded.${name} else ${table}.${name} end`,
    ),
  ].join(', ')}`;

const CALL_COLUMNS = [...CALL_KEYS, ...CALL_SUMS, ...CALL_LASTS];
const ADD_CALLS = added('usage_calls', { keys: CALL_KEYS, sums: CALL_SUMS, lasts: CALL_LASTS });
const TAG_COLUMNS = [...TAG_KEYS, ...TAG_SUMS, ...TAG_LASTS];
const ADD_TAGS = added('usage_tags', { keys: TAG_KEYS, sums: TAG_SUMS, lasts: TAG_LASTS });

const parameters = (count: number): string =>
  Array.from({ length: count }, (_, at) => `$${at + 1}`).join(', ');

const WRITE_CALL = `insert into usage_calls (${CALL_COLUMNS.join(', ')})
  values (${parameters(CALL_COLUMNS.length)}) ${ADD_CALLS}`;

/** A tag that is gone by now counts nothing. */
const WRITE_TAG = `insert into usage_tags (span, start, tag, type, count, documents, bytes, last_at)
  select 'hour', cast($2 as bigint), n, cast($3 as text), cast($4 as bigint), cast($5 as bigint), cast($6 as bigint),
    cast($7 as bigint) from tags where tag = $1 ${ADD_TAGS}`;

const callValues = (call: CallCount): unknown[] => [
  ...['hour', call.start, call.key, call.operation, call.way, call.status],
  ...[call.count, call.sumMs, call.documents, call.bytes, ...call.buckets],
  ...[call.maxMs, call.lastAt],
];

const tagValues = (each: TagCount): unknown[] => [
  ...[each.tag, each.start, each.type, each.count, each.documents, each.bytes, each.lastAt],
];

const REQUEST_COLUMNS = [
  ...(['at', 'id', 'type', 'operation', 'way', 'key', 'status', 'ms', 'input', 'output'] as const),
];

const addRequest = numberedInsert('requests', REQUEST_COLUMNS);

/** Few sizes, so that their statements stay prepared. */
const REQUESTS_IN_A_STATEMENT = [64, 8, 1];

/** Only a row with texts is asked for its number. */
const writeRequests = async (tx: Db, requests: readonly RequestRow[]): Promise<void> => {
  const rows = requests.flatMap(({ units, ...row }) => (units.length === 0 ? [row] : []));
  let written = 0;
  for (const size of REQUESTS_IN_A_STATEMENT)
    for (; rows.length - written >= size; written += size)
      await insertRows(tx, 'requests', rows.slice(written, written + size));
  for (const { units, ...row } of requests) {
    if (units.length === 0) continue;
    const request = await addRequest(tx, row);
    await insertRows(
      tx,
      'request_units',
      units.map((unit) => ({ request, unit })),
    );
  }
};

const sortedByText = (rows: readonly unknown[][]): readonly unknown[][] =>
  rows
    .map((row) => ({ row, text: row.join(' ') }))
    .sort((a, b) => (a.text < b.text ? -1 : 1))
    .map(({ row }) => row);

export const writeUsage = async (tx: Db, { calls, tags, requests }: UsageBatch): Promise<void> => {
  // In one order in every write, so that two of them never wait for each other.
  for (const values of sortedByText(calls.map(callValues))) await run(tx, WRITE_CALL, values);
  for (const values of sortedByText(tags.map(tagValues))) await run(tx, WRITE_TAG, values);
  await writeRequests(tx, requests);
};

// --- keeping -----------------------------------------------------------------------------------------

const moved = (table: string, columns: readonly string[], sums: readonly string[], add: string): string => {
  const taken = columns.map((name) => {
    if (name === 'span') return `'day'`;
    if (name === 'start') return 'cast($2 as bigint)';
    if (sums.includes(name)) return `sum(${name})`;
    return ['max_ms', 'last_at'].includes(name) ? `max(${name})` : name;
  });
  const keys = columns.filter(
    (name) => !sums.includes(name) && !['span', 'start', 'max_ms', 'last_at'].includes(name),
  );
  return `insert into ${table} (${columns.join(', ')}) select ${taken.join(', ')} from ${table}
    where span = 'hour' and start = $1 group by ${keys.join(', ')} ${add}`;
};

const MOVE_CALLS = moved('usage_calls', CALL_COLUMNS, CALL_SUMS, ADD_CALLS);
const MOVE_TAGS = moved('usage_tags', TAG_COLUMNS, TAG_SUMS, ADD_TAGS);

/** The oldest hour becomes a part of its day; false: none is old enough. */
export const moveOldestHour = async (tx: Db, before: number): Promise<boolean> => {
  const { rows } = await run<{ start: number | null }>(
    tx,
    `select min(start) as start from (
       select min(start) as start from usage_calls where span = 'hour'
       union all select min(start) from usage_tags where span = 'hour') as each`,
  );
  const start = rows[0]?.start ?? null;
  if (start === null || start >= before) return false;
  const day = start - (start % DAY_MS);
  await run(tx, MOVE_CALLS, [start, day]);
  await run(tx, MOVE_TAGS, [start, day]);
  await run(tx, `delete from usage_calls where span = 'hour' and start = $1`, [start]);
  await run(tx, `delete from usage_tags where span = 'hour' and start = $1`, [start]);
  return true;
};

const REQUESTS_AT_ONCE = 5_000;

/** One slice of the oldest rows; true: there may be more. */
export const pruneRequests = async (
  tx: Db,
  { requestsBefore, mostRequests }: UsagePruning,
): Promise<boolean> => {
  const { rows } = await run<{ n: number }>(
    tx,
    `select n from requests where at < $1 or n <= (select coalesce(max(n), 0) from requests) - $2
       order by n limit ${REQUESTS_AT_ONCE}`,
    [requestsBefore, mostRequests],
  );
  const gone = [JSON.stringify(rows.map(({ n }) => n))];
  await run(tx, 'delete from request_units where request in (select value from number_list($1))', gone);
  await run(tx, 'delete from requests where n in (select value from number_list($1))', gone);
  return rows.length === REQUESTS_AT_ONCE;
};

export const pruneDays = async (tx: Db, { daysBefore }: UsagePruning): Promise<void> => {
  await run(tx, `delete from usage_calls where span = 'day' and start < $1`, [daysBefore]);
  await run(tx, `delete from usage_tags where span = 'day' and start < $1`, [daysBefore]);
};

// --- tags and texts that go --------------------------------------------------------------------------

const moveTags = (from: string, to: string): string => `insert into usage_tags (${TAG_COLUMNS.join(', ')})
  select span, start, ${to}, type, sum(count), sum(documents), sum(bytes), max(last_at) from ${from}
  ${ADD_TAGS}`;

/** The counts of the merged tags count for the target. */
export const inheritUsage = async (tx: Db, sources: readonly number[], target: string): Promise<void> => {
  const from = `usage_tags, tags where tags.tag = $1 and usage_tags.tag in (select value from number_list($2))
    group by span, start, tags.n, type`;
  await run(tx, moveTags(from, 'tags.n'), [target, JSON.stringify(sources)]);
  await run(tx, 'delete from usage_tags where tag in (select value from number_list($1))', [
    JSON.stringify(sources),
  ]);
};

/** The sum stays, under no tag; quotas go. */
export const eraseUsage = async (tx: Db, tags: readonly number[]): Promise<void> => {
  const gone = [JSON.stringify(tags)];
  const ours = 'tag in (select value from number_list($1))';
  await run(tx, moveTags(`usage_tags where ${ours} group by span, start, type`, '0'), gone);
  await run(tx, `delete from usage_tags where ${ours}`, gone);
  await run(
    tx,
    `delete from quotas where holder = 'tag' and subject in
       (select tags.tag from tags where n in (select value from number_list($1)))`,
    gone,
  );
};

const UNITS_OF = `select id from documents where n in (select value from number_list($1))
  union all select memories.id from memories join memory_sources on memory_sources.memory = memories.n
    where memory_sources.doc in (select value from number_list($1))`;

/** The rows of the request log about these documents and of the memories that they support. */
export const eraseRequestTexts = async (tx: Db, documents: readonly number[]): Promise<void> => {
  const { rows } = await run<{ held: number }>(
    tx,
    'select count(*) as held from (select 1 from request_units limit 1) as each',
  );
  if ((rows[0]?.held ?? 0) === 0) return;
  const ns = [JSON.stringify(documents)];
  const holding = `select request from request_units where unit in (${UNITS_OF})`;
  await run(tx, `update requests set input = '{}', output = '{}' where n in (${holding})`, ns);
};
