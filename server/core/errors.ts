// Errors that a caller may see. Anything else that is thrown becomes a 500 that hides its cause.

export type ErrorStatus =
  | 400
  | 401
  | 403
  | 404
  | 405
  | 408
  | 409
  | 410
  | 413
  | 417
  | 429
  | 500
  | 501
  | 503
  | 507;

export interface ErrorOptionsOurs {
  details?: string;
  cause?: unknown;
  headers?: Record<string, string>;
}

/** An error whose message is written for the caller: what happened and what to do next. */
export class MemoirError extends Error {
  readonly status: ErrorStatus;
  readonly details: string | undefined;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: ErrorStatus, message: string, options: ErrorOptionsOurs = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'MemoirError';
    this.status = status;
    this.details = options.details;
    this.headers = options.headers ?? {};
  }
}

/** Long enough for somebody to free some space, short enough for a client that waits. */
const NO_ROOM_RETRY_S = '30';

export const badRequest = (message: string, options?: ErrorOptionsOurs) =>
  new MemoirError(400, message, options);
export const unauthorized = (message: string, options?: ErrorOptionsOurs) =>
  new MemoirError(401, message, options);
export const forbidden = (message: string, options?: ErrorOptionsOurs) =>
  new MemoirError(403, message, options);
export const notFound = (message: string, options?: ErrorOptionsOurs) =>
  new MemoirError(404, message, options);
export const unavailable = (message: string, options?: ErrorOptionsOurs) =>
  new MemoirError(503, message, options);

/** A query ran for longer than it may; the caller may narrow it or try again. */
export class QueryEndedError extends MemoirError {
  readonly limitMs: number;

  constructor(limitMs: number, message: string, options: ErrorOptionsOurs = {}) {
    super(503, message, options);
    this.name = 'QueryEndedError';
    this.limitMs = limitMs;
  }
}

/** Long enough for a restart of the database that goes well. */
const DATABASE_RETRY_S = '5';

/** The database did not do what was asked, and the client tries again. */
export class DatabaseUnavailableError extends MemoirError {
  constructor(message: string, cause: unknown) {
    super(503, message, { cause, headers: { 'retry-after': DATABASE_RETRY_S, 'x-should-retry': 'true' } });
    this.name = 'DatabaseUnavailableError';
  }
}

/** The database does not answer. */
export class DatabaseAwayError extends DatabaseUnavailableError {
  constructor(cause: unknown) {
    super(
      'The database of this server does not answer, so this was not done. Send it again in a few seconds; the server connects by itself once the database is back.',
      cause,
    );
    this.name = 'DatabaseAwayError';
  }
}

/** The database answers, and had no turn for this call in time. */
export class DatabaseBusyError extends DatabaseUnavailableError {
  constructor(cause: unknown) {
    super(
      'The database of this server is busy with other calls, so this was not done. Send it again in a few seconds.',
      cause,
    );
    this.name = 'DatabaseBusyError';
  }
}

/** The disk takes no more data: nothing was stored. The client tries again later, when there is room. */
export const noRoom = (message: string, options: ErrorOptionsOurs = {}) =>
  new MemoirError(507, message, {
    ...options,
    headers: { 'retry-after': NO_ROOM_RETRY_S, 'x-should-retry': 'true', ...options.headers },
  });

/** A client with automatic retries does not retry 409 and 501. */
export const conflict = (message: string, options: ErrorOptionsOurs = {}) =>
  new MemoirError(409, message, { ...options, headers: { 'x-should-retry': 'false', ...options.headers } });
export const notImplemented = (message: string, options: ErrorOptionsOurs = {}) =>
  new MemoirError(501, message, { ...options, headers: { 'x-should-retry': 'false', ...options.headers } });

export interface IngestErrorOptions {
  retryable?: boolean;
  retryAfterMs?: number;
  byProvider?: boolean;
  explanation?: string;
  cause?: unknown;
}

/**
 * A step of ingestion that did not succeed. `retryable` says whether the same step may pass later;
 * the message is stored on the document, so it is written for the document's owner.
 */
export class IngestError extends Error {
  readonly code: string;
  readonly retryable: boolean;
  readonly retryAfterMs: number | undefined;
  /** True: the provider is at fault and not the content, so the content is tried again until the provider is well. */
  readonly byProvider: boolean;
  /** The message without its last advice, for a place where other advice is right. */
  readonly explanation: string;

  constructor(code: string, message: string, options: IngestErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'IngestError';
    this.code = code;
    this.retryable = options.retryable ?? false;
    this.retryAfterMs = options.retryAfterMs;
    this.byProvider = options.byProvider ?? false;
    this.explanation = options.explanation ?? message;
  }
}

/** Creates an `IngestError`: code in `lib` that does not know the class gets this function. */
export const ingestError = (code: string, message: string, options?: IngestErrorOptions): IngestError =>
  new IngestError(code, message, options);

/** A client with automatic retries waits as long as `Retry-After` says; after a longer wait the user should decide. */
const LONG_WAIT_MS = 60_000;

/** 429 for a limit that passes by itself. */
export const tooMany = (sentence: string, waitMs: number): MemoirError => {
  const wait = Math.max(1, Math.ceil(waitMs));
  const seconds = Math.ceil(wait / 1000);
  return new MemoirError(
    429,
    `${sentence} Try again in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}.`,
    {
      headers: {
        'retry-after': String(seconds),
        'retry-after-ms': String(wait),
        ...(wait > LONG_WAIT_MS ? { 'x-should-retry': 'false' } : {}),
      },
    },
  );
};

/** A mail that was not taken. */
export class MailError extends Error {
  /** True: the server refuses this mail for good, so it is not tried again. */
  readonly isFinal: boolean;

  constructor(message: string, options: { isFinal: boolean; cause: unknown }) {
    super(message, { cause: options.cause });
    this.name = 'MailError';
    this.isFinal = options.isFinal;
  }
}

/** The provider did not sign the person in, or did not answer as it should. */
export class IdentityError extends Error {
  constructor(message: string, cause: unknown) {
    super(message, { cause });
    this.name = 'IdentityError';
  }
}
