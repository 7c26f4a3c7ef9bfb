// The protocol over HTTP: stateless, a fresh server for each request, both generations of clients from one factory.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { type AuthInfo, createMcpHandler, type McpHttpHandler } from '@modelcontextprotocol/server';
import { type AgentSession, Refused } from '../../tools/agent.ts';
import type { Operation } from '../../tools/contract.ts';
import { MemoirError } from '../errors.ts';
import type { Invoke, Meta } from '../invoke.ts';
import { DEFAULT_TAG } from '../lib/default-tag.ts';
import type { Logger } from '../lib/logger.ts';
import { createMcpServer, type McpExtension } from './server.ts';

export type Holder = Awaited<ReturnType<Invoke['admit']>>;

/** One request whose key is known to be good. */
export interface McpRequest {
  holder: Holder;
  meta: Meta;
  /** Aborted when the client goes away. */
  signal: AbortSignal;
}

export interface McpDoor {
  handle(req: IncomingMessage, res: ServerResponse, request: McpRequest): Promise<void>;
  /** Ends the streams that stay open; the next server is asked then. */
  close(): Promise<void>;
}

export interface McpDoorDeps {
  operations: readonly Operation[];
  invoke: Invoke;
  version: string;
  log: Pick<Logger, 'error'>;
  extension?: McpExtension | undefined;
}

/** A text of ten MiB does not fit, but a model never writes one. */
export const MAX_MESSAGE_BYTES = 4 * 1024 * 1024;

const refusal = (error: unknown): unknown =>
  error instanceof MemoirError
    ? new Refused(error.status, [error.message, error.details].filter(Boolean).join(' '), error)
    : error;

export const sessionOf = (
  invoke: Invoke,
  { holder, meta }: Pick<McpRequest, 'holder' | 'meta'>,
): AgentSession => ({
  tags: holder.tags,
  defaultTag: holder.tags?.[0] ?? DEFAULT_TAG,
  async ask(operation, input, signal) {
    try {
      return await invoke.run(operation, input, holder, meta, signal);
    } catch (error) {
      throw refusal(error);
    }
  },
});

/** The library passes it through to the factory untouched. */
const authOf = (request: McpRequest): AuthInfo => ({
  token: '',
  clientId: request.holder.keyId,
  scopes: request.holder.permission === 'write' ? ['memory:read', 'memory:write'] : ['memory:read'],
  extra: { request },
});

/** Node's own type of a request says less exactly what may be missing. */
type Authorised = Parameters<ReturnType<typeof toNodeHandler>>[0];

const requestOf = (auth: AuthInfo | undefined): McpRequest => {
  const request = auth?.extra?.request;
  if (request === undefined) throw new Error('A request reached the tools without its key.');
  return request as McpRequest;
};

export function createHandler({ invoke, log, extension, ...deps }: McpDoorDeps): McpDoor {
  const broke = (error: unknown) =>
    log.error({ err: error }, 'A tool failed through no fault of its caller.');
  const handler: McpHttpHandler = createMcpHandler(
    ({ authInfo }) => {
      const request = requestOf(authInfo);
      const session = sessionOf(invoke, request);
      const more = extension === undefined ? undefined : { extension, notify: handler.notify };
      return createMcpServer({ ...deps, session, signal: request.signal, broke, extension: more });
    },
    { maxRequestBodySize: MAX_MESSAGE_BYTES },
  );
  const node = toNodeHandler(handler, { maxRequestBodySize: MAX_MESSAGE_BYTES, onerror: broke });
  return {
    handle: (req, res, request) => node(Object.assign(req, { auth: authOf(request) }) as Authorised, res),
    close: () => handler.close(),
  };
}
