// The errors that the client throws: one class for each status.

/** Base class of every error of this client. */
export class MemoirError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
  }
}

/** The server answered with an error status. */
export class APIError extends MemoirError {
  readonly status: number;
  /** The body of the answer: usually `{ error, details? }`. */
  readonly error: unknown;
  readonly headers: Headers;
  /** The id of this request in the server log. */
  readonly requestID: string | null;

  constructor(status: number, error: unknown, headers: Headers) {
    super(`${status} ${errorSentence(error)}`);
    this.status = status;
    this.error = error;
    this.headers = headers;
    this.requestID = headers.get('x-request-id');
  }

  /** Creates an error of the class that belongs to the status. */
  static of(status: number, error: unknown, headers: Headers): APIError {
    const Kind = byStatus[status] ?? (status >= 500 ? InternalServerError : AnyAPIError);
    return new Kind(status, error, headers);
  }
}

/** A class that names itself in its body is renamed by the build, and its errors with it. */
const AnyAPIError: typeof APIError = APIError;

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

/** The server could not be reached. */
export class APIConnectionError extends MemoirError {}
/** The server did not answer in time. */
export class APIConnectionTimeoutError extends APIConnectionError {}
/** The signal of the caller aborted the call. */
export class APIUserAbortError extends MemoirError {}

/** A proxy answers with whole pages. */
const LONGEST_TEXT = 300;

const errorSentence = (error: unknown): string => {
  if (typeof error === 'string' && error !== '')
    return error.length > LONGEST_TEXT ? `${error.slice(0, LONGEST_TEXT)}…` : error;
  if (typeof error !== 'object' || error === null) return 'The answer has no body.';
  const { error: text, details } = error as { error?: unknown; details?: unknown };
  const sentences = [text, details].filter((part) => typeof part === 'string' && part !== '');
  return sentences.length > 0 ? sentences.join(' ') : JSON.stringify(error);
};
