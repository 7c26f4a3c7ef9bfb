// Events of the service: one function per event, few labels, no content and no secrets.
import type { Logger } from './log.ts';

export type Way = 'rest' | 'mcp' | 'cli';

/** The words of the published API for kinds of calls; the others of that API never occur here. */
export type UsageType = 'add' | 'search' | 'search_v4' | 'update' | 'delete' | 'request';

export const USAGE_TYPES = [
  'add',
  'search',
  'search_v4',
  'update',
  'delete',
  'request',
] as const satisfies UsageType[];

/** The tags, the content and the input of a call, known as far as the call got. */
export interface CallFacts {
  readonly tags: readonly string[];
  /** Documents that it adds. */
  readonly documents: number;
  /** The size of their content. */
  readonly bytes: number;
  /** 1 if it is a search. */
  readonly searches: number;
  readonly input: unknown;
  /** Undefined: it gave no answer. */
  readonly output?: unknown;
}

/** One call that reached an operation, however it ended. */
export interface Called {
  operation: string;
  way: Way;
  requestId: string;
  keyId: string;
  status: number;
  ms: number;
}

/** A call that was refused before it reached an operation: 401 or 429. */
export interface TurnedAway {
  way: Way;
  requestId: string;
  status: number;
}

/** A call whose query was ended at its deadline. */
export interface QueryEnded extends Called {
  limitMs: number;
}

export interface Broken {
  /** The operation, or the route. */
  where: string;
  requestId: string;
  cause: unknown;
}

export interface Events {
  /** `facts`: for those who count; never logged. */
  called(call: Called, facts?: CallFacts): void;
  turnedAway(call: TurnedAway): void;
  /** A fault of the server or of a part that it needs; the caller saw only the request id. */
  broke(what: Broken): void;
  /** A part that the server needs does not answer; the error named it to the caller. */
  partMissing(what: Broken): void;
  /** A query took longer than it may; the server is well. */
  queryEnded(call: QueryEnded): void;
  /** The disk is full, or the database file is damaged. */
  storageFailed(what: Broken): void;
}

export interface EventsDeps {
  log: Logger;
  /** Counts usage; must not throw and must not wait. A call that reached no operation has neither operation nor key. */
  record?: (call: Called, facts?: CallFacts) => void;
  /** Remembers a fault of the disk or of the database for the health. */
  noteStorage?: (cause: unknown) => void;
}

/** A slower call is logged even where single calls are not logged. */
const SLOW_MS = 5_000;

export const createEvents = ({ log, record, noteStorage }: EventsDeps): Events => ({
  called(call, facts) {
    record?.(call, facts);
    if (call.ms >= SLOW_MS) log.warn(call, 'A call was slow.');
    else log.debug(call, 'Called.');
  },
  turnedAway(call) {
    record?.({ ...call, operation: '', keyId: '', ms: 0 });
    log.debug(call, 'Turned away.');
  },
  broke: ({ cause, ...what }) =>
    log.error({ ...what, err: cause }, 'A call failed because of an internal error.'),
  partMissing: ({ cause, ...what }) =>
    log.warn({ ...what, err: cause }, 'A call failed because a part of the service did not answer.'),
  queryEnded: (call) => log.warn(call, 'A query was ended at its deadline.'),
  storageFailed({ cause, ...what }) {
    noteStorage?.(cause);
    log.error({ ...what, err: cause }, 'A call failed because of the disk or of the database file.');
  },
});
