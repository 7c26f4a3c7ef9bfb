// What happened, in the words of the business: one function per event, few labels, no content and no secrets.
import type { Logger } from './lib/logger.ts';

export type Way = 'rest' | 'mcp' | 'cli';

/** One call that reached an operation, however it ended. */
export interface Called {
  operation: string;
  way: Way;
  requestId: string;
  keyId: string;
  status: number;
  ms: number;
}

/** A call that was turned away before it reached an operation: 401 or 429. */
export interface TurnedAway {
  way: Way;
  requestId: string;
  status: number;
}

export interface Broken {
  /** The operation, or the route. */
  where: string;
  requestId: string;
  cause: unknown;
}

export interface Events {
  called(call: Called): void;
  turnedAway(call: TurnedAway): void;
  /** Something is wrong with us or with what we stand on; the caller was told only the request id. */
  broke(what: Broken): void;
  /** A part that we need does not answer; the caller was told so. */
  partMissing(what: Broken): void;
}

export interface EventsDeps {
  log: Logger;
  /** Where usage is counted; must not throw and must not wait. */
  record?: (call: Called) => void;
}

/** Slower calls are worth a line even where calls are not logged one by one. */
const SLOW_MS = 5_000;

export function createEvents({ log, record }: EventsDeps): Events {
  return {
    called(call) {
      record?.(call);
      if (call.ms >= SLOW_MS) log.warn(call, 'A call took long.');
      else log.debug(call, 'Called.');
    },
    turnedAway: (call) => log.debug(call, 'Turned away.'),
    broke: ({ cause, ...what }) =>
      log.error({ ...what, err: cause }, 'A call failed through no fault of its caller.'),
    partMissing: ({ cause, ...what }) =>
      log.warn({ ...what, err: cause }, 'A call failed because a part did not answer.'),
  };
}
