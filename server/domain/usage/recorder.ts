// Records calls in memory, and writes what was recorded every ten seconds: a commit for each call would be too much.
import type { RequestRow, UsageKeeping } from '../../adapters/store/ports/usage/analytics.ts';
import type { Called, CallFacts } from '../../core/events.ts';
import type { Logger } from '../../core/log.ts';
import { createTogether } from '../../lib/async/together.ts';
import { createUsageCounts } from './counts.ts';
import { type RequestLogMode, requestRow } from './request-log.ts';

/** A crash loses at most this. */
export const FLUSH_MS = 10_000;
/** More are written before the time. */
const MOST_REQUESTS = 2_000;
/** More are dropped while nothing can be written. */
const KEPT_REQUESTS = 10_000;
/** Calls are counted some at a time: alone, between the work of two calls, each costs several times as much. */
const COUNTED_TOGETHER = { mostItems: 64, waitMs: 1_000 };
/** A call with more content is counted at once, so that its content is not kept in memory. */
const KEPT_BYTES = 65_536;

interface Recorded {
  call: Called;
  facts: CallFacts | undefined;
  at: number;
}

export interface UsageRecorder {
  /** Neither throws nor waits. */
  record(call: Called, facts?: CallFacts): void;
  /** Writes what was recorded until now. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

export interface UsageRecorderDeps {
  store: Pick<UsageKeeping, 'write'>;
  now: () => number;
  requestLog: RequestLogMode;
  log: Pick<Logger, 'warn'>;
}

export const createUsageRecorder = ({ store, now, requestLog, log }: UsageRecorderDeps): UsageRecorder => {
  const counts = createUsageCounts();
  let requests: RequestRow[] = [];
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> = Promise.resolve();

  const counting = createTogether<Recorded>((recorded) => {
    for (const { call, facts, at } of recorded) {
      counts.add(call, facts, at);
      if (requestLog !== 'off') requests.push(requestRow(call, facts, { at, mode: requestLog }));
      if (requests.length === MOST_REQUESTS) quietly();
    }
  }, COUNTED_TOGETHER);
  const write = async (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    counting.flush();
    if (counts.isEmpty()) return;
    const batch = { ...counts.take(), requests };
    requests = [];
    try {
      await store.write(batch);
    } catch (cause) {
      counts.putBack(batch);
      requests = [...batch.requests, ...requests].slice(-KEPT_REQUESTS);
      throw cause;
    }
  };
  const flush = (): Promise<void> => {
    const next = writing.catch(() => undefined).then(write);
    writing = next;
    return next;
  };
  const quietly = (): void =>
    void flush().catch((err) => log.warn({ err }, 'Usage was not written, and is written later.'));

  return {
    record(call, facts) {
      counting.add({ call, facts, at: now() });
      if (facts !== undefined && facts.bytes > KEPT_BYTES) counting.flush();
      timer ??= setTimeout(quietly, FLUSH_MS).unref();
    },
    flush,
    close: () => flush().catch((err) => log.warn({ err }, 'The usage of the last seconds was not written.')),
  };
};
