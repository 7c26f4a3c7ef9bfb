// Reads counted calls and the log of requests, for those who may see the whole organisation.
import type { UsageType } from '../../../../core/events.ts';
import { DAY_MS } from '../../../../lib/text/dates/calendar.ts';
import { textList } from '../../engine/lists.ts';
import { run } from '../../engine/run.ts';
import type {
  CallDimension,
  CallQuery,
  CallSum,
  RequestQuery,
  RequestRow,
  StoredCounts,
  StoredTotals,
  TagSum,
  TimeRange,
} from '../../ports/usage/analytics.ts';
import type { TokenCount } from '../../ports/usage/usage.ts';
import type { ScopedRead } from '../../statements/contexts.ts';
import { LIVING_TEXT } from '../../statements/scoped-views.ts';
import { BUCKET_COLUMNS } from './write.ts';

const NONE: Readonly<Record<CallDimension, string>> = {
  start: '0',
  key: `''`,
  operation: `''`,
  way: `''`,
  status: '0',
};
const DIMENSIONS = Object.keys(NONE) as CallDimension[];

interface SummedCalls extends Omit<CallSum, 'buckets'> {
  [bucket: `b${number}`]: number;
}

const sumOfCalls = (by: readonly CallDimension[], filtered: boolean): string => {
  const dimensions = DIMENSIONS.map((name) => (by.includes(name) ? name : `${NONE[name]} as ${name}`));
  const sums = BUCKET_COLUMNS.map((name) => `sum(${name}) as ${name}`);
  return `select ${dimensions.join(', ')}, sum(count) as count, sum(sum_ms) as "sumMs", max(max_ms) as "maxMs",
    sum(documents) as documents, sum(bytes) as bytes, max(last_at) as "lastAt", ${sums.join(', ')}
    from usage_calls where span = 'hour' and start >= $1 and start < $2 ${filtered ? 'and key = $3' : ''}
    ${by.length === 0 ? 'having sum(count) > 0' : `group by ${by.join(', ')}`}`;
};

export const sumCalls = async (
  { db, reach }: ScopedRead,
  { by, from, to, key }: CallQuery,
): Promise<CallSum[]> => {
  if (reach.reads !== null) return [];
  const { rows } = await run<SummedCalls>(
    db,
    sumOfCalls(by, key !== undefined),
    key === undefined ? [from, to] : [from, to, key],
  );
  return rows.map((row) => {
    const { start, operation, way, status, count, sumMs, maxMs, documents, bytes, lastAt } = row;
    const buckets = BUCKET_COLUMNS.map((name) => row[name as `b${number}`] ?? 0);
    return {
      start,
      key: row.key,
      operation,
      way,
      status,
      count,
      sumMs,
      maxMs,
      documents,
      bytes,
      lastAt,
      buckets,
    };
  });
};

export const sumTags = async ({ db, reach }: ScopedRead, { from, to }: TimeRange): Promise<TagSum[]> => {
  if (reach.reads !== null) return [];
  const { rows } = await run<TagSum>(
    db,
    `select tags.tag as tag, type, sum(count) as count, sum(documents) as documents, sum(bytes) as bytes,
       max(last_at) as "lastAt" from usage_tags left join tags on tags.n = usage_tags.tag
       where span = 'hour' and start >= $1 and start < $2 group by tags.tag, type`,
    [from, to],
  );
  return rows;
};

const TOKENS = {
  key: 'select key as name, day, input_tokens, output_tokens from key_tokens',
  tag: 'select tags.tag as name, day, input_tokens, output_tokens from tag_tokens join tags on tags.n = tag_tokens.tag',
} as const;

export const sumTokens = async (
  { db, reach }: ScopedRead,
  of: 'key' | 'tag',
  { from, to }: TimeRange,
): Promise<{ name: string; tokens: TokenCount }[]> => {
  if (reach.reads !== null) return [];
  const { rows } = await run<{ name: string; input: number; output: number }>(
    db,
    `select name, sum(input_tokens) as input, sum(output_tokens) as output from (${TOKENS[of]}) as each
       where day > $1 and day < $2 group by name`,
    [from - DAY_MS, to],
  );
  return rows.map(({ name, input, output }) => ({
    name,
    tokens: { inputTokens: input, outputTokens: output },
  }));
};

/** From here on a status tells of an error; a caller who left is none. */
const FIRST_ERROR = 400;
const LEFT = 499;

export const listRequests = async (
  { db, reach }: ScopedRead,
  { from, to, type, status, outcome, key, id, offset, limit }: RequestQuery,
): Promise<{ rows: RequestRow[]; total: number }> => {
  if (reach.reads !== null) return { rows: [], total: 0 };
  let chosen = db.selectFrom('requests').where('at', '>=', from).where('at', '<', to);
  if (type !== undefined) chosen = chosen.where('type', '=', type);
  if (status !== undefined) chosen = chosen.where('status', '=', status);
  if (key !== undefined) chosen = chosen.where('key', '=', key);
  if (id !== undefined) chosen = chosen.where('id', 'in', textList([id]));
  if (outcome === 'success')
    chosen = chosen.where((eb) => eb.or([eb('status', '<', FIRST_ERROR), eb('status', '=', LEFT)]));
  if (outcome === 'error') chosen = chosen.where('status', '>=', FIRST_ERROR).where('status', '<>', LEFT);
  const { total } = await chosen
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  const rows = await chosen.selectAll().orderBy('n', 'desc').limit(limit).offset(offset).execute();
  return {
    rows: rows.map(({ n: _, type: word, ...row }) => ({ ...row, type: word as UsageType, units: [] })),
    total,
  };
};

const COUNTED = `select
  (select count(*) from visible_documents where created_at >= $1 and created_at < $2) as documents,
  (select count(*) from visible_memories where created_at >= $1 and created_at < $2) as memories,
  (select count(*) from connections where created_at >= $1 and created_at < $2) as connections,
  (select count(*) from tags where created_at >= $1 and created_at < $2) as tags`;

/** Everything that lives: what was deleted does not count in any range. */
const COUNTABLE = `with visible_documents as (select created_at from documents where ${LIVING_TEXT}),
  visible_memories as (select created_at from memories where is_latest = 1 and is_forgotten = 0)`;

const EVER: TimeRange = { from: Number.MIN_SAFE_INTEGER, to: Number.MAX_SAFE_INTEGER };

const NOTHING: StoredCounts = { documents: 0, memories: 0, connections: 0, tags: 0 };

export const storedTotals = async (
  { db, reach }: ScopedRead,
  { from, to }: TimeRange,
): Promise<StoredTotals> => {
  if (reach.reads !== null) return { ...NOTHING, added: NOTHING, addedBefore: NOTHING };
  const counted = async (range: TimeRange): Promise<StoredCounts> =>
    (await run<StoredCounts>(db, `${COUNTABLE} ${COUNTED}`, [range.from, range.to])).rows[0] ?? NOTHING;
  return {
    ...(await counted(EVER)),
    added: await counted({ from, to }),
    addedBefore: await counted({ from: from - (to - from), to: from }),
  };
};
