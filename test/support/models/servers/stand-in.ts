// Servers of models on loopback, each with the protocol of its kind: lists, vectors and chats.

import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { meaningOf } from '../../../adapters/embed/embeddings-server.ts';
import { type Asked, type Behaviour, memories } from '../../../adapters/language-model/chat-server.ts';
import { answer } from './behaving-server.ts';

export interface StandInRequest {
  readonly method: string;
  readonly path: string;
  readonly authorization: string | undefined;
  readonly body: unknown;
}

export interface StandIn {
  /** The first part of the names of its models. */
  readonly name: string;
  readonly address: string;
  readonly requests: StandInRequest[];
  /** Its models as Memoir names them. */
  readonly embedding: string;
  readonly chat: string;
  /** Answers all further chats. */
  chats(behaviour: Behaviour): void;
  /** Refuses longer texts from now on, as its kind does. */
  takesAtMost(characters: number): void;
  /** Ends it; it starts again at the same address. */
  stop(): Promise<void>;
  start(): Promise<void>;
}

export interface Refusal {
  readonly status: number;
  readonly body: object;
}

/** The answers of one kind of server. */
export interface Protocol {
  readonly name: string;
  readonly embedding: string;
  readonly chat: string;
  /** The lists, by path; null: there is no such page. */
  readonly page: (path: string, body: unknown) => object | null;
  readonly withoutVectors: Refusal;
  readonly tooLong: Refusal;
  readonly unknownModel: (model: string) => Refusal;
}

interface State {
  readonly protocol: Protocol;
  readonly requests: StandInRequest[];
  chats: Behaviour;
  most: number;
}

const fieldOf = (body: unknown, name: string): unknown => (body as Record<string, unknown> | null)?.[name];

const refuseWith = (response: ServerResponse, { status, body }: Refusal): void =>
  answer(response, body, status);

const embed = ({ protocol, most }: State, response: ServerResponse, body: unknown): void => {
  const model = String(fieldOf(body, 'model'));
  const input = fieldOf(body, 'input') as string[];
  if (model === protocol.chat) refuseWith(response, protocol.withoutVectors);
  else if (model !== protocol.embedding) refuseWith(response, protocol.unknownModel(model));
  else if (input.some((text) => text.length > most)) refuseWith(response, protocol.tooLong);
  else answerVectors(response, model, input);
};

/** A model that was trained with such beginnings learnt that they say nothing of the text. */
const BEGINNINGS = /^(?:search_query|search_document|task: search result \| query|title: none \| text): /;

const answerVectors = (response: ServerResponse, model: string, input: readonly string[]): void =>
  answer(response, {
    object: 'list',
    model,
    data: input.map((text, index) => ({
      object: 'embedding',
      index,
      embedding: meaningOf(text.replace(BEGINNINGS, '')),
    })),
    usage: { prompt_tokens: 1, total_tokens: 1 },
  });

const chat = async (state: State, response: ServerResponse, asked: Asked): Promise<void> => {
  const { model } = asked.body;
  if (model !== state.protocol.chat) refuseWith(response, state.protocol.unknownModel(model));
  else await state.chats(response, asked);
};

const bodyOf = async (request: IncomingMessage): Promise<unknown> => {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return parts.length === 0 ? null : JSON.parse(Buffer.concat(parts).toString());
};

const respond = async (state: State, request: IncomingMessage, response: ServerResponse): Promise<void> => {
  const { url: path = '', method = '', headers } = request;
  const { authorization } = headers;
  const body = await bodyOf(request);
  state.requests.push({ method, path, authorization, body });
  if (path === '/v1/embeddings') embed(state, response, body);
  else if (path === '/v1/chat/completions')
    await chat(state, response, { path, authorization, body: body as Asked['body'] });
  else {
    const page = state.protocol.page(path, body);
    answer(response, page ?? { error: `${path} is not here` }, page === null ? 404 : 200);
  }
};

const listen = async (state: State, port: number): Promise<Server> => {
  const server = createServer((request, response) => void respond(state, request, response));
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return server;
};

export const startStandIn = async (protocol: Protocol): Promise<StandIn> => {
  const state: State = { protocol, requests: [], chats: memories(), most: Number.POSITIVE_INFINITY };
  let server = await listen(state, 0);
  const { port } = server.address() as AddressInfo;
  const { name, embedding, chat: chatModel } = protocol;
  return {
    name,
    address: `http://127.0.0.1:${port}`,
    requests: state.requests,
    embedding: `${name}:${embedding}`,
    chat: `${name}:${chatModel}`,
    chats(behaviour) {
      state.chats = behaviour;
    },
    takesAtMost(characters) {
      state.most = characters;
    },
    async stop() {
      if (!server.listening) return;
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
    async start() {
      server = await listen(state, port);
    },
  };
};
