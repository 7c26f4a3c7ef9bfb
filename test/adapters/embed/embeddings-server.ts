// A small embeddings server on loopback that follows the protocol, and misbehaves on request.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { timePasses } from '../../support/until.ts';

export interface Received {
  readonly path: string;
  readonly authorization: string | undefined;
  readonly body: { model: string; input: string[]; encoding_format?: string; dimensions?: number };
}

export interface EmbeddingsServer {
  readonly baseUrl: string;
  readonly received: Received[];
  /** The most requests that were under way at once. */
  readonly mostAtOnce: () => number;
  /** Requests whose caller went away before the answer. */
  readonly abandoned: () => number;
  /** Sets the answers of the next requests, in order; later ones get the usual answer. */
  next(...behaviours: Behaviour[]): void;
  /** Sets the answer of all further requests; by default the correct one. */
  always(behaviour?: Behaviour): void;
  close(): Promise<void>;
}

export type Behaviour = (response: ServerResponse, request: Received) => void | Promise<void>;

const DIMENSIONS = 256;

function place(feature: string): number {
  let hash = 7;
  for (const unit of feature) hash = (hash * 31 + (unit.codePointAt(0) ?? 0)) % 1_000_003;
  return 1 + (hash % (DIMENSIONS - 1));
}

/** Words and pairs of characters, counted: enough meaning for a test. The first place keeps it from being zero. */
export function meaningOf(text: string): number[] {
  const vector = new Array<number>(DIMENSIONS).fill(0);
  vector[0] = 0.5;
  for (const word of text
    .slice(0, 5000)
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu) ?? []) {
    const characters = [...word];
    const features = [word, ...characters.map((character, at) => character + (characters[at + 1] ?? ''))];
    for (const feature of features) vector[place(feature)] = (vector[place(feature)] ?? 0) + 1;
  }
  return vector;
}

export const answer = (response: ServerResponse, body: unknown, status = 200, headers = {}): void => {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
};

export const refuse =
  (status: number, message: string, headers: Record<string, string> = {}, code?: string): Behaviour =>
  (response) =>
    answer(response, { error: { message, code } }, status, headers);

export const vectors =
  (embeddings: readonly unknown[]): Behaviour =>
  (response) =>
    answer(response, { data: embeddings.map((embedding, index) => ({ index, embedding })) });

/** Closes the connection as if no server were there. */
export const hangUp: Behaviour = (response) => void response.destroy();

/** Never answers. */
export const hang: Behaviour = () => {};

/** Answers after a while, so that requests overlap. */
export const slowly: Behaviour = async (response, request) => {
  await timePasses(30, 'requests overlap');
  truly(response, request);
};

/** In any order: the protocol promises none. */
export const truly: Behaviour = (response, { body }) => {
  const data = body.input.map((text, index) => ({
    object: 'embedding',
    index,
    embedding: meaningOf(text).slice(0, body.dimensions ?? DIMENSIONS),
  }));
  answer(response, { object: 'list', model: body.model, data: data.reverse() });
};

async function read(request: IncomingMessage): Promise<Received> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return {
    path: request.url ?? '',
    authorization: request.headers.authorization,
    body: JSON.parse(Buffer.concat(parts).toString()),
  };
}

export async function startEmbeddingsServer(): Promise<EmbeddingsServer> {
  const received: Received[] = [];
  const behaviours: Behaviour[] = [];
  let usual = truly;
  let running = 0;
  let most = 0;
  let abandoned = 0;

  const server = createServer(async (request, response) => {
    most = Math.max(most, ++running);
    response.on('close', () => {
      running--;
      if (!response.writableFinished) abandoned++;
    });
    const asked = await read(request);
    received.push(asked);
    await (behaviours.shift() ?? usual)(response, asked);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    received,
    mostAtOnce: () => most,
    abandoned: () => abandoned,
    next: (...more) => void behaviours.push(...more),
    always(behaviour = truly) {
      usual = behaviour;
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
