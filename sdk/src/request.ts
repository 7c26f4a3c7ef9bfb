// Sends every SDK call: builds the request, sends it, retries, and converts failures to errors.
import { APIConnectionError, APIConnectionTimeoutError, APIError, MemoirError } from './errors.ts';
import {
  checkedTimeout,
  type HeaderValues,
  type QueryValues,
  type RequestOptions,
  type Settings,
} from './options.ts';
import type { Answer } from './promise.ts';
import { aborted, isWorthRetrying, retryWait, sleep } from './retry.ts';
import { toFile, type Uploadable } from './uploads.ts';

/** One request of an operation. */
export interface Call {
  readonly method: string;
  /** The path with its parameters filled in. */
  readonly path: string;
  readonly query?: object | undefined;
  readonly body?: object | undefined;
  readonly form?: object | undefined;
  /** The operation accepts a container tag: the tag of the client is added if the call names none. */
  readonly tagged?: true;
  /** The answer is plain text; all others are JSON. */
  readonly plain?: true;
}

/** A program without types may give nothing. */
export const enc = (value: string | null | undefined): string => encodeURIComponent(value ?? '');

/** An empty part would lead to another operation, and so would dots, which `fetch` resolves. */
const checkPath = ({ method, path }: Call): void => {
  if (!path.split('/').some((part, at) => (part === '' && at > 0) || part === '.' || part === '..')) return;
  throw new MemoirError(
    `A part of the path of ${method} ${path} is empty or dots. Give the id or the name of what is meant.`,
  );
};

// --- the request -----------------------------------------------------------------------------------

const isPlainObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const callFieldText = (value: unknown): string =>
  isPlainObject(value) ? JSON.stringify(value) : String(value);

const queryString = (...all: readonly (object | undefined)[]): string => {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(Object.assign({}, ...all) as QueryValues)) {
    for (const each of [value].flat())
      if (each !== undefined && each !== null) query.append(name, callFieldText(each));
  }
  return query.size > 0 ? `?${query}` : '';
};

const requestForm = async (fields: object): Promise<FormData> => {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    if (value === undefined || value === null) continue;
    if (name === 'file') form.append(name, await toFile(value as Uploadable));
    else for (const each of [value].flat()) form.append(name, callFieldText(each));
  }
  return form;
};

const callHeaders = (
  { apiKey, defaultHeaders }: Settings,
  json: boolean,
  more: HeaderValues = {},
): Headers => {
  const headers = new Headers({ accept: 'application/json', authorization: `Bearer ${apiKey}` });
  if (json) headers.set('content-type', 'application/json');
  for (const [name, value] of [...Object.entries(defaultHeaders), ...Object.entries(more)]) {
    if (value === null) headers.delete(name);
    else if (value !== undefined) headers.set(name, value);
  }
  return headers;
};

/** Adds the container tag of the client to calls that accept one and name none. */
const withContainerTag = (call: Call, tag: string | undefined): Call => {
  if (call.tagged === undefined || tag === undefined) return call;
  const place = call.form ? 'form' : call.method === 'GET' ? 'query' : 'body';
  const fields: { containerTag?: unknown; containerTags?: unknown } = call[place] ?? {};
  if (fields.containerTag !== undefined || fields.containerTags !== undefined) return call;
  return { ...call, [place]: { ...fields, containerTag: tag } };
};

// --- the response ----------------------------------------------------------------------------------

type Signal = AbortSignal | null | undefined;

const responseText = async (response: Response, attempt: Attempt): Promise<string> => {
  try {
    return await response.text();
  } catch (cause) {
    throw connectionFailure(cause, attempt);
  }
};

const hasJsonType = (response: Response): boolean =>
  /\bjson\b/.test(response.headers.get('content-type') ?? '');

/** Undefined: the text is no JSON. */
const parsedText = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

const refusalBody = async (response: Response, attempt: Attempt): Promise<unknown> => {
  const text = await responseText(response, attempt);
  if (text === '') return null;
  return (hasJsonType(response) ? parsedText(text) : undefined) ?? text;
};

/** Another server than the meant one, or a proxy, answers with pages of its own: nothing was done then. */
const answerBody = async (response: Response, attempt: Attempt): Promise<unknown> => {
  const text = await responseText(response, attempt);
  if (response.status === 204) return null;
  if (attempt.plain && !/\bhtml\b/.test(response.headers.get('content-type') ?? '')) return text;
  const body = hasJsonType(response) ? parsedText(text) : undefined;
  if (body !== undefined) return body;
  throw new MemoirError(
    `${attempt.init.method} ${attempt.url} answered ${response.status} without JSON. Check that baseURL is the address of a Memoir server, and that no proxy before it answers.`,
  );
};

const answerOf = <T>(response: Response, attempt: Attempt): Answer<T> => ({
  response,
  read: async () => (await answerBody(response, attempt)) as T,
});

const connectionFailure = (cause: unknown, { url, timeout, signal }: Attempt): Error => {
  if (signal?.aborted) return aborted(signal);
  if (cause instanceof MemoirError) return cause;
  const name = cause instanceof Error ? cause.name : '';
  const { origin } = new URL(url);
  if (name === 'TimeoutError')
    return new APIConnectionTimeoutError(
      `${origin} did not answer within ${timeout} ms. Try again, or give a longer timeout.`,
      { cause },
    );
  const reason = cause instanceof Error ? (cause.cause ?? cause) : cause;
  const message = reason instanceof Error ? reason.message || reason.name : String(reason);
  return new APIConnectionError(
    `${origin} could not be reached: ${message.trim()}. Check that the server runs, and that baseURL is its address.`,
    { cause },
  );
};

// --- one call --------------------------------------------------------------------------------------

export type Send = <T>(call: Call, options?: RequestOptions) => Promise<Answer<T>>;

interface Attempt {
  readonly url: string;
  readonly init: RequestInit;
  readonly timeout: number;
  readonly signal: Signal;
  readonly plain: boolean;
}

const prepareAttempt = async (settings: Settings, call: Call, options: RequestOptions): Promise<Attempt> => {
  const { body, form, method, path, query } = withContainerTag(call, settings.containerTag);
  const sent = form === undefined ? body && JSON.stringify(body) : await requestForm(form);
  return {
    url: settings.baseURL + path + queryString(settings.defaultQuery, query, options.query),
    init: {
      ...settings.fetchOptions,
      method,
      headers: callHeaders(settings, body !== undefined && form === undefined, options.headers),
      ...(sent === undefined ? {} : { body: sent }),
    },
    timeout: options.timeout === undefined ? settings.timeout : checkedTimeout(options.timeout),
    signal: options.signal,
    plain: call.plain === true,
  };
};

/** Timers of some runtimes fire at once after a longer time. */
const LONGEST_MS = 2 ** 31 - 1;

const attemptOnce = async (
  settings: Settings,
  { url, init, timeout, signal }: Attempt,
): Promise<Response> => {
  const inTime = AbortSignal.timeout(Math.min(Math.ceil(timeout), LONGEST_MS));
  return settings.fetch(url, { ...init, signal: signal ? AbortSignal.any([signal, inTime]) : inTime });
};

/** The error of an attempt, and the facts that decide about a retry. */
type FailedAttempt = { error: Error; headers: Headers | null; again: boolean };

const failedAttempt = async (response: Response, attempt: Attempt): Promise<FailedAttempt> => {
  const error = APIError.of(response.status, await refusalBody(response, attempt), response.headers);
  return { error, headers: response.headers, again: isWorthRetrying(response) };
};

export const createSend = (settings: Settings): Send => {
  const { log } = settings;

  async function once(prepared: Attempt, attempt: number): Promise<Response | FailedAttempt> {
    const about = { method: prepared.init.method ?? '', url: prepared.url, attempt };
    const started = Date.now();
    log({ type: 'request', ...about });
    try {
      const response = await attemptOnce(settings, prepared);
      const requestID = response.headers.get('x-request-id');
      log({ type: 'response', ...about, status: response.status, ms: Date.now() - started, requestID });
      return response.ok ? response : await failedAttempt(response, prepared);
    } catch (cause) {
      log({ type: 'failure', ...about, ms: Date.now() - started, error: cause });
      return {
        error: connectionFailure(cause, prepared),
        headers: null,
        again: !prepared.signal?.aborted,
      };
    }
  }

  return async <T>(call: Call, options: RequestOptions = {}): Promise<Answer<T>> => {
    if (options.signal?.aborted) throw aborted(options.signal);
    checkPath(call);
    const prepared = await prepareAttempt(settings, call, options);
    const most = options.maxRetries ?? settings.maxRetries;
    for (let attempt = 1; ; attempt += 1) {
      const outcome = await once(prepared, attempt);
      if (outcome instanceof Response || !('again' in outcome)) return answerOf<T>(outcome, prepared);
      const { error, headers, again } = outcome;
      const waitMs =
        again && attempt <= most ? retryWait(attempt, headers, settings.maxRetryWait) : undefined;
      if (waitMs === undefined) throw error;
      const { method = '' } = prepared.init;
      log({ type: 'retry', method, url: prepared.url, attempt, waitMs, reason: error.message });
      await sleep(waitMs, options.signal);
    }
  };
};
