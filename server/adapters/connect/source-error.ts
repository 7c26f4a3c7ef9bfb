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

export class SourceError extends Error {
  readonly code: SourceErrorCode;
  readonly status: number | null;
  readonly retryAfterMs: number | null;

  constructor(
    code: SourceErrorCode,
    message: string,
    more: { status?: number; retryAfterMs?: number; cause?: unknown } = {},
  ) {
    super(message, more.cause === undefined ? undefined : { cause: more.cause });
    this.name = 'SourceError';
    this.code = code;
    this.status = more.status ?? null;
    this.retryAfterMs = more.retryAfterMs ?? null;
  }
}
