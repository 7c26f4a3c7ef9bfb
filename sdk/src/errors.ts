// Everything that the client throws: one class for each status, made in one place.

/** What every error of this client is. */
export class MemoirError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
  }
}

/** The server answered, and refused. */
export class APIError extends MemoirError {
  readonly status: number;
  /** The body of the answer: `{ error, details? }`, or whatever came instead. */
  readonly error: unknown;
  readonly headers: Headers;
  /** By which the server's log knows this request. */
  readonly requestID: string | null;

  constructor(status: number, error: unknown, headers: Headers) {
    super(`${status} ${sentenceOf(error)}`);
    this.status = status;
    this.error = error;
    this.headers = headers;
    this.requestID = headers.get('x-request-id');
  }

  /** Makes the class that belongs to a status. */
  static of(status: number, error: unknown, headers: Headers): APIError {
    const Kind = byStatus[status] ?? (status >= 500 ? InternalServerError : APIError);
    return new Kind(status, error, headers);
  }
}

export class BadRequestError extends APIError {}
export class AuthenticationError extends APIError {}
export class PermissionDeniedError extends APIError {}
export class NotFoundError extends APIError {}
export class ConflictError extends APIError {}
export class ContentTooLargeError extends APIError {}
export class UnprocessableEntityError extends APIError {}
export class RateLimitError extends APIError {}
export class InternalServerError extends APIError {}

const byStatus: Readonly<Record<number, typeof APIError>> = {
  400: BadRequestError,
  401: AuthenticationError,
  403: PermissionDeniedError,
  404: NotFoundError,
  409: ConflictError,
  413: ContentTooLargeError,
  422: UnprocessableEntityError,
  429: RateLimitError,
};

/** No answer came. */
export class APIConnectionError extends MemoirError {}
/** None came in time. */
export class APIConnectionTimeoutError extends APIConnectionError {}
/** The caller's own signal ended the call. */
export class APIUserAbortError extends MemoirError {}

function sentenceOf(error: unknown): string {
  if (typeof error === 'string' && error !== '') return error;
  if (typeof error !== 'object' || error === null) return 'The answer has no body.';
  const { error: text, details } = error as { error?: unknown; details?: unknown };
  const told = [text, details].filter((part) => typeof part === 'string' && part !== '');
  return told.length > 0 ? told.join(' ') : JSON.stringify(error);
}
