// A rerank service on loopback that counts shared words, in the form of any known service, and misbehaves on request.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Asked {
  readonly path: string;
  readonly authorization: string | undefined;
  readonly body: {
    readonly model?: string;
    readonly query: string;
    readonly documents?: readonly string[];
    readonly texts?: readonly string[];
  };
}

export type Behaviour = (response: ServerResponse, asked: Asked) => void | Promise<void>;

export interface RerankServer {
  readonly url: string;
  readonly asked: Asked[];
  /** Requests whose caller went away before the answer. */
  readonly abandoned: () => number;
  /** Sets the answer of all further requests; by default the one of Cohere. */
  always(behaviour?: Behaviour): void;
  close(): Promise<void>;
}

export const answer = (response: ServerResponse, body: unknown, status = 200): void => {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(typeof body === 'string' ? body : JSON.stringify(body));
};

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

/** The share of the text's words that the query has: it prefers what is short and to the point. */
export const relevance = (query: string, text: string): number => {
  const asked = new Set(wordsOf(query));
  const words = wordsOf(text);
  return words.filter((word) => asked.has(word)).length / Math.max(1, words.length);
};

const scored = (query: string, texts: readonly string[]): { index: number; score: number }[] =>
  texts.map((text, index) => ({ index, score: relevance(query, text) })).sort((a, b) => b.score - a.score);

/** Cohere, Jina, vLLM, llama.cpp. */
export const asResults: Behaviour = (response, { body: { query, documents = [] } }) =>
  answer(response, {
    id: 'r-1',
    results: scored(query, documents).map(({ index, score }) => ({ index, relevance_score: score })),
    meta: { billed_units: { search_units: 1 } },
  });

/** Voyage. */
export const asData: Behaviour = (response, { body: { query, documents = [] } }) =>
  answer(response, {
    object: 'list',
    data: scored(query, documents).map(({ index, score }) => ({ index, relevance_score: score })),
  });

/** text-embeddings-inference. */
export const asList: Behaviour = (response, { body: { query, texts } }) => {
  if (texts === undefined)
    return answer(response, 'Failed to deserialize the JSON body: missing field `texts` at line 1', 422);
  if (texts.length > 32)
    return answer(response, { error: 'batch size > maximum allowed batch size 32' }, 422);
  return answer(response, scored(query, texts));
};

export const refuse =
  (status: number, said: string): Behaviour =>
  (response) =>
    answer(response, { message: said }, status);

/** Never answers. */
export const hang: Behaviour = () => {};

/** Closes the connection as if no server were there. */
export const hangUp: Behaviour = (response) => void response.destroy();

async function read(request: IncomingMessage): Promise<Asked> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return {
    path: request.url ?? '',
    authorization: request.headers.authorization,
    body: JSON.parse(Buffer.concat(parts).toString()),
  };
}

export async function startRerankServer(): Promise<RerankServer> {
  const asked: Asked[] = [];
  let usual = asResults;
  let abandoned = 0;
  const server = createServer(async (request, response) => {
    response.on('close', () => {
      if (!response.writableFinished) abandoned++;
    });
    const one = await read(request);
    asked.push(one);
    await usual(response, one);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    abandoned: () => abandoned,
    always(behaviour = asResults) {
      usual = behaviour;
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
