// MCP over HTTP: stateless, with a new server for each request; one factory serves both protocol generations.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { type AuthInfo, createMcpHandler, type McpHttpHandler } from '@modelcontextprotocol/server';
import type { AgentSession, Operation } from '../../tools/operation.ts';
import type { Invoke, Meta } from '../calls/invoke.ts';
import { asRefused } from '../calls/refused.ts';
import { DEFAULT_TAG } from '../core/default-tag.ts';
import type { Logger } from '../core/log.ts';
import { createMcpServer, type McpExtension } from './server.ts';

export type Holder = Awaited<ReturnType<Invoke['admit']>>;

/** One request with a valid key. */
export interface McpRequest {
  holder: Holder;
  meta: Meta;
  /** Aborted when the client closes the connection. */
  signal: AbortSignal;
  /** The parsed body; undefined: there is none, or it is no JSON. */
  message: unknown;
}

export interface McpEndpoint {
  handle(req: IncomingMessage, res: ServerResponse, request: McpRequest): Promise<void>;
  /** Ends open streams, so that clients connect to the next server. */
  close(): Promise<void>;
}

export interface McpEndpointDeps {
  operations: readonly Operation[];
  invoke: Invoke;
  version: string;
  log: Pick<Logger, 'error'>;
  extension?: McpExtension | undefined;
}

const agentSessionOf = (
  invoke: Invoke,
  { holder, meta }: Pick<McpRequest, 'holder' | 'meta'>,
): AgentSession => ({
  tags: holder.tags,
  defaultTag: (holder.writeTags ?? holder.tags)?.[0] ?? DEFAULT_TAG,
  async ask(operation, input, signal) {
    try {
      return await invoke.run(operation, input, holder, { ...meta, signal });
    } catch (error) {
      throw asRefused(error);
    }
  },
});

/** The library passes this value unchanged to the factory. */
const authOf = (request: McpRequest): AuthInfo => ({
  token: '',
  clientId: request.holder.keyId,
  scopes: request.holder.permission === 'write' ? ['memory:read', 'memory:write'] : ['memory:read'],
  extra: { request },
});

/** The request type that the library expects; Node's type is less exact about optional fields. */
type Authorised = Parameters<ReturnType<typeof toNodeHandler>>[0];

const requestOfAuth = (auth: AuthInfo | undefined): McpRequest => {
  const request = auth?.extra?.request;
  if (request === undefined) throw new Error('A request reached the tools without its key.');
  return request as McpRequest;
};

export const createMcpEndpoint = ({ invoke, log, extension, ...deps }: McpEndpointDeps): McpEndpoint => {
  const broke = (error: unknown) => log.error({ err: error }, 'A tool failed because of an internal error.');
  const handler: McpHttpHandler = createMcpHandler(
    ({ authInfo }) => {
      const request = requestOfAuth(authInfo);
      const session = agentSessionOf(invoke, request);
      const more = extension === undefined ? undefined : { extension, notify: handler.notify };
      return createMcpServer({ ...deps, session, signal: request.signal, broke, extension: more });
    },
    // The way in has read the body and limited its size.
    { maxRequestBodySize: Number.MAX_SAFE_INTEGER },
  );
  const node = toNodeHandler(handler, { onerror: broke });
  return {
    handle: (req, res, request) =>
      node(Object.assign(req, { auth: authOf(request) }) as Authorised, res, request.message),
    close: () => handler.close(),
  };
};
