// Usage and the log of requests, as they are asked for and answered. The fields are those of the published API; the
// descriptions say which were added.
import { z } from 'zod';
import { pagination } from '../../memories/schemas/paging.ts';
import { instant, singleLine, time, wholeNumberField } from '../../shared/primitives.ts';

const usageType = z
  .enum(['add', 'search', 'search_v4', 'update', 'delete', 'request'])
  .describe(
    'The kind of call: `search` is POST /v3/search, `search_v4` POST /v4/search, `request` everything else.',
  );

const range = {
  period: z
    .enum(['1h', '24h', '7d', '30d', 'all'])
    .optional()
    .describe('The time up to now; `all` is 90 days. Default: 24h.'),
  from: instant.optional().describe('The beginning, in place of a period; at most 90 days ago.'),
  to: instant.optional().describe('The end, at most now. Default: now.'),
};

const paging = {
  page: wholeNumberField(1, 1_000_000).prefault(1).describe('The page number, from 1.'),
  limit: wholeNumberField(1, 100).prefault(20).describe('Items per page, 1–100.'),
};

export const rangeInput = z.object(range);
export type RangeInput = z.output<typeof rangeInput>;

export const usageInput = z.object({
  ...range,
  ...paging,
  groupBy: z
    .enum(['operation', 'tag', 'way', 'status'])
    .optional()
    .describe('Adds `groups`: the counts by operation, container tag, way in or status.'),
});
export type UsageInput = z.output<typeof usageInput>;

const count = z.int().min(0);
const calls = count.describe('The number of calls.');
const avgDuration = z.number().optional().describe('Milliseconds; missing where there is no call.');
const lastUsed = time.nullable().describe('The time of the last call; null: there was none.');
const completeUntil = time.describe(
  'Every call before this moment is counted. Where several servers share a database, the others write theirs every ten seconds.',
);

const percentiles = z
  .object({
    p50: z.number().nullable().describe('Half of the calls took less.'),
    p95: z.number().nullable().describe('95 of 100 calls took less.'),
    p99: z.number().nullable().describe('99 of 100 calls took less.'),
  })
  .describe(
    'Durations in milliseconds below which 50, 95 and 99 per cent of the calls lie, from buckets that double.',
  );

const spent = {
  documents: count.describe('Documents that the calls added.'),
  bytes: count.describe('The size of their content.'),
  inputTokens: count.describe('Tokens sent to language models, by day.'),
  outputTokens: count.describe('Tokens written by language models, by day.'),
};

const group = z
  .object({
    name: z
      .string()
      .nullable()
      .describe('The operation, tag, way or status; null: calls that reached none, or tags that are gone.'),
    count: calls,
    errors: count.optional().describe('Calls with a status from 400 on.'),
    avgDuration,
    percentiles: percentiles.optional(),
    documents: spent.documents,
    bytes: spent.bytes,
    inputTokens: spent.inputTokens.optional(),
    outputTokens: spent.outputTokens.optional(),
    lastUsed,
  })
  .meta({ id: 'UsageGroup' });

export const usageOutput = z.object({
  usage: z
    .array(z.object({ type: usageType, count: calls, avgDuration, lastUsed }))
    .describe('The calls by kind.'),
  hourly: z
    .array(z.object({ hour: time.describe('The beginning of the hour.'), count: calls, avgDuration }))
    .describe('Every hour of the range, oldest first, in UTC; hours without a call have 0.'),
  byKey: z
    .array(
      z.object({
        keyId: z.string().describe('The id of the key.'),
        keyName: z.string().nullable().describe('The name of the key; null: it is gone.'),
        count: calls,
        avgDuration,
        lastUsed,
        ...spent,
      }),
    )
    .describe('The calls by key.'),
  totalMemories: count.describe('Stored documents.'),
  pagination: pagination.describe('Of `byKey`.'),
  percentiles,
  groups: z.array(group).optional().describe('The calls by what `groupBy` names.'),
  completeUntil,
});
export type UsageOutput = z.input<typeof usageOutput>;

export const errorsOutput = z.object({
  totalErrors: count.describe('Calls with a status from 400 on.'),
  errorRate: z.number().min(0).max(1).describe('The share of such calls among all, 0–1.'),
  topErrors: z
    .array(
      z.object({
        type: usageType,
        count: calls,
        statusCodes: z.array(z.int()).describe('The statuses of these calls.'),
        lastOccurred: time.describe('The time of the last one.'),
      }),
    )
    .describe('The kinds of calls that failed, the most frequent first.'),
  timeline: z
    .array(
      z.object({
        time: time.describe('The beginning of the hour.'),
        count: calls,
        types: z.array(usageType).describe('The kinds of these calls.'),
      }),
    )
    .describe('The failed calls by hour.'),
  byStatusCode: z.record(z.string(), count).describe('The number of calls by status.'),
  completeUntil,
});
export type ErrorsOutput = z.input<typeof errorsOutput>;

export const logsInput = z.object({
  ...range,
  ...paging,
  type: usageType.optional(),
  statusCode: wholeNumberField(100, 599).optional().describe('Only calls with this status.'),
  keyId: singleLine(1, 100).optional().describe('Only calls with this key.'),
});
export type LogsInput = z.output<typeof logsInput>;

export const requestsInput = z.object({
  ...range,
  ...paging,
  type: usageType.optional(),
  status: z
    .enum(['success', 'error'])
    .optional()
    .describe('Only calls that succeeded, or only those that failed.'),
  id: singleLine(1, 100).optional().describe('Only the call with this request id.'),
});
export type RequestsInput = z.output<typeof requestsInput>;

const anyObject = z.record(z.string(), z.unknown());

const logEntry = z
  .object({
    id: z.string().describe('The request id, as in the log of the server and in the header of the answer.'),
    createdAt: time.describe('The time of the call.'),
    type: usageType,
    statusCode: z.int().describe('The status of the answer.'),
    duration: z.int().nullable().describe('Milliseconds.'),
    input: anyObject.describe('What was sent: names of fields, ids and numbers; of texts only their length.'),
    output: anyObject.describe('What was answered, in the same way.'),
    keyId: z.string().nullable().describe('The id of the key; null: there was no valid one.'),
    operation: z.string().nullable().describe('The name of the operation; null: none was reached.'),
    way: z.string().describe('The way in of the call: rest, mcp or cli.'),
  })
  .meta({ id: 'RequestLogEntry' });

export const logsOutput = z.object({
  logs: z.array(logEntry).describe('The calls, the newest first.'),
  pagination,
});
export type LogsOutput = z.input<typeof logsOutput>;

const growth = z
  .number()
  .describe('The change against the time before, in per cent; 0 where there was nothing before.');

export const memoryOutput = z.object({
  totalMemories: count.describe('Stored documents.'),
  totalMemoryEntries: count.describe('Current memories.'),
  searchQueries: count.describe('Searches in the time.'),
  totalConnections: count.describe('Connections to outside sources.'),
  totalContainerTags: count.describe('Container tags.'),
  memoriesGrowth: growth,
  memoryEntriesGrowth: growth,
  searchGrowth: growth,
  connectionsGrowth: growth,
  containerTagsGrowth: growth,
  tokensProcessed: count.describe('Tokens of language models on the days of the time.'),
  tokensGrowth: growth,
  completeUntil,
});
export type MemoryOutput = z.input<typeof memoryOutput>;
