// A service on loopback that behaves as a test says: it keeps what it was asked, and counts the callers that went away.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface AskedOf<Body> {
  readonly path: string;
  readonly authorization: string | undefined;
  readonly body: Body;
}

export type BehaviourOf<Body> = (response: ServerResponse, asked: AskedOf<Body>) => void | Promise<void>;

export interface BehavingServer<Body> {
  readonly origin: string;
  readonly asked: AskedOf<Body>[];
  /** The most requests that were under way at once. */
  readonly mostAtOnce: () => number;
  /** Requests whose caller went away before the answer. */
  readonly abandoned: () => number;
  /** Sets the answers of the next requests, in order; later ones get the usual answer. */
  next(...behaviours: BehaviourOf<Body>[]): void;
  /** Sets the answer of all further requests; by default the one of the start. */
  always(behaviour?: BehaviourOf<Body>): void;
  close(): Promise<void>;
}

export const answer = (response: ServerResponse, body: unknown, status = 200, headers = {}): void => {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(typeof body === 'string' ? body : JSON.stringify(body));
};

/** A refusal in the form of the OpenAI protocol. */
export const refuse =
  (
    status: number,
    message: string,
    headers: Record<string, string> = {},
    code?: string,
  ): BehaviourOf<unknown> =>
  (response) =>
    answer(response, { error: { message, code } }, status, headers);

/** Never answers. */
export const hang: BehaviourOf<unknown> = () => {};

/** Closes the connection as if no server were there. */
export const hangUp: BehaviourOf<unknown> = (response) => void response.destroy();

const read = async <Body>(request: IncomingMessage): Promise<AskedOf<Body>> => {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return {
    path: request.url ?? '',
    authorization: request.headers.authorization,
    body: JSON.parse(Buffer.concat(parts).toString()),
  };
};

export const startBehavingServer = async <Body>(first: BehaviourOf<Body>): Promise<BehavingServer<Body>> => {
  const asked: AskedOf<Body>[] = [];
  const behaviours: BehaviourOf<Body>[] = [];
  let usual = first;
  let running = 0;
  let most = 0;
  let abandoned = 0;

  const server = createServer(async (request, response) => {
    most = Math.max(most, ++running);
    response.on('close', () => {
      running--;
      if (!response.writableFinished) abandoned++;
    });
    const one = await read<Body>(request);
    asked.push(one);
    await (behaviours.shift() ?? usual)(response, one);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    mostAtOnce: () => most,
    abandoned: () => abandoned,
    next: (...more) => void behaviours.push(...more),
    always(behaviour = first) {
      usual = behaviour;
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
};
