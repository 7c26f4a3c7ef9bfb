// A door in front of a Chroma that counts what passes, and shuts or changes it on request.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** The reply to a request; `pass` asks the server behind. */
export type Turn = (
  request: { method: string; path: string; body: Buffer },
  pass: () => Promise<Reply>,
) => Promise<Reply>;

export interface Reply {
  status: number;
  body: Buffer;
}

export interface Door {
  readonly url: string;
  /** Requests that were answered, by the last word of their path. */
  count(word: string): number;
  /** From now on every request takes this turn; nothing: they pass. */
  turn(next?: Turn): void;
  /** Connections are cut, and each new one at once. The port stays taken, or another program might have it meanwhile. */
  shut(): void;
  /** Takes connections again. */
  open(): void;
  close(): Promise<void>;
}

const passing: Turn = (_request, pass) => pass();

export const startDoor = async (target: () => string | null): Promise<Door> => {
  const counts = new Map<string, number>();
  let turn = passing;

  const pass = async (request: IncomingMessage, body: Buffer): Promise<Reply> => {
    const response = await fetch(`${target()}${request.url}`, {
      method: request.method ?? 'GET',
      headers: { 'content-type': 'application/json' },
      ...(body.length === 0 ? {} : { body: new Uint8Array(body) }),
    });
    return { status: response.status, body: Buffer.from(await response.arrayBuffer()) };
  };

  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await buffer(request);
    const path = request.url ?? '';
    const reply = await turn({ method: request.method ?? 'GET', path, body }, () => pass(request, body));
    const word = path.split('/').at(-1) ?? '';
    counts.set(word, (counts.get(word) ?? 0) + 1);
    response.writeHead(reply.status, { 'content-type': 'application/json' }).end(reply.body);
  };

  const server = createServer((request, response) => {
    serve(request, response).catch(() => response.destroy());
  });
  let isOpen = true;
  server.on('connection', (socket) => {
    if (!isOpen) socket.destroy();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;

  return {
    url: `http://127.0.0.1:${port}`,
    count: (word) => counts.get(word) ?? 0,
    turn(next = passing) {
      turn = next;
    },
    shut() {
      isOpen = false;
      server.closeAllConnections();
    },
    open() {
      isOpen = true;
    },
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
};
