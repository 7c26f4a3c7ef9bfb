// The exports of `memoir-sdk` except the generated types; `npm run generate` joins both in index.generated.ts.
export {
  APIConnectionError,
  APIConnectionTimeoutError,
  APIError,
  APIUserAbortError,
  AuthenticationError,
  BadRequestError,
  ConflictError,
  ContentTooLargeError,
  InternalServerError,
  MemoirError,
  NotFoundError,
  PermissionDeniedError,
  RateLimitError,
  UnprocessableEntityError,
} from './errors.ts';
export type { ProfileCall, SearchCall } from './memoir.ts';
export { Memoir, Memoir as default } from './memoir.ts';
export type { ClientOptions, Fetch, LogEvent, Logger, LogLevel, RequestOptions } from './options.ts';
export { APIPromise, ListPromise } from './promise.ts';
export type { FileFacts, ResponseLike } from './uploads.ts';
export { toFile } from './uploads.ts';
export {
  DocumentFailedError,
  type EndState,
  endStates,
  type MiddleState,
  middleStates,
  type WaitOptions,
  WaitTimeoutError,
} from './waiting.ts';
export { type Filter, filtersFor, type MetadataShape, type Where, where } from './where.ts';
