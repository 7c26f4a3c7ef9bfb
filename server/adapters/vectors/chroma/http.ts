// Calls Chroma's v2 REST interface, with a timeout for every call and with errors that are sentences.

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
  /** The credentials of `https://user:password@host`, which fetch refuses in an address. */
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

/** The cause of fetch's own "fetch failed". A host with several addresses fails with a code and no message. */
const fetchFailureReason = (error: unknown): string => {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  if (!(cause instanceof Error)) return String(cause);
  if (cause.message !== '') return cause.message;
  return 'code' in cause ? String(cause.code) : cause.name;
};

const silenceError = (base: string, limitMs: number, error: unknown): ChromaError => {
  if (error instanceof Error && error.name === 'TimeoutError') {
    return new ChromaError(
      null,
      `Chroma does not answer at ${base}: nothing came within ${limitMs} ms.`,
      error,
    );
  }
  return new ChromaError(null, `Chroma does not answer at ${base}: ${fetchFailureReason(error)}.`, error);
};

const limitedSignal = (call: ChromaCall): AbortSignal => {
  const limit = AbortSignal.timeout(call.limitMs);
  return call.signal === undefined ? limit : AbortSignal.any([call.signal, limit]);
};

export const createChromaHttp = (options: ChromaHttpOptions): ChromaHttp => {
  return async (method, path, call) => {
    call.signal?.throwIfAborted();
    const address = options.url();
    if (address === null)
      throw new ChromaError(null, 'Chroma does not answer: it is not running at the moment.');
    const place = chromaAddress(address);
    let status: number;
    let text: string;
    try {
      const response = await fetch(`${place.base}/api/v2${path}`, {
        method,
        headers: requestHeaders(place, options.token, call.body !== undefined),
        // A redirect would carry the token to another server.
        redirect: 'error',
        signal: limitedSignal(call),
        ...(call.body === undefined ? {} : { body: JSON.stringify(call.body) }),
      });
      status = response.status;
      text = await response.text();
    } catch (error) {
      call.signal?.throwIfAborted();
      throw silenceError(place.base, call.limitMs, error);
    }
    const answer = parsedBody(text);
    if (status < 200 || status > 299) throw refusalError(place.base, status, answer);
    return answer;
  };
};

/** True if the server is a Chroma. */
export const heartbeat = async (http: ChromaHttp, call: ChromaCall): Promise<boolean> => {
  const answer = await http('GET', '/heartbeat', call);
  return typeof answer === 'object' && answer !== null && 'nanosecond heartbeat' in answer;
};
