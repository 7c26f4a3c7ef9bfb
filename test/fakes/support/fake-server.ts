// The HTTP side of a source on loopback: routes its requests, keeps them, and lets a script of faults answer first.
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface FakeRequest {
  readonly method: string;
  /** With a host that means nothing. */
  readonly url: URL;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: string;
}

export interface FakeAnswer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** An object is sent as JSON. */
  readonly body?: string | Buffer | object;
  /** The connection breaks: before the first byte, or after half of the body. */
  readonly reset?: 'at once' | 'in the body';
}

/** Undefined: the request is answered as usual. `usual` gives that answer, to be changed or sent later. */
export type Fault = (
  request: FakeRequest,
  usual: () => Promise<FakeAnswer>,
) => FakeAnswer | undefined | Promise<FakeAnswer | undefined>;

export interface FakeServer {
  readonly origin: string;
  readonly requests: FakeRequest[];
  /** The newest fault is asked first. Returns a function that takes it away. */
  addFault(fault: Fault): () => void;
  clearFaults(): void;
  close(): Promise<void>;
}

const readBody = async (req: IncomingMessage): Promise<string> => {
  const pieces: Buffer[] = [];
  for await (const piece of req) pieces.push(piece as Buffer);
  return Buffer.concat(pieces).toString('utf8');
};

const isPlain = (body: FakeAnswer['body']): body is string | Buffer =>
  typeof body === 'string' || Buffer.isBuffer(body);

const sendAnswer = (res: ServerResponse, { status = 200, headers, body = '', reset }: FakeAnswer): void => {
  if (reset === 'at once') return void res.socket?.destroy();
  const bytes = Buffer.from(isPlain(body) ? body : JSON.stringify(body));
  const type = isPlain(body) ? 'application/octet-stream' : 'application/json; charset=utf-8';
  res.writeHead(status, { 'content-type': type, 'content-length': bytes.length, ...headers });
  if (reset === undefined) res.end(bytes);
  else res.write(bytes.subarray(0, bytes.length / 2), () => void res.socket?.destroy());
};

const close = (server: ReturnType<typeof createServer>): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });

export const startFakeServer = async (
  route: (request: FakeRequest) => FakeAnswer | Promise<FakeAnswer>,
  open: (listener: RequestListener) => ReturnType<typeof createServer> = createServer,
): Promise<FakeServer> => {
  const requests: FakeRequest[] = [];
  let faults: Fault[] = [];
  const answerOf = async (request: FakeRequest): Promise<FakeAnswer> => {
    const usual = async () => route(request);
    for (const fault of faults) {
      const answer = await fault(request, usual);
      if (answer !== undefined) return answer;
    }
    return usual();
  };
  const server = open(async (req, res) => {
    const url = new URL(req.url ?? '/', 'http://fake.example');
    const headers = req.headers as FakeRequest['headers'];
    const request = { method: req.method ?? 'GET', url, headers, body: await readBody(req) };
    requests.push(request);
    const failed = (error: unknown): FakeAnswer => ({
      status: 500,
      body: `The fake failed: ${String(error)}`,
    });
    sendAnswer(res, await answerOf(request).catch(failed));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    addFault(fault) {
      faults = [fault, ...faults];
      return () => {
        faults = faults.filter((one) => one !== fault);
      };
    },
    clearFaults() {
      faults = [];
    },
    close: () => close(server),
  };
};

type Match = (request: FakeRequest) => boolean;

/** The first requests that match get this answer; with `skip`, those after so many. */
export const forRequests = (
  match: Match,
  answer: FakeAnswer | Fault,
  { times = Number.POSITIVE_INFINITY, skip = 0 }: { times?: number; skip?: number } = {},
): Fault => {
  let seen = 0;
  return (request, usual) => {
    if (!match(request)) return undefined;
    seen += 1;
    if (seen <= skip || seen > skip + times) return undefined;
    return typeof answer === 'function' ? answer(request, usual) : answer;
  };
};

export const anyRequest: Match = () => true;
export const pathMatches =
  (path: RegExp): Match =>
  ({ url }) =>
    path.test(url.pathname);

/** 429 as most services send it; null: without the time to wait. */
export const tooManyRequests = (retryAfter: string | null): FakeAnswer => ({
  status: 429,
  headers: retryAfter === null ? {} : { 'retry-after': retryAfter },
  body: { error: 'too many requests' },
});
