// Speaks to Chroma's v2 REST interface, every call with a time limit and with errors that are sentences.

export interface ChromaHttpOptions {
  /** Where the server is now; null while there is none. */
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

interface Place {
  readonly base: string;
  /** From `https://user:password@host`, which fetch refuses to take as it stands. */
  readonly basic: string | null;
}

/** Accepts the address with or without a path, a trailing slash and `/api/v2`. */
export const placeOf = (address: string): Place => {
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

const headersOf = (place: Place, token: string | undefined, body: boolean): Record<string, string> => ({
  ...(body ? { 'content-type': 'application/json' } : {}),
  ...(place.basic === null ? {} : { authorization: `Basic ${place.basic}` }),
  ...(token === undefined ? {} : { 'x-chroma-token': token }),
});

const parsed = (text: string): unknown => {
  try {
    return text === '' ? null : JSON.parse(text);
  } catch {
    return text;
  }
};

const said = (answer: unknown, status: number): string => {
  if (typeof answer === 'object' && answer !== null && 'message' in answer) return String(answer.message);
  return typeof answer === 'string' && answer !== '' ? answer.slice(0, 200) : `status ${status}`;
};

const refused = (base: string, status: number, answer: unknown): ChromaError => {
  if (status === 401 || status === 403) {
    return new ChromaError(status, `Chroma at ${base} does not accept the token. Check CHROMA_TOKEN.`);
  }
  return new ChromaError(status, `Chroma answered with an error (${status}): ${said(answer, status)}`);
};

/** What lies behind fetch's own "fetch failed"; a host with several addresses fails with a code and no message. */
const reasonOf = (error: unknown): string => {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  if (!(cause instanceof Error)) return String(cause);
  if (cause.message !== '') return cause.message;
  return 'code' in cause ? String(cause.code) : cause.name;
};

const silent = (base: string, limitMs: number, error: unknown): ChromaError => {
  if (error instanceof Error && error.name === 'TimeoutError') {
    return new ChromaError(
      null,
      `Chroma does not answer at ${base}: nothing came within ${limitMs} ms.`,
      error,
    );
  }
  return new ChromaError(null, `Chroma does not answer at ${base}: ${reasonOf(error)}.`, error);
};

const limited = (call: ChromaCall): AbortSignal => {
  const limit = AbortSignal.timeout(call.limitMs);
  return call.signal === undefined ? limit : AbortSignal.any([call.signal, limit]);
};

export const createChromaHttp = (options: ChromaHttpOptions): ChromaHttp => {
  return async (method, path, call) => {
    call.signal?.throwIfAborted();
    const address = options.url();
    if (address === null)
      throw new ChromaError(null, 'Chroma does not answer: it is not running at the moment.');
    const place = placeOf(address);
    let status: number;
    let text: string;
    try {
      const response = await fetch(`${place.base}/api/v2${path}`, {
        method,
        headers: headersOf(place, options.token, call.body !== undefined),
        // A redirect would carry the token to wherever it points.
        redirect: 'error',
        signal: limited(call),
        ...(call.body === undefined ? {} : { body: JSON.stringify(call.body) }),
      });
      status = response.status;
      text = await response.text();
    } catch (error) {
      call.signal?.throwIfAborted();
      throw silent(place.base, call.limitMs, error);
    }
    const answer = parsed(text);
    if (status < 200 || status > 299) throw refused(place.base, status, answer);
    return answer;
  };
};

/** True when what answers is a Chroma. */
export const heartbeat = async (http: ChromaHttp, call: ChromaCall): Promise<boolean> => {
  const answer = await http('GET', '/heartbeat', call);
  return typeof answer === 'object' && answer !== null && 'nanosecond heartbeat' in answer;
};
