// One request to the public web: every address that it is led to is checked, everything about it is bounded.
import type { LookupFunction } from 'node:net';
import type { Readable } from 'node:stream';
import { type Dispatcher, request } from 'undici';
import { IngestError } from '../../errors.ts';
import { type ConnectionLimits, openConnections } from './connection.ts';
import { fetchError } from './failures.ts';
import { checkTarget, hostOf, parseTarget, type Trusted, trustNobody } from './target.ts';
import { ACCEPTED, unpacked } from './unpack.ts';

export interface FetchLimits extends ConnectionLimits {
  readonly totalMs: number;
  readonly redirects: number;
}

export const FETCH_LIMITS: FetchLimits = {
  connectMs: 5_000,
  headersMs: 10_000,
  bodyMs: 10_000,
  totalMs: 120_000,
  redirects: 5,
};

/** Handed in by code alone, so that tests reach servers of their own; there is no setting for it. */
export interface Seams {
  lookup?: LookupFunction;
  trusted?: Trusted;
  /** Origins that are asked at another origin: `https://pages.example` at `http://127.0.0.1:4000`. */
  standIns?: Readonly<Record<string, string>>;
}

export interface SafeFetchOptions {
  readonly userAgent: string;
  readonly limits?: Partial<FetchLimits>;
  readonly seams?: Seams;
}

export interface Ask {
  readonly method?: 'GET' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal: AbortSignal;
}

export interface Fetched {
  readonly status: number;
  /** Where it was found in the end. */
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  /** Unpacked; to be read to its end, or let go, or the connection stays open. */
  readonly body: AsyncGenerator<Buffer>;
  letGo(): void;
}

export interface SafeFetch {
  (address: string, ask: Ask): Promise<Fetched>;
  close(): Promise<void>;
}

const ACCEPT = 'text/html,application/xhtml+xml,application/pdf;q=0.9,*/*;q=0.5';
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

const FAILURES: Readonly<Record<string, (host: string) => IngestError>> = {
  ENOTFOUND: (host) => fetchError('dns_failed', `There is no host ${host}. Check the address.`),
  EAI_AGAIN: (host) =>
    fetchError('dns_failed', `The address of ${host} cannot be found at the moment; it is tried again.`, {
      retryable: true,
    }),
  UND_ERR_CONNECT_TIMEOUT: (host) => tooSlow(host),
  UND_ERR_HEADERS_TIMEOUT: (host) => tooSlow(host),
  UND_ERR_BODY_TIMEOUT: (host) => tooSlow(host),
  UND_ERR_HEADERS_OVERFLOW: (host) =>
    fetchError('fetch_failed', `The headers that ${host} sends are too long.`, { retryable: false }),
};

const tooSlow = (host: string) =>
  fetchError('timeout', `The server ${host} took too long to answer; it is tried again later.`);

/** Who waits behind whom: a refusal of ours arrives as the cause of an error of the connection. */
const ours = (error: unknown): IngestError | null => {
  if (error instanceof IngestError) return error;
  if (error instanceof AggregateError) return ours(error.errors[0]);
  return error instanceof Error && error.cause !== undefined ? ours(error.cause) : null;
};

const codeOf = (error: unknown): string => {
  if (error instanceof AggregateError) return codeOf(error.errors[0]);
  return error instanceof Error && 'code' in error ? String(error.code) : '';
};

interface Clock {
  /** For the request: ends at the deadline and with the caller. */
  readonly signal: AbortSignal;
  readonly deadline: AbortSignal;
}

const failure = (error: unknown, host: string, { deadline, signal }: Clock): unknown => {
  const refusal = ours(error);
  if (refusal !== null) return refusal;
  if (deadline.aborted) return tooSlow(host);
  if (signal.aborted) return signal.reason;
  const known = FAILURES[codeOf(error)];
  if (known) return known(host);
  const why = error instanceof Error ? error.message : String(error);
  return fetchError('fetch_failed', `The connection to ${host} failed (${why}); it is tried again later.`, {
    cause: error,
  });
};

const flat = (headers: Record<string, string | string[] | undefined>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(', ') : `${value ?? ''}`,
    ]),
  );

const drop = (body: Readable): void => {
  body.on('error', () => undefined).destroy();
};

export function createSafeFetch({ userAgent, limits: given, seams = {} }: SafeFetchOptions): SafeFetch {
  const limits = { ...FETCH_LIMITS, ...given };
  const { trusted = trustNobody, standIns = {}, lookup } = seams;
  const connections = openConnections({ limits, trusted, ...(lookup === undefined ? {} : { lookup }) });
  // Only what tests stand up is asked without being checked, at exactly the origins that they named.
  const unchecked = openConnections({ limits, trusted: { address: () => true, port: () => true } });

  const send = (url: URL, ask: Ask, signal: AbortSignal): Promise<Dispatcher.ResponseData> => {
    const standIn = Object.hasOwn(standIns, url.origin) ? standIns[url.origin] : undefined;
    if (standIn === undefined) checkTarget(url, trusted);
    const aim = standIn === undefined ? url : new URL(url.pathname + url.search, standIn);
    return request(aim, {
      dispatcher: standIn === undefined ? connections : unchecked,
      method: ask.method ?? 'GET',
      signal,
      headers: {
        'user-agent': userAgent,
        accept: ACCEPT,
        ...ask.headers,
        'accept-encoding': ACCEPTED,
        ...(standIn === undefined ? {} : { host: url.host }),
      },
      ...(ask.body === undefined ? {} : { body: ask.body }),
    });
  };

  async function* body(answer: Dispatcher.ResponseData, url: URL, clock: Clock): AsyncGenerator<Buffer> {
    try {
      yield* unpacked(answer.body, flat(answer.headers)['content-encoding'] ?? '');
    } catch (error) {
      throw failure(error, hostOf(url), clock);
    }
  }

  const step = async (url: URL, ask: Ask, clock: Clock): Promise<Dispatcher.ResponseData> => {
    try {
      return await send(url, ask, clock.signal);
    } catch (error) {
      throw failure(error, hostOf(url), clock);
    }
  };

  const safeFetch = async (address: string, ask: Ask): Promise<Fetched> => {
    const deadline = AbortSignal.timeout(limits.totalMs);
    const clock = { deadline, signal: AbortSignal.any([ask.signal, deadline]) };
    let url = parseTarget(address);
    if (url === null) throw fetchError('bad_url', 'This cannot be read as a web address. Check it.');
    for (let hops = 0; ; hops++) {
      const answer = await step(url, ask, clock);
      const { location = '', ...headers } = flat(answer.headers);
      if (!REDIRECTS.has(answer.statusCode) || location === '')
        return {
          status: answer.statusCode,
          url,
          headers,
          body: body(answer, url, clock),
          letGo: () => drop(answer.body),
        };
      drop(answer.body);
      url = follow(url, location, ask, hops >= limits.redirects);
    }
  };

  return Object.assign(safeFetch, {
    close: async () => {
      await Promise.all([connections.destroy(), unchecked.destroy()]);
    },
  });
}

function follow(from: URL, location: string, ask: Ask, tooMany: boolean): URL {
  if (tooMany)
    throw fetchError(
      'too_many_redirects',
      `The server ${hostOf(from)} leads on and on. Send the address at its end.`,
    );
  const url = parseTarget(location, from);
  if (url === null || ask.method === 'POST')
    throw fetchError('bad_redirect', `The server ${hostOf(from)} leads on to something that is no address.`);
  // What stands behind the # stays what was asked for.
  if (url.hash === '') url.hash = from.hash;
  return url;
}
