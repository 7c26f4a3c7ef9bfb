// Listens, and stops without cutting anyone off: requests in flight finish, idle connections close.
import { createServer, type RequestListener, type Server } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

export interface Listening {
  url: string;
  port: number;
  /** Requests that come from now on are answered by another. */
  answerWith(app: RequestListener): void;
  /** Resolves when no request is under way, or after so long. */
  quiet(withinMs: number): Promise<void>;
  /** Resolves when the last request is answered, or after `graceMs` when what is left is cut off. */
  close(graceMs: number): Promise<void>;
}

export interface ListenOptions {
  host: string;
  /** 0: any free port. */
  port: number;
}

/** Longer than the usual 60 s of a load balancer, so that it is never the server that hangs up first. */
const KEEP_ALIVE_MS = 65_000;
/** Time for the whole request: 50 MiB over a slow line. */
const REQUEST_MS = 300_000;
const IDLE_CHECK_MS = 50;

const CAUSES: Record<string, (options: ListenOptions) => string> = {
  EADDRINUSE: ({ port }) =>
    `Port ${port} is already in use. Stop the program that uses it, or set PORT to another.`,
  EACCES: ({ port }) => `Port ${port} may not be used by this user. Set PORT to one above 1023.`,
  EADDRNOTAVAIL: ({ host }) =>
    `The address ${host} does not belong to this machine. Set HOST to one that does.`,
  ENOTFOUND: ({ host }) => `The host name ${host} is not known. Set HOST to an address of this machine.`,
};

function listenError(cause: NodeJS.ErrnoException, options: ListenOptions): Error {
  const sentence = CAUSES[cause.code ?? '']?.(options);
  return sentence === undefined ? cause : new Error(sentence, { cause });
}

function start(server: Server, options: ListenOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    const failed = (cause: Error) => reject(listenError(cause, options));
    server.once('error', failed);
    server.listen(options.port, options.host, () => {
      server.off('error', failed);
      resolve();
    });
  });
}

/** What is not HTTP, or is too large in its head, is answered in the shape of every other error. */
function refuseMalformed(error: NodeJS.ErrnoException, socket: Socket): void {
  if (!socket.writable || error.code === 'ECONNRESET') return void socket.destroy();
  const [status, sentence] =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? ['431 Request Header Fields Too Large', 'The headers of the request are too large.']
      : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? ['408 Request Timeout', 'The request took too long to arrive.']
        : ['400 Bad Request', 'This is not a valid HTTP request.'];
  const body = JSON.stringify({ error: sentence });
  const head = [
    `HTTP/1.1 ${status}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    'access-control-allow-origin: *',
    'connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}

function close(server: Server, graceMs: number): Promise<void> {
  return new Promise((resolve) => {
    // A connection that was busy a moment ago is kept alive by Node, so the idle are looked for again and again.
    const idle = setInterval(() => server.closeIdleConnections(), IDLE_CHECK_MS);
    const cut = setTimeout(() => server.closeAllConnections(), graceMs);
    server.close(() => {
      clearInterval(idle);
      clearTimeout(cut);
      resolve();
    });
  });
}

function urlOf(server: Server, host: string): { url: string; port: number } {
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const everywhere = host === '0.0.0.0' || host === '::' || host === '';
  const name = everywhere ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host;
  return { url: `http://${name}:${port}`, port };
}

/** Passes each request on, and knows how many are under way. */
function createDoor(app: RequestListener) {
  let current = app;
  let inside = 0;
  const enter: RequestListener = (req, res) => {
    inside += 1;
    res.once('close', () => {
      inside -= 1;
    });
    current(req, res);
  };
  return {
    enter,
    answerWith(next: RequestListener) {
      current = next;
    },
    async quiet(withinMs: number) {
      const end = performance.now() + withinMs;
      while (inside > 0 && performance.now() < end) await sleep(IDLE_CHECK_MS);
    },
  };
}

export async function listen(app: RequestListener, options: ListenOptions): Promise<Listening> {
  const door = createDoor(app);
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS, requestTimeout: REQUEST_MS }, door.enter);
  // Clients that ask before they send a large body hear about a bad key first.
  server.on('checkContinue', door.enter);
  server.on('clientError', refuseMalformed);
  await start(server, options);
  let closing: Promise<void> | undefined;
  return {
    ...urlOf(server, options.host),
    answerWith: door.answerWith,
    quiet: door.quiet,
    close: (graceMs) => {
      closing ??= close(server, graceMs);
      return closing;
    },
  };
}
