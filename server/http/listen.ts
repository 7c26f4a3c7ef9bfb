// Starts and stops the HTTP server: on a stop, requests in flight finish and idle connections close.
import type { RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { MemoirError } from '../core/errors.ts';
import { pause } from '../lib/async/wait.ts';
import { nodeHttp } from '../lib/node-http.ts';
import { giveUp } from './close-signal.ts';
import { sendError } from './errors.ts';

export interface Listening {
  url: string;
  port: number;
  /** Sends all later requests to another app. */
  answerWith(app: RequestListener): void;
  /** Resolves when no request is running, or after the given time. */
  quiet(withinMs: number): Promise<void>;
  /** Answers the requests that are still open: a connection that is cut off tells a client nothing. */
  refuseOpen(refusals: OpenRefusals): void;
  /** Resolves when the last request is answered; after `graceMs` the remaining connections are cut off. */
  close(graceMs: number): Promise<void>;
}

export interface OpenRefusals {
  /** Of a request whose body still arrives. */
  readonly arriving: MemoirError;
  /** Of a request that is worked on. */
  readonly working: MemoirError;
}

export interface ListenOptions {
  host: string;
  /** 0: any free port. */
  port: number;
}

/** Longer than the usual 60 s of a load balancer, so that the server never closes a connection first. */
const KEEP_ALIVE_MS = 65_000;
/** Timeout for receiving a whole request: 50 MiB over a slow connection. */
const REQUEST_MS = 300_000;
const IDLE_CHECK_MS = 50;

const CAUSES: Record<string, (options: ListenOptions) => string> = {
  EADDRINUSE: ({ port }) =>
    `Port ${port} is already in use. Stop the program that uses it, or set PORT to another.`,
  EACCES: ({ port }) => `This user has no permission for port ${port}. Set PORT to a number above 1023.`,
  EADDRNOTAVAIL: ({ host }) =>
    `The address ${host} does not belong to this machine. Set HOST to one that does.`,
  ENOTFOUND: ({ host }) => `The host name ${host} is unknown. Set HOST to an address of this machine.`,
};

const listenError = (cause: NodeJS.ErrnoException, options: ListenOptions): Error => {
  const sentence = CAUSES[cause.code ?? '']?.(options);
  return sentence === undefined ? cause : new Error(sentence, { cause });
};

const bindPort = (server: Server, options: ListenOptions): Promise<void> => {
  return new Promise((resolve, reject) => {
    const failed = (cause: Error) => reject(listenError(cause, options));
    server.once('error', failed);
    server.listen(options.port, options.host, () => {
      server.off('error', failed);
      resolve();
    });
  });
};

/** Answers a request that is not valid HTTP, or has too large headers, in the same form as every other error. */
const refuseMalformed = (error: NodeJS.ErrnoException, socket: Socket): void => {
  if (!socket.writable || error.code === 'ECONNRESET') return void socket.destroy();
  const [status, sentence] =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? [
          '431 Request Header Fields Too Large',
          'The headers of the request are too large. Send fewer or shorter ones.',
        ]
      : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? ['408 Request Timeout', 'The request did not arrive in time. Send it again.']
        : [
            '400 Bad Request',
            'This is not a valid HTTP request. This server speaks plain HTTP: for https, use the address of the proxy in front of it.',
          ];
  const body = JSON.stringify({ error: sentence });
  const head = [
    `HTTP/1.1 ${status}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    'access-control-allow-origin: *',
    'connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
};

const refuseExpectation: RequestListener = (req, res) => {
  const sentence = `The header Expect is ${JSON.stringify(req.headers.expect)}. Only 100-continue can be expected here.`;
  sendError(res, new MemoirError(417, sentence, { headers: { 'access-control-allow-origin': '*' } }));
};

const closeServer = (server: Server, graceMs: number): Promise<void> => {
  return new Promise((resolve) => {
    // Node keeps a connection alive after its request, so idle connections are closed repeatedly.
    const idle = setInterval(() => server.closeIdleConnections(), IDLE_CHECK_MS);
    const cut = setTimeout(() => server.closeAllConnections(), graceMs);
    server.close(() => {
      clearInterval(idle);
      clearTimeout(cut);
      resolve();
    });
  });
};

const serverUrl = (server: Server, host: string): { url: string; port: number } => {
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const everywhere = host === '0.0.0.0' || host === '::' || host === '';
  const name = everywhere ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host;
  return { url: `http://${name}:${port}`, port };
};

/** Passes each request to the app, and knows the running requests. */
const createRequestGate = (app: RequestListener) => {
  let current = app;
  const running = new Set<ServerResponse>();
  const enter: RequestListener = (req, res) => {
    running.add(res);
    res.once('close', () => running.delete(res));
    current(req, res);
  };
  return {
    enter,
    answerWith(next: RequestListener) {
      current = next;
    },
    async quiet(withinMs: number) {
      const end = performance.now() + withinMs;
      while (running.size > 0 && performance.now() < end) await pause(IDLE_CHECK_MS);
    },
    refuseOpen({ arriving, working }: OpenRefusals) {
      for (const res of running) if (!res.headersSent) giveUp(res, res.req.complete ? working : arriving);
    },
  };
};

export const startHttpServer = async (app: RequestListener, options: ListenOptions): Promise<Listening> => {
  const gate = createRequestGate(app);
  const server = nodeHttp.createServer(
    // A request without a host gets its answer from the app, with a sentence.
    { keepAliveTimeout: KEEP_ALIVE_MS, requestTimeout: REQUEST_MS, requireHostHeader: false },
    gate.enter,
  );
  // A client that sends Expect: 100-continue gets the error for a bad key before it sends its body.
  server.on('checkContinue', gate.enter);
  server.on('checkExpectation', refuseExpectation);
  server.on('clientError', refuseMalformed);
  await bindPort(server, options);
  let closing: Promise<void> | undefined;
  return {
    ...serverUrl(server, options.host),
    answerWith: gate.answerWith,
    quiet: gate.quiet,
    refuseOpen: gate.refuseOpen,
    close: (graceMs) => {
      closing ??= closeServer(server, graceMs);
      return closing;
    },
  };
};
