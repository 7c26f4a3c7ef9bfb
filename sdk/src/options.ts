// Options of a client and of a call.
import { MemoirError } from './errors.ts';

export type HeaderValues = Readonly<Record<string, string | null | undefined>>;
export type QueryValues = Readonly<Record<string, unknown>>;
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

export type LogLevel = 'off' | 'error' | 'warn' | 'info' | 'debug';
export type Logger = Readonly<Record<Exclude<LogLevel, 'off'>, (message: string, event: LogEvent) => void>>;

/** The argument of `log`; it never contains a key or a body. */
export type LogEvent = Readonly<{ method: string; url: string; attempt: number }> &
  (
    | { readonly type: 'request' }
    | {
        readonly type: 'response';
        readonly status: number;
        readonly ms: number;
        readonly requestID: string | null;
      }
    | { readonly type: 'retry'; readonly waitMs: number; readonly reason: string }
    | { readonly type: 'failure'; readonly ms: number; readonly error: unknown }
  );

export interface ClientOptions {
  /** Default: the environment variable MEMOIR_API_KEY. */
  apiKey?: string | undefined;
  /** Default: MEMOIR_BASE_URL, else http://localhost:6767. */
  baseURL?: string | undefined;
  /** Timeout of one attempt, including its answer. Default: 60,000 ms. */
  timeout?: number | undefined;
  /** Number of retries of a call. Default: 2. */
  maxRetries?: number | undefined;
  /** The longest wait before a retry. If the server requests a longer wait, the call fails at once. Default: 30,000 ms. */
  maxRetryWait?: number | undefined;
  fetch?: Fetch | undefined;
  /** Passed to every `fetch`. */
  fetchOptions?: RequestInit | undefined;
  defaultHeaders?: HeaderValues | undefined;
  defaultQuery?: QueryValues | undefined;
  /** Called for every request, answer, retry and failure. */
  log?: ((event: LogEvent) => void) | undefined;
  /** Receives log messages. Default: none, nothing is logged. */
  logger?: Logger | undefined;
  /** Default: warn. */
  logLevel?: LogLevel | undefined;
  /** Added to every call that accepts a container tag and names none. See `client.tag()`. */
  containerTag?: string | undefined;
}

export interface RequestOptions {
  signal?: AbortSignal | null | undefined;
  timeout?: number | undefined;
  maxRetries?: number | undefined;
  /** `null` removes a default header. */
  headers?: HeaderValues | undefined;
  query?: QueryValues | undefined;
}

/** All options with their defaults. */
export interface Settings {
  readonly apiKey: string;
  readonly baseURL: string;
  readonly timeout: number;
  readonly maxRetries: number;
  readonly maxRetryWait: number;
  readonly fetch: Fetch;
  readonly fetchOptions: RequestInit;
  readonly defaultHeaders: HeaderValues;
  readonly defaultQuery: QueryValues;
  readonly log: (event: LogEvent) => void;
  readonly containerTag: string | undefined;
}

interface Runtime {
  process?: { env?: Record<string, string | undefined> };
  Deno?: { env?: { get?: (name: string) => string | undefined } };
}

/** Reads an environment variable: from `process.env` in Node and Bun, from `Deno.env` in Deno; browsers have none. */
const environment = (name: string): string | undefined => {
  const { process, Deno } = globalThis as unknown as Runtime;
  const value = process?.env?.[name] ?? Deno?.env?.get?.(name);
  return value?.trim() || undefined;
};

const severity: Readonly<Record<LogLevel, number>> = { off: 0, error: 1, warn: 2, info: 3, debug: 4 };
const levels = { request: 'debug', response: 'info', retry: 'warn', failure: 'error' } as const;

const eventSentence = (event: LogEvent): string => {
  const call = `${event.method} ${event.url}`;
  if (event.type === 'response') return `${call} answered ${event.status} after ${event.ms} ms`;
  if (event.type === 'retry') return `${call} is retried in ${event.waitMs} ms: ${event.reason}`;
  return event.type === 'failure' ? `${call} failed after ${event.ms} ms` : `${call} is sent`;
};

const logOf = ({ log, logger, logLevel = 'warn' }: ClientOptions) => {
  const maxSeverity = severity[logLevel];
  return (event: LogEvent): void => {
    log?.(event);
    const level = levels[event.type];
    if (logger && severity[level] <= maxSeverity) logger[level](eventSentence(event), event);
  };
};

export const checkedTimeout = (ms: number): number => {
  if (ms > 0) return ms;
  throw new MemoirError(`timeout is ${ms}. Give milliseconds above 0.`);
};

const checkedAddress = (address: string): string => {
  if (/^https?:\/\//i.test(address) && URL.canParse(address)) return address.replace(/\/+$/, '');
  throw new MemoirError(`"${address}" is no address of a server. Give baseURL as in http://localhost:6767.`);
};

/** A key with other characters was copied wrong, and no header can carry it. */
const checkedKey = (key: string): string => {
  if (/^[\x21-\x7e]+$/.test(key)) return key;
  throw new MemoirError(
    'The API key is empty, or has characters that no key has. Copy it again as the server printed it.',
  );
};

export const resolveSettings = (options: ClientOptions): Settings => {
  const apiKey = options.apiKey ?? environment('MEMOIR_API_KEY');
  if (apiKey === undefined) {
    throw new MemoirError(
      'An API key is required: pass apiKey to new Memoir(…), or set MEMOIR_API_KEY. The server prints its first key when it starts for the first time.',
    );
  }
  return {
    apiKey: checkedKey(apiKey.trim()),
    baseURL: checkedAddress(options.baseURL ?? environment('MEMOIR_BASE_URL') ?? 'http://localhost:6767'),
    timeout: checkedTimeout(options.timeout ?? 60_000),
    maxRetries: options.maxRetries ?? 2,
    maxRetryWait: options.maxRetryWait ?? 30_000,
    // Called through a closure: the fetch of a browser needs the window as its `this`.
    fetch: options.fetch ?? ((url, init) => fetch(url, init)),
    fetchOptions: options.fetchOptions ?? {},
    defaultHeaders: options.defaultHeaders ?? {},
    defaultQuery: options.defaultQuery ?? {},
    log: logOf(options),
    containerTag: options.containerTag,
  };
};
