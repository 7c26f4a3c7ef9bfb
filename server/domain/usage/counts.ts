// Counts calls in memory, by hour; what was counted is taken out to be written, and put back if it could not be.
import type { CallCount, TagCount } from '../../adapters/store/ports/usage/analytics.ts';
import type { Called, CallFacts } from '../../core/events.ts';
import { bucketOf, DURATION_BUCKETS } from '../../lib/histogram.ts';
import { startOfHour } from '../../lib/text/dates/calendar.ts';
import { usageTypeOf } from './types.ts';

export interface UsageCounts {
  add(call: Called, facts: CallFacts | undefined, at: number): void;
  isEmpty(): boolean;
  take(): { calls: CallCount[]; tags: TagCount[] };
  putBack(taken: { calls: readonly CallCount[]; tags: readonly TagCount[] }): void;
}

/** The most tags of one hour; the calls of further tags count under none. */
const MOST_TAGS = 1_000;

const mergeCalls = (calls: Map<string, CallCount>, name: string, more: CallCount): void => {
  const known = calls.get(name);
  if (known === undefined) {
    calls.set(name, more);
    return;
  }
  known.count += more.count;
  known.sumMs += more.sumMs;
  known.maxMs = Math.max(known.maxMs, more.maxMs);
  known.documents += more.documents;
  known.bytes += more.bytes;
  known.lastAt = Math.max(known.lastAt, more.lastAt);
  for (const [at, count] of more.buckets.entries()) known.buckets[at] = (known.buckets[at] ?? 0) + count;
};

const mergeTags = (tags: Map<string, TagCount>, name: string, more: TagCount): void => {
  const known = tags.get(name);
  if (known === undefined) {
    if (tags.size < MOST_TAGS) tags.set(name, more);
    return;
  }
  known.count += more.count;
  known.documents += more.documents;
  known.bytes += more.bytes;
  known.lastAt = Math.max(known.lastAt, more.lastAt);
};

const callName = ({ start, key, operation, way, status }: CallCount): string =>
  `${start} ${key} ${operation} ${way} ${status}`;

const tagName = ({ start, tag, type }: TagCount): string => `${start} ${type} ${tag}`;

const bucketWith = (ms: number): number[] => {
  const buckets = new Array<number>(DURATION_BUCKETS).fill(0);
  buckets[bucketOf(ms)] = 1;
  return buckets;
};

/** Content that was refused adds nothing. */
const addedBy = ({ status }: Called, facts: CallFacts | undefined): { documents: number; bytes: number } =>
  facts === undefined || status >= 400
    ? { documents: 0, bytes: 0 }
    : { documents: facts.documents, bytes: facts.bytes };

export const createUsageCounts = (): UsageCounts => {
  let calls = new Map<string, CallCount>();
  let tags = new Map<string, TagCount>();
  return {
    add(call, facts, at) {
      const start = startOfHour(at);
      const { operation, way, status, ms, keyId: key } = call;
      const added = addedBy(call, facts);
      const counted = { start, key, operation, way, status, count: 1, sumMs: ms, maxMs: ms, lastAt: at };
      const name = `${start} ${key} ${operation} ${way} ${status}`;
      const known = calls.get(name);
      if (known === undefined) calls.set(name, { ...counted, ...added, buckets: bucketWith(ms) });
      else mergeOne(known, { ms, at, ...added });
      const type = usageTypeOf(operation);
      for (const tag of new Set(facts?.tags ?? []))
        mergeTags(tags, `${start} ${type} ${tag}`, { start, tag, type, count: 1, lastAt: at, ...added });
    },
    isEmpty: () => calls.size === 0,
    take() {
      const taken = { calls: [...calls.values()], tags: [...tags.values()] };
      calls = new Map();
      tags = new Map();
      return taken;
    },
    putBack(taken) {
      for (const call of taken.calls) mergeCalls(calls, callName(call), call);
      for (const tag of taken.tags) mergeTags(tags, tagName(tag), tag);
    },
  };
};

/** On the way of every call, so nothing is allocated. */
const mergeOne = (
  known: CallCount,
  { ms, at, documents, bytes }: { ms: number; at: number; documents: number; bytes: number },
): void => {
  known.count += 1;
  known.sumMs += ms;
  if (ms > known.maxMs) known.maxMs = ms;
  known.documents += documents;
  known.bytes += bytes;
  if (at > known.lastAt) known.lastAt = at;
  const bucket = bucketOf(ms);
  known.buckets[bucket] = (known.buckets[bucket] ?? 0) + 1;
};
