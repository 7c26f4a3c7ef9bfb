// Calls Chroma's v2 REST interface, with a timeout for every call and with errors that are sentences. By node:http and not
// by fetch, which each thread would load for half as long again as all files of the ingest thread.
import type { ClientRequest, IncomingMessage } from 'node:http';
import { nodeHttp } from '../../../lib/node-http.ts';

export interface ChromaHttpOptions {
  /** The present address of the server; null while there is none. */
  readonly url: () => string | null;
  readonly token?: string | undefined;
}

export interface ChromaCall {
  readonly body?: unknown;
  readonly signal?: AbortSignal | undefined;
  readonly limitMs: number;
}

export type ChromaHttp = (
  method: 'GET' | 'POST' | 'DELETE',
  path: string,
  call: ChromaCall,
) => Promise<unknown>;

/** `status` is what the server answered; null: it did not answer at all. */
export class ChromaError extends Error {
  readonly status: number | null;

  constructor(status: number | null, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'ChromaError';
    this.status = status;
  }
}

/** A limit of Chroma Cloud that the request itself exceeds. */
export const isQuota = (error: unknown): boolean =>
  error instanceof ChromaError && error.status === 422 && /quota|limit/i.test(error.message);

interface ChromaAddress {
  readonly base: string;
  /** The credentials of `https://user:password@host`, which belong into no message. */
  readonly basic: string | null;
}

/** Accepts the address with or without a path, a trailing slash and `/api/v2`. */
export const chromaAddress = (address: string): ChromaAddress => {
  const parsed = URL.canParse(address) ? new URL(address) : null;
  if (parsed === null || !/^https?:$/.test(parsed.protocol)) {
    throw new ChromaError(
      null,
      'CHROMA_URL is not an address. Write it as http://host:8000 or https://host/path.',
    );
  }
  const user = decodeURIComponent(parsed.username);
  const password = decodeURIComponent(parsed.password);
  const path = parsed.pathname.replace(/\/+$/, '').replace(/\/api\/v2$/, '');
  return {
    base: `${parsed.origin}${path}`,
    basic: user === '' ? null : Buffer.from(`${user}:${password}`).toString('base64'),
  };
};

const requestHeaders = (
  place: ChromaAddress,
  token: string | undefined,
  body: boolean,
): Record<string, string> => ({
  ...(body ? { 'content-type': 'application/json' } : {}),
  ...(place.basic === null ? {} : { authorization: `Basic ${place.basic}` }),
  ...(token === undefined ? {} : { 'x-chroma-token': token }),
});

const parsedBody = (text: string): unknown => {
  try {
    return text === '' ? null : JSON.parse(text);
  } catch {
    return text;
  }
};

const answerText = (answer: unknown, status: number): string => {
  if (typeof answer === 'object' && answer !== null && 'message' in answer) return String(answer.message);
  return typeof answer === 'string' && answer !== '' ? answer.slice(0, 200) : `status ${status}`;
};

const refusalError = (base: string, status: number, answer: unknown): ChromaError => {
  if (status === 401 || status === 403) {
    return new ChromaError(status, `Chroma at ${base} does not accept the token. Check CHROMA_TOKEN.`);
  }
  return new ChromaError(status, `Chroma answered with an error (${status}): ${answerText(answer, status)}`);
};

/** A host with several addresses fails with a code and no message. */
const failureReason = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  if (error.message !== '') return error.message;
  return 'code' in error ? String(error.code) : error.name;
};

const silenceError = (base: string, reason: string, error: unknown): ChromaError =>
  new ChromaError(null, `Chroma does not answer at ${base}: ${reason}.`, error);

interface ChromaAnswer {
  readonly status: number;
  readonly text: string;
}

const readAnswer = (response: IncomingMessage): Promise<ChromaAnswer> =>
  new Promise((read, failed) => {
    const pieces: Buffer[] = [];
    response.on('data', (piece: Buffer) => void pieces.push(piece));
    response.on('error', failed);
    response.on('end', () => {
      read({ status: response.statusCode ?? 0, text: Buffer.concat(pieces).toString() });
    });
  });

/** Follows no redirect, which would carry the token to another server. */
const answerTo = (request: ClientRequest, body: string | undefined): Promise<ChromaAnswer> =>
  new Promise((answered, failed) => {
    request.on('error', failed);
    request.on('response', (response) => answered(readAnswer(response)));
    request.end(body);
  });

/** The own server is asked in the clear. */
const askerFor = async (address: string): Promise<typeof nodeHttp.request> =>
  address.startsWith('https:') ? (await import('node:https')).request : nodeHttp.request;

export const createChromaHttp = (options: ChromaHttpOptions): ChromaHttp => {
  return async (method, path, call) => {
    call.signal?.throwIfAborted();
    const address = options.url();
    if (address === null)
      throw new ChromaError(null, 'Chroma does not answer: it is not running at the moment.');
    const place = chromaAddress(address);
    const limit = AbortSignal.timeout(call.limitMs);
    const request = {
      method,
      headers: requestHeaders(place, options.token, call.body !== undefined),
      signal: call.signal === undefined ? limit : AbortSignal.any([call.signal, limit]),
    };
    try {
      const ask = await askerFor(place.base);
      const body = call.body === undefined ? undefined : JSON.stringify(call.body);
      const { status, text } = await answerTo(ask(`${place.base}/api/v2${path}`, request), body);
      const answer = parsedBody(text);
      if (status < 200 || status > 299) throw refusalError(place.base, status, answer);
      return answer;
    } catch (error) {
      call.signal?.throwIfAborted();
      if (error instanceof ChromaError) throw error;
      const reason = limit.aborted ? `nothing came within ${call.limitMs} ms` : failureReason(error);
      throw silenceError(place.base, reason, error);
    }
  };
};

/** True if the server is a Chroma. */
export const heartbeat = async (http: ChromaHttp, call: ChromaCall): Promise<boolean> => {
  const answer = await http('GET', '/heartbeat', call);
  return typeof answer === 'object' && answer !== null && 'nanosecond heartbeat' in answer;
};
