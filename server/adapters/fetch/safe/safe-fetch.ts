// One request to the public web: every address on the way is checked, and its time, size and redirects are limited.
import type { LookupFunction } from 'node:net';
import type { Readable } from 'node:stream';
import { type Dispatcher, request } from 'undici';
import { IngestError } from '../../../core/errors.ts';
import { codeOf, messageOf } from '../../../lib/failures.ts';
import { isMachineMetadata } from './addresses.ts';
import { type ConnectionLimits, openConnections } from './connection.ts';
import { fetchError } from './failures.ts';
import { checkPrivateTarget, checkTarget, hostOf, parseTarget, type Trusted, trustNobody } from './target.ts';
import { ACCEPTED_ENCODINGS, unpackBody } from './unpack.ts';

export interface FetchLimits extends ConnectionLimits {
  readonly totalMs: number;
  readonly redirects: number;
}

const FETCH_LIMITS: FetchLimits = {
  connectMs: 5_000,
  headersMs: 10_000,
  bodyMs: 10_000,
  totalMs: 120_000,
  redirects: 5,
};

/** Only code can pass these, so that tests reach servers of their own; no setting does. */
export interface Seams {
  lookup?: LookupFunction;
  trusted?: Trusted;
  /** Replaces an origin by another one: `https://pages.example` by `http://127.0.0.1:4000`. */
  standIns?: Readonly<Record<string, string>>;
}

export interface SafeFetchOptions {
  readonly userAgent: string;
  readonly limits?: Partial<FetchLimits>;
  /** Hosts inside the own network that may be asked, as in "minio:9000". */
  readonly privateHosts?: readonly string[];
  readonly seams?: Seams;
}

export interface FetchRequest {
  readonly method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** False: a redirect is the answer, and its headers have the location. */
  readonly follows?: boolean;
  readonly signal: AbortSignal;
}

export interface Fetched {
  readonly status: number;
  /** The address after all redirects. */
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  /** Unpacked. Read it to its end or call `discard`, otherwise the connection stays open. */
  readonly body: AsyncGenerator<Buffer>;
  discard(): void;
}

export interface SafeFetch {
  (address: string, request: FetchRequest): Promise<Fetched>;
  close(): Promise<void>;
}

const ACCEPT = 'text/html,application/xhtml+xml,application/pdf;q=0.9,*/*;q=0.5';
const REDIRECTS = new Set([301, 302, 303, 307, 308]);
/** A redirect of any other method would send its body elsewhere. */
const REPEATABLE = new Set(['GET', 'HEAD']);
/** Headers that prove who asks are for the origin that was asked and for no other. */
const CREDENTIALS = /^(?:authorization|cookie|proxy-authorization|x-api-key|x-amz-.*)$/i;

const FAILURES: Readonly<Record<string, (host: string) => IngestError>> = {
  ENOTFOUND: (host) => fetchError('dns_failed', `There is no host ${host}. Check the address.`),
  EAI_AGAIN: (host) =>
    fetchError('dns_failed', `The address of ${host} cannot be found at the moment; it is retried later.`, {
      retryable: true,
    }),
  UND_ERR_CONNECT_TIMEOUT: (host) => timeoutError(host),
  UND_ERR_HEADERS_TIMEOUT: (host) => timeoutError(host),
  UND_ERR_BODY_TIMEOUT: (host) => timeoutError(host),
  UND_ERR_HEADERS_OVERFLOW: (host) =>
    fetchError(
      'fetch_failed',
      `The headers that ${host} sends are too long, so the page is not read. Send its text, or upload the file.`,
      { retryable: false },
    ),
};

const timeoutError = (host: string) =>
  fetchError('timeout', `The server ${host} took too long to answer; it is retried later.`);

/** Our own refusal, which arrives as the cause of an error of the connection. */
const ownError = (error: unknown): IngestError | null => {
  if (error instanceof IngestError) return error;
  if (error instanceof AggregateError) return ownError(error.errors[0]);
  return error instanceof Error && error.cause !== undefined ? ownError(error.cause) : null;
};

/** One error for several addresses of a host has its code in the first of them. */
const connectionCode = (error: unknown): string =>
  error instanceof AggregateError ? connectionCode(error.errors[0]) : (codeOf(error) ?? '');

interface FetchClock {
  /** Ends at the deadline, and when the caller aborts. */
  readonly signal: AbortSignal;
  readonly deadline: AbortSignal;
}

const connectionError = (error: unknown, host: string, { deadline, signal }: FetchClock): unknown => {
  const refusal = ownError(error);
  if (refusal !== null) return refusal;
  if (deadline.aborted) return timeoutError(host);
  if (signal.aborted) return signal.reason;
  const known = FAILURES[connectionCode(error)];
  if (known) return known(host);
  const message = `The connection to ${host} failed (${messageOf(error)}); it is retried later.`;
  return fetchError('fetch_failed', message, { cause: error });
};

const singleHeaders = (headers: Record<string, string | string[] | undefined>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(', ') : `${value ?? ''}`,
    ]),
  );

const discardBody = (body: Readable): void => {
  body.on('error', () => undefined).destroy();
};

interface FetchContext {
  readonly userAgent: string;
  readonly limits: FetchLimits;
  readonly trusted: Trusted;
  readonly standIns: Readonly<Record<string, string>>;
  readonly connections: Dispatcher;
  readonly privateHosts: ReadonlySet<string>;
  readonly privateConnections: Dispatcher;
  /** Only for stand-ins, which are not checked. */
  readonly uncheckedConnections: Dispatcher;
}

export const createSafeFetch = (options: SafeFetchOptions): SafeFetch => {
  const { userAgent, seams = {}, privateHosts = [] } = options;
  const limits = { ...FETCH_LIMITS, ...options.limits };
  const { trusted = trustNobody, standIns = {}, lookup } = seams;
  const connections = openConnections({ limits, trusted, ...(lookup === undefined ? {} : { lookup }) });
  const uncheckedConnections = openConnections({
    limits,
    trusted: { address: () => true, port: () => true },
  });
  const privateConnections = openConnections({
    limits,
    trusted: { address: (address) => !isMachineMetadata(address), port: () => true },
    ...(lookup === undefined ? {} : { lookup }),
  });
  const context: FetchContext = {
    ...{ userAgent, limits, trusted, standIns, connections, uncheckedConnections, privateConnections },
    privateHosts: new Set(privateHosts),
  };
  return Object.assign(
    (address: string, outgoing: FetchRequest) => fetchAddress(context, address, outgoing),
    {
      close: async () => {
        await Promise.all(
          [connections, privateConnections, uncheckedConnections].map((each) => each.destroy()),
        );
      },
    },
  );
};

const fetchAddress = async (
  context: FetchContext,
  address: string,
  outgoing: FetchRequest,
): Promise<Fetched> => {
  const deadline = AbortSignal.timeout(context.limits.totalMs);
  const clock = { deadline, signal: AbortSignal.any([outgoing.signal, deadline]) };
  let url = parseTarget(address);
  if (url === null) throw fetchError('bad_url', 'This cannot be read as a web address. Check it.');
  let sent = outgoing;
  for (let hops = 0; ; hops++) {
    const answer = await sendOrFail(context, url, sent, clock);
    const headers = singleHeaders(answer.headers);
    const { location = '' } = headers;
    if (!REDIRECTS.has(answer.statusCode) || location === '' || outgoing.follows === false)
      return {
        status: answer.statusCode,
        url,
        headers,
        body: readAnswerBody(answer, url, clock),
        discard: () => discardBody(answer.body),
      };
    discardBody(answer.body);
    if (hops >= context.limits.redirects) throw redirectsError(url);
    const next = nextAddress(url, location, outgoing);
    if (next.origin !== url.origin) sent = withoutCredentials(sent);
    url = next;
  }
};

const withoutCredentials = (outgoing: FetchRequest): FetchRequest => ({
  ...outgoing,
  headers: Object.fromEntries(
    Object.entries(outgoing.headers ?? {}).filter(([name]) => !CREDENTIALS.test(name)),
  ),
});

const sendOrFail = async (
  context: FetchContext,
  url: URL,
  outgoing: FetchRequest,
  clock: FetchClock,
): Promise<Dispatcher.ResponseData> => {
  try {
    return await sendRequest(context, url, outgoing, clock.signal);
  } catch (error) {
    throw connectionError(error, hostOf(url), clock);
  }
};

/** The port is written out, as in the setting. */
const hostAndPort = (url: URL): string =>
  `${hostOf(url)}:${url.port === '' ? (url.protocol === 'https:' ? '443' : '80') : url.port}`;

/** Throws for an address that may not be asked. */
const connectionsTo = (context: FetchContext, url: URL): Dispatcher => {
  if (!context.privateHosts.has(hostAndPort(url))) {
    checkTarget(url, context.trusted);
    return context.connections;
  }
  checkPrivateTarget(url);
  return context.privateConnections;
};

const sendRequest = (
  context: FetchContext,
  url: URL,
  { method = 'GET', headers, body }: FetchRequest,
  signal: AbortSignal,
): Promise<Dispatcher.ResponseData> => {
  const { userAgent, standIns, uncheckedConnections } = context;
  const standIn = Object.hasOwn(standIns, url.origin) ? standIns[url.origin] : undefined;
  const dispatcher = standIn === undefined ? connectionsTo(context, url) : uncheckedConnections;
  const target = standIn === undefined ? url : new URL(url.pathname + url.search, standIn);
  return request(target, {
    dispatcher,
    method,
    signal,
    headers: {
      'user-agent': userAgent,
      accept: ACCEPT,
      ...headers,
      'accept-encoding': ACCEPTED_ENCODINGS,
      ...(standIn === undefined ? {} : { host: url.host }),
    },
    ...(body === undefined ? {} : { body }),
  });
};

async function* readAnswerBody(
  answer: Dispatcher.ResponseData,
  url: URL,
  clock: FetchClock,
): AsyncGenerator<Buffer> {
  try {
    yield* unpackBody(answer.body, singleHeaders(answer.headers)['content-encoding'] ?? '');
  } catch (error) {
    throw connectionError(error, hostOf(url), clock);
  }
}

const redirectsError = (from: URL): IngestError =>
  fetchError('too_many_redirects', `The server ${hostOf(from)} redirects too often. Send the final address.`);

const nextAddress = (from: URL, location: string, outgoing: FetchRequest): URL => {
  const url = parseTarget(location, from);
  if (url === null || !REPEATABLE.has(outgoing.method ?? 'GET'))
    throw fetchError(
      'bad_redirect',
      `The server ${hostOf(from)} redirects to something that is not an address. Send the final address.`,
    );
  // The fragment of the first address is kept.
  if (url.hash === '') url.hash = from.hash;
  return url;
};
