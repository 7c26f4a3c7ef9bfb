// Usage for the request side: reads on a query worker, because they sum up many rows; writes on the writing thread.
import type { Call } from '../../../lib/threads/rpc.ts';
import type { AnalyticsStore, UsageKeeping } from '../ports/usage/analytics.ts';
import type { QuotaStore } from '../ports/usage/quotas.ts';
import { listQuotas, usedSince } from '../queries/usage/quotas.ts';
import type { Db } from '../tables/tables.ts';
import type { WritingCommands } from '../writing-side/commands.ts';
import type { Reader } from './reader.ts';

export const createAnalyticsStore = (reader: Reader): AnalyticsStore => ({
  calls: (scope, query) => reader.at(scope, true)('sumCalls', reader.bounds(scope), query),
  tags: (scope, range) => reader.at(scope, true)('sumTags', reader.bounds(scope), range),
  tokens: (scope, of, range) => reader.at(scope, true)('sumTokens', reader.bounds(scope), of, range),
  requests: (scope, query) => reader.at(scope, true)('listRequests', reader.bounds(scope), query),
  totals: (scope, range) => reader.at(scope, true)('storedTotals', reader.bounds(scope), range),
});

export const createQuotaStore = (db: Db, call: Call<WritingCommands>): QuotaStore => ({
  list: () => listQuotas(db),
  change: (change, note) => call('changeQuotas', change, note),
  used: (of, id, since) => usedSince(db, of, id, since),
});

export const createUsageKeeping = (call: Call<WritingCommands>): UsageKeeping => ({
  write: (batch) => call('writeUsage', batch),
  prune: (pruning) => call('pruneUsage', pruning),
});
