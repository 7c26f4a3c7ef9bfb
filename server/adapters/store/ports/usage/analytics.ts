// Usage in the store: calls counted by hour and by day, by container tag, and the log of requests.

import type { UsageType } from '../../../../core/events.ts';
import type { Scope } from '../../../../core/scope.ts';
import type { TokenCount } from './usage.ts';

/** Calls of one kind, counted together. */
export interface CallCount {
  readonly start: number;
  readonly key: string;
  readonly operation: string;
  readonly way: string;
  readonly status: number;
  count: number;
  sumMs: number;
  maxMs: number;
  documents: number;
  bytes: number;
  lastAt: number;
  /** The numbers of calls by duration. */
  readonly buckets: number[];
}

export interface TagCount {
  readonly start: number;
  readonly tag: string;
  readonly type: UsageType;
  count: number;
  documents: number;
  bytes: number;
  lastAt: number;
}

export interface RequestRow {
  readonly at: number;
  readonly id: string;
  readonly type: UsageType;
  readonly operation: string;
  readonly way: string;
  readonly key: string;
  readonly status: number;
  readonly ms: number;
  /** JSON objects. */
  readonly input: string;
  readonly output: string;
  /** The documents and memories whose texts it may hold. */
  readonly units: readonly string[];
}

export interface UsageBatch {
  readonly calls: readonly CallCount[];
  readonly tags: readonly TagCount[];
  readonly requests: readonly RequestRow[];
}

/** From the first moment up to the second, which is outside. */
export interface TimeRange {
  readonly from: number;
  readonly to: number;
}

export type CallDimension = 'start' | 'key' | 'operation' | 'way' | 'status';

/** The dimensions that were not asked for are 0 or empty. */
export type CallSum = CallCount;

export interface CallQuery extends TimeRange {
  readonly by: readonly CallDimension[];
  readonly key?: string;
}

/** Null as the tag: tags that are gone. */
export interface TagSum extends Omit<TagCount, 'tag' | 'start'> {
  readonly tag: string | null;
}

export interface RequestQuery extends TimeRange {
  readonly operations?: readonly string[];
  readonly type?: UsageType;
  readonly status?: number;
  readonly outcome?: 'success' | 'error';
  readonly key?: string;
  readonly id?: string;
  readonly offset: number;
  readonly limit: number;
}

/** The numbers of each in all, and of those that came in the range and in the equally long one before it. */
export interface StoredTotals {
  readonly documents: number;
  readonly memories: number;
  readonly connections: number;
  readonly tags: number;
  readonly added: StoredCounts;
  readonly addedBefore: StoredCounts;
}

export interface StoredCounts {
  readonly documents: number;
  readonly memories: number;
  readonly connections: number;
  readonly tags: number;
}

export interface AnalyticsStore {
  calls(scope: Scope, query: CallQuery): Promise<CallSum[]>;
  tags(scope: Scope, range: TimeRange): Promise<TagSum[]>;
  /** By day: a day counts as a whole if a part of it lies in the range. */
  tokens(scope: Scope, of: 'key' | 'tag', range: TimeRange): Promise<{ name: string; tokens: TokenCount }[]>;
  requests(scope: Scope, query: RequestQuery): Promise<{ rows: RequestRow[]; total: number }>;
  totals(scope: Scope, range: TimeRange): Promise<StoredTotals>;
}

export interface UsagePruning {
  /** Hours before this moment become days. */
  readonly hoursBefore: number;
  /** Days before this moment go. */
  readonly daysBefore: number;
  readonly requestsBefore: number;
  /** The most rows of the request log. */
  readonly mostRequests: number;
}

/** Never handed to an operation. */
export interface UsageKeeping {
  /** Adds to what is stored, so that several processes add up. */
  write(batch: UsageBatch): Promise<void>;
  prune(pruning: UsagePruning): Promise<void>;
}
