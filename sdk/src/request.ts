// The one way to the server: builds the request, sends it, tries again, and turns failures into errors.
import { APIConnectionError, APIConnectionTimeoutError, APIError, MemoirError } from './errors.ts';
import type { HeaderValues, QueryValues, RequestOptions, Settings } from './options.ts';
import type { Answer } from './promise.ts';
import { aborted, isWorthRetrying, sleep, waitBefore } from './retry.ts';
import { toFile, type Uploadable } from './uploads.ts';

/** One request, as an operation describes it. */
export interface Call {
  readonly method: string;
  /** With its parameters in place. */
  readonly path: string;
  readonly query?: object | undefined;
  readonly body?: object | undefined;
  readonly form?: object | undefined;
  /** The operation takes a container tag: where the client has one and the call names none, it is added. */
  readonly tagged?: true;
}

export const enc = (value: string): string => encodeURIComponent(value);

// --- what is sent ----------------------------------------------------------------------------------

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const written = (value: unknown): string => (isObject(value) ? JSON.stringify(value) : String(value));

function queryOf(...all: readonly (object | undefined)[]): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(Object.assign({}, ...all) as QueryValues)) {
    for (const each of [value].flat())
      if (each !== undefined && each !== null) query.append(name, written(each));
  }
  return query.size > 0 ? `?${query}` : '';
}

async function formOf(fields: object): Promise<FormData> {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    if (value === undefined || value === null) continue;
    if (name === 'file') form.append(name, await toFile(value as Uploadable));
    else for (const each of [value].flat()) form.append(name, written(each));
  }
  return form;
}

function headersOf({ apiKey, defaultHeaders }: Settings, json: boolean, more: HeaderValues = {}): Headers {
  const headers = new Headers({ accept: 'application/json', authorization: `Bearer ${apiKey}` });
  if (json) headers.set('content-type', 'application/json');
  for (const [name, value] of [...Object.entries(defaultHeaders), ...Object.entries(more)]) {
    if (value === null) headers.delete(name);
    else if (value !== undefined) headers.set(name, value);
  }
  return headers;
}

/** The container tag of the client, for calls that take one and name none. */
function scoped(call: Call, tag: string | undefined): Call {
  if (call.tagged === undefined || tag === undefined) return call;
  const place = call.form ? 'form' : call.method === 'GET' ? 'query' : 'body';
  const fields: { containerTag?: unknown; containerTags?: unknown } = call[place] ?? {};
  if (fields.containerTag !== undefined || fields.containerTags !== undefined) return call;
  return { ...call, [place]: { ...fields, containerTag: tag } };
}

// --- what comes back -------------------------------------------------------------------------------

type Signal = AbortSignal | null | undefined;

async function textOf(response: Response, signal: Signal): Promise<string> {
  try {
    return await response.text();
  } catch (cause) {
    throw failureOf(cause, signal);
  }
}

const isJson = (response: Response): boolean => /\bjson\b/.test(response.headers.get('content-type') ?? '');

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

async function bodyOf(response: Response, signal: Signal): Promise<unknown> {
  const text = await textOf(response, signal);
  if (text === '') return null;
  return isJson(response) ? parsed(text) : text;
}

const answerOf = <T>(response: Response, signal: Signal): Answer<T> => ({
  response,
  read: async () => (await bodyOf(response, signal)) as T,
});

function failureOf(cause: unknown, signal: Signal): Error {
  if (signal?.aborted) return aborted(signal);
  if (cause instanceof MemoirError) return cause;
  const name = cause instanceof Error ? cause.name : '';
  if (name === 'TimeoutError') return new APIConnectionTimeoutError('No answer came in time.', { cause });
  const why = cause instanceof Error ? (cause.cause ?? cause) : cause;
  const told = why instanceof Error ? why.message : String(why);
  return new APIConnectionError(`The server could not be reached: ${told}`, { cause });
}

// --- one call --------------------------------------------------------------------------------------

export type Send = <T>(call: Call, options?: RequestOptions) => Promise<Answer<T>>;

interface Attempt {
  readonly url: string;
  readonly init: RequestInit;
  readonly timeout: number;
  readonly signal: Signal;
}

async function prepare(settings: Settings, call: Call, options: RequestOptions): Promise<Attempt> {
  const { body, form, method, path, query } = scoped(call, settings.containerTag);
  const sent = form === undefined ? body && JSON.stringify(body) : await formOf(form);
  return {
    url: settings.baseURL + path + queryOf(settings.defaultQuery, query, options.query),
    init: {
      ...settings.fetchOptions,
      method,
      headers: headersOf(settings, body !== undefined && form === undefined, options.headers),
      ...(sent === undefined ? {} : { body: sent }),
    },
    timeout: options.timeout ?? settings.timeout,
    signal: options.signal,
  };
}

async function attemptOnce(settings: Settings, { url, init, timeout, signal }: Attempt): Promise<Response> {
  const inTime = AbortSignal.timeout(timeout);
  return settings.fetch(url, { ...init, signal: signal ? AbortSignal.any([signal, inTime]) : inTime });
}

/** The error that this attempt ends with, if it does, and what the server says about another one. */
type Ending = { error: Error; headers: Headers | null; again: boolean };

async function ending(response: Response, signal: Signal): Promise<Ending> {
  const error = APIError.of(response.status, await bodyOf(response, signal), response.headers);
  return { error, headers: response.headers, again: isWorthRetrying(response) };
}

export function createSend(settings: Settings): Send {
  const { log } = settings;

  async function once(given: Attempt, attempt: number): Promise<Response | Ending> {
    const about = { method: given.init.method ?? '', url: given.url, attempt };
    const started = Date.now();
    log({ type: 'request', ...about });
    try {
      const response = await attemptOnce(settings, given);
      const requestID = response.headers.get('x-request-id');
      log({ type: 'response', ...about, status: response.status, ms: Date.now() - started, requestID });
      return response.ok ? response : await ending(response, given.signal);
    } catch (cause) {
      log({ type: 'failure', ...about, ms: Date.now() - started, error: cause });
      return { error: failureOf(cause, given.signal), headers: null, again: !given.signal?.aborted };
    }
  }

  return async <T>(call: Call, options: RequestOptions = {}): Promise<Answer<T>> => {
    if (options.signal?.aborted) throw aborted(options.signal);
    const given = await prepare(settings, call, options);
    const most = options.maxRetries ?? settings.maxRetries;
    for (let attempt = 1; ; attempt += 1) {
      const outcome = await once(given, attempt);
      if (outcome instanceof Response || !('again' in outcome)) return answerOf<T>(outcome, options.signal);
      const { error, headers, again } = outcome;
      const waitMs =
        again && attempt <= most ? waitBefore(attempt, headers, settings.maxRetryWait) : undefined;
      if (waitMs === undefined) throw error;
      const { method = '' } = given.init;
      log({ type: 'retry', method, url: given.url, attempt, waitMs, reason: error.message });
      await sleep(waitMs, options.signal);
    }
  };
}
