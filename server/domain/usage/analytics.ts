// Usage as its readers get it: summed by kind, hour, key and group, the errors, the log of requests, and the totals.
import type {
  ErrorsOutput,
  LogsInput,
  LogsOutput,
  MemoryOutput,
  RangeInput,
  RequestsInput,
  UsageInput,
  UsageOutput,
} from '../../../tools/analytics/schemas/analytics.ts';
import type {
  AnalyticsStore,
  CallSum,
  RequestQuery,
  RequestRow,
  TagSum,
  TimeRange,
} from '../../adapters/store/ports/usage/analytics.ts';
import type { TokenCount } from '../../adapters/store/ports/usage/usage.ts';
import { badRequest } from '../../core/errors.ts';
import { USAGE_TYPES } from '../../core/events.ts';
import { type Caller, OWNER_ID } from '../../core/principal.ts';
import { defined } from '../../lib/defined.ts';
import { DAY_MS, HOUR_MS, startOfHour } from '../../lib/text/dates/calendar.ts';
import { isoTime, isoTimeOrNull } from '../../lib/text/dates/format.ts';
import { averageField, isFailure, percentilesOf, presentTotals, sumUp } from './sums.ts';
import { SEARCHES, usageTypeOf } from './types.ts';

export interface Analytics {
  usage(caller: Caller, input: UsageInput): Promise<UsageOutput>;
  errors(caller: Caller, input: RangeInput): Promise<ErrorsOutput>;
  logs(caller: Caller, input: LogsInput): Promise<LogsOutput>;
  requests(caller: Caller, input: RequestsInput): Promise<LogsOutput>;
  memory(caller: Caller, input: RangeInput): Promise<MemoryOutput>;
}

export interface AnalyticsDeps {
  store: AnalyticsStore;
  documents(): Promise<number>;
  keyNames(): Promise<ReadonlyMap<string, string>>;
  /** Writes what this process counted, so that the answer holds it; returns the moment up to which all is there. */
  upToNow(): Promise<number>;
  now: () => number;
}

/** Hours are kept for so long. */
export const HOURS_KEPT_MS = 90 * DAY_MS;

const PERIODS = { '1h': HOUR_MS, '24h': DAY_MS, '7d': 7 * DAY_MS, '30d': 30 * DAY_MS, all: HOURS_KEPT_MS };

const rangeOf = ({ period, from, to }: RangeInput, now: number): TimeRange => {
  const end = to ?? now;
  const asked = from ?? end - PERIODS[period ?? '24h'];
  if (asked >= end) throw badRequest('Invalid request: from: must be before the end of the range');
  // The calls of this very moment belong to a range up to now. The hours of a time to come would be without number.
  return { from: Math.max(asked, now - HOURS_KEPT_MS), to: Math.min(to ?? now + 1, now + 1) };
};

/** Calls are counted by hour, so the hour in which a range begins counts as a whole. */
const wholeHours = ({ from, to }: TimeRange): TimeRange => ({ from: startOfHour(from), to });

const hoursOf = ({ from, to }: TimeRange): number[] =>
  Array.from({ length: Math.max(0, Math.ceil((to - from) / HOUR_MS)) }, (_, at) => from + at * HOUR_MS);

const NO_TOKENS: TokenCount = { inputTokens: 0, outputTokens: 0 };

const pageOfKeys = <Item>(all: readonly Item[], { page, limit }: { page: number; limit: number }) => ({
  items: all.slice((page - 1) * limit, page * limit),
  pagination: pagination(all.length, { page, limit }),
});

const pagination = (total: number, { page, limit }: { page: number; limit: number }) => ({
  currentPage: page,
  limit,
  totalItems: total,
  totalPages: Math.ceil(total / limit),
});

const byCount = (one: { count: number }, other: { count: number }): number => other.count - one.count;

// --- usage -------------------------------------------------------------------------------------------

type Groups = NonNullable<UsageOutput['groups']>;

const groupsOfCalls = (sums: readonly CallSum[], by: 'operation' | 'way' | 'status'): Groups =>
  [...Map.groupBy(sums, (sum) => String(sum[by]))]
    .map(([name, each]) => {
      const total = sumUp(each);
      const { errors, documents, bytes } = total;
      const shown = { ...presentTotals(total), errors, documents, bytes, percentiles: percentilesOf(total) };
      return { name: name === '' ? null : name, ...shown };
    })
    .sort(byCount);

const groupsOfTags = (sums: readonly TagSum[], tokens: ReadonlyMap<string, TokenCount>): Groups =>
  [...Map.groupBy(sums, ({ tag }) => tag)]
    .map(([name, each]) => ({
      name,
      count: each.reduce((sum, { count }) => sum + count, 0),
      documents: each.reduce((sum, { documents }) => sum + documents, 0),
      bytes: each.reduce((sum, { bytes }) => sum + bytes, 0),
      lastUsed: isoTimeOrNull(Math.max(...each.map(({ lastAt }) => lastAt))),
      ...(tokens.get(name ?? '') ?? NO_TOKENS),
    }))
    .sort(byCount);

const tokensBy = async (
  { store }: AnalyticsDeps,
  caller: Caller,
  of: 'key' | 'tag',
  range: TimeRange,
): Promise<Map<string, TokenCount>> =>
  new Map((await store.tokens(caller.scope, of, range)).map(({ name, tokens }) => [name, tokens]));

const readGroups = async (
  deps: AnalyticsDeps,
  caller: Caller,
  by: NonNullable<UsageInput['groupBy']>,
  range: TimeRange,
): Promise<Groups> => {
  const { store } = deps;
  if (by !== 'tag')
    return groupsOfCalls(await store.calls(caller.scope, { ...range, by: [by, 'status'] }), by);
  const [sums, tokens] = await Promise.all([
    store.tags(caller.scope, range),
    tokensBy(deps, caller, 'tag', range),
  ]);
  return groupsOfTags(sums, tokens);
};

const readKeys = async (
  deps: AnalyticsDeps,
  caller: Caller,
  range: TimeRange,
): Promise<UsageOutput['byKey']> => {
  const [sums, names, tokens] = await Promise.all([
    deps.store.calls(caller.scope, { ...range, by: ['key'] }),
    deps.keyNames(),
    tokensBy(deps, caller, 'key', range),
  ]);
  return sums
    .filter(({ key }) => key !== '')
    .map((sum) => {
      const { key: keyId, documents, bytes } = sum;
      const keyName = names.get(keyId) ?? (keyId === OWNER_ID ? 'This machine' : null);
      const spent = { documents, bytes, ...(tokens.get(keyId) ?? NO_TOKENS) };
      return { keyId, keyName, ...presentTotals(sumUp([sum])), ...spent };
    })
    .sort(byCount);
};

const usageByType = (sums: readonly CallSum[]): UsageOutput['usage'] => {
  const byType = Map.groupBy(sums, ({ operation }) => usageTypeOf(operation));
  return USAGE_TYPES.map((type) => ({ type, ...presentTotals(sumUp(byType.get(type) ?? [])) }));
};

const usageByHour = (sums: readonly CallSum[], range: TimeRange): UsageOutput['hourly'] => {
  const byHour = new Map(sums.map((sum) => [sum.start, sum]));
  return hoursOf(range).map((hour) => {
    const { count, sumMs } = byHour.get(hour) ?? { count: 0, sumMs: 0 };
    return { hour: isoTime(hour), count, ...averageField({ count, sumMs }) };
  });
};

const readUsage = async (deps: AnalyticsDeps, caller: Caller, input: UsageInput): Promise<UsageOutput> => {
  const { store, now } = deps;
  const range = wholeHours(rangeOf(input, now()));
  const complete = await deps.upToNow();
  const { scope } = caller;
  const [operations, hours, keys, totalMemories, groups] = await Promise.all([
    store.calls(scope, { ...range, by: ['operation'] }),
    store.calls(scope, { ...range, by: ['start'] }),
    readKeys(deps, caller, range),
    deps.documents(),
    input.groupBy === undefined ? undefined : readGroups(deps, caller, input.groupBy, range),
  ]);
  const { items: byKey, pagination: place } = pageOfKeys(keys, input);
  return {
    usage: usageByType(operations),
    hourly: usageByHour(hours, range),
    ...{ byKey, totalMemories, pagination: place },
    percentiles: percentilesOf(sumUp(operations)),
    ...defined({ groups }),
    completeUntil: isoTime(complete),
  };
};

// --- errors ------------------------------------------------------------------------------------------

const distinctOf = <Item>(items: readonly Item[]): Item[] => [...new Set(items)];

const topErrors = (failures: readonly CallSum[]): ErrorsOutput['topErrors'] =>
  [...Map.groupBy(failures, ({ operation }) => usageTypeOf(operation))]
    .map(([type, each]) => ({
      type,
      count: sumUp(each).count,
      statusCodes: distinctOf(each.map(({ status }) => status)).sort((one, other) => one - other),
      lastOccurred: isoTime(Math.max(...each.map(({ lastAt }) => lastAt))),
    }))
    .sort(byCount);

const errorTimeline = (failures: readonly CallSum[], range: TimeRange): ErrorsOutput['timeline'] => {
  const byHour = Map.groupBy(failures, ({ start }) => start);
  return hoursOf(range).map((hour) => {
    const each = byHour.get(hour) ?? [];
    const types = distinctOf(each.map(({ operation }) => usageTypeOf(operation)));
    return { time: isoTime(hour), count: sumUp(each).count, types };
  });
};

const errorsByStatus = (failures: readonly CallSum[]): Record<string, number> =>
  Object.fromEntries(
    [...Map.groupBy(failures, ({ status }) => String(status))].map(([status, each]) => [
      status,
      sumUp(each).count,
    ]),
  );

const readErrors = async (deps: AnalyticsDeps, caller: Caller, input: RangeInput): Promise<ErrorsOutput> => {
  const range = wholeHours(rangeOf(input, deps.now()));
  const complete = await deps.upToNow();
  const by = ['start', 'operation', 'status'] as const;
  const sums = await deps.store.calls(caller.scope, { ...range, by });
  const failures = sums.filter(({ status }) => isFailure(status));
  const { count, errors } = sumUp(sums);
  return {
    totalErrors: errors,
    errorRate: count === 0 ? 0 : errors / count,
    topErrors: topErrors(failures),
    timeline: errorTimeline(failures, range),
    byStatusCode: errorsByStatus(failures),
    completeUntil: isoTime(complete),
  };
};

// --- requests ----------------------------------------------------------------------------------------

const presentRequest = ({ id, at, type, status, ms, input, output, key, operation, way }: RequestRow) => ({
  ...{ id, createdAt: isoTime(at), type, statusCode: status, duration: ms },
  ...{ input: JSON.parse(input), output: JSON.parse(output) },
  ...{ keyId: key === '' ? null : key, operation: operation === '' ? null : operation, way },
});

const readRequestRows = async (
  deps: AnalyticsDeps,
  caller: Caller,
  input: RangeInput & { page: number; limit: number },
  narrowing: Partial<RequestQuery>,
): Promise<LogsOutput> => {
  const range = rangeOf(input, deps.now());
  await deps.upToNow();
  const { page, limit } = input;
  const query = { ...range, ...narrowing, limit, offset: (page - 1) * limit };
  const { rows, total } = await deps.store.requests(caller.scope, query);
  return { logs: rows.map(presentRequest), pagination: pagination(total, { page, limit }) };
};

// --- totals ------------------------------------------------------------------------------------------

const growthOf = (now: number, before: number): number =>
  before === 0 ? 0 : Math.round(((now - before) / before) * 1_000) / 10;

const searchesIn = async ({ store }: AnalyticsDeps, caller: Caller, range: TimeRange): Promise<number> => {
  const sums = await store.calls(caller.scope, { ...wholeHours(range), by: ['operation'] });
  return sumUp(sums.filter(({ operation }) => SEARCHES.includes(usageTypeOf(operation)))).count;
};

const tokensOfRange = async ({ store }: AnalyticsDeps, caller: Caller, range: TimeRange): Promise<number> =>
  (await store.tokens(caller.scope, 'key', range)).reduce(
    (sum, { tokens }) => sum + tokens.inputTokens + tokens.outputTokens,
    0,
  );

const readStoredTotals = async (
  deps: AnalyticsDeps,
  caller: Caller,
  input: RangeInput,
): Promise<MemoryOutput> => {
  const range = rangeOf(input, deps.now());
  const complete = await deps.upToNow();
  const before = { from: range.from - (range.to - range.from), to: range.from };
  const [totals, searches, searchesBefore, tokens, tokensBefore] = await Promise.all([
    deps.store.totals(caller.scope, range),
    searchesIn(deps, caller, range),
    searchesIn(deps, caller, { ...before, to: startOfHour(before.to) }),
    tokensOfRange(deps, caller, range),
    tokensOfRange(deps, caller, before),
  ]);
  const { added, addedBefore } = totals;
  return {
    totalMemories: totals.documents,
    totalMemoryEntries: totals.memories,
    searchQueries: searches,
    totalConnections: totals.connections,
    totalContainerTags: totals.tags,
    memoriesGrowth: growthOf(added.documents, addedBefore.documents),
    memoryEntriesGrowth: growthOf(added.memories, addedBefore.memories),
    searchGrowth: growthOf(searches, searchesBefore),
    connectionsGrowth: growthOf(added.connections, addedBefore.connections),
    containerTagsGrowth: growthOf(added.tags, addedBefore.tags),
    tokensProcessed: tokens,
    tokensGrowth: growthOf(tokens, tokensBefore),
    completeUntil: isoTime(complete),
  };
};

export const createAnalytics = (deps: AnalyticsDeps): Analytics => ({
  usage: (caller, input) => readUsage(deps, caller, input),
  errors: (caller, input) => readErrors(deps, caller, input),
  logs: (caller, input) =>
    readRequestRows(
      deps,
      caller,
      input,
      defined({ type: input.type, status: input.statusCode, key: input.keyId }),
    ),
  requests: (caller, input) =>
    readRequestRows(deps, caller, input, defined({ type: input.type, outcome: input.status, id: input.id })),
  memory: (caller, input) => readStoredTotals(deps, caller, input),
});
