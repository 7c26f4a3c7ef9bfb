// The failures of an outside source. The engine decides by the code; the message is for people and names what failed.

export type SourceErrorCode =
  /** The credentials are refused, and a refresh did not help. */
  | 'auth_expired'
  /** Nothing may be asked before `retryAfterMs`. */
  | 'rate_limited'
  /** The source does not answer, or answers with 5xx. */
  | 'provider_unavailable'
  /** The cursor is too old or unknown: everything is listed anew. */
  | 'cursor_refused'
  /** The asked thing is not there, or not for this account. */
  | 'not_found'
  | 'forbidden'
  /** Larger than what is read. */
  | 'too_large'
  /** Another refusal of a single request, for good. */
  | 'refused'
  /** Not what the source publishes: no JSON, another shape, a page that repeats itself. */
  | 'bad_answer'
  /** The options of the connection do not work, as a bucket that is missing. */
  | 'bad_options';

interface SourceErrorFacts {
  readonly status?: number;
  readonly retryAfterMs?: number;
  readonly cause?: unknown;
  /** The sentence that says how a sync goes on by itself; a call that asked the source is not repeated. */
  readonly syncGoesOn?: string;
}

export class SourceError extends Error {
  readonly code: SourceErrorCode;
  readonly status: number | null;
  readonly retryAfterMs: number | null;
  /** The fault and the next step, for the caller who had the source asked. */
  readonly forCaller: string;

  constructor(code: SourceErrorCode, happened: string, more: SourceErrorFacts = {}) {
    const { syncGoesOn, retryAfterMs, status, cause } = more;
    super(
      syncGoesOn === undefined ? happened : `${happened} ${syncGoesOn}`,
      cause === undefined ? undefined : { cause },
    );
    this.name = 'SourceError';
    this.code = code;
    this.status = status ?? null;
    this.retryAfterMs = retryAfterMs ?? null;
    this.forCaller = syncGoesOn === undefined ? happened : `${happened} ${adviceAfter(retryAfterMs)}`;
  }
}

const adviceAfter = (retryAfterMs: number | undefined): string =>
  retryAfterMs === undefined
    ? 'Try again later, or check the options of the connection.'
    : `Try again after ${Math.ceil(retryAfterMs / 1000)} seconds.`;
