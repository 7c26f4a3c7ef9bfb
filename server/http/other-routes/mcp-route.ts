// POST /mcp: the agent tools. Checks the host and the key, reads the body, then passes both to the MCP library.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Request, RequestHandler } from 'express';
import type { Invoke, Meta } from '../../calls/invoke.ts';
import { MemoirError } from '../../core/errors.ts';
import { allowedHosts, checkHost, publicAddress } from '../allowed-hosts.ts';
import type { BodyBudget } from '../bodies/budget.ts';
import { readAgentMessage } from '../body.ts';
import { closeSignal } from '../close-signal.ts';
import { clientAddress, keyFromHeaders, requestIdOf } from '../request.ts';

export interface McpHandler {
  handle(
    req: IncomingMessage,
    res: ServerResponse,
    request: {
      holder: Awaited<ReturnType<Invoke['admit']>>;
      meta: Meta;
      signal: AbortSignal;
      /** The parsed body; undefined: there is none, or it is no JSON. */
      message: unknown;
    },
  ): Promise<void>;
}

export interface McpRouteDeps {
  invoke: Invoke;
  mcp: McpHandler;
  /** The memory for request bodies. */
  bodies: BodyBudget;
  /** Without a slash at its end; empty: not known. */
  base: string;
}

/** Smaller than the 10 MiB limit of content: models never write such long texts. */
const MAX_MESSAGE_BYTES = 4 * 1024 * 1024;

const BOTH = 'application/json, text/event-stream';

// --- accept ----------------------------------------------------------------------------------------

/** Some clients accept only one of the two types, or any; they can read the answer anyway. */
const widenAccept = (req: Request): void => {
  const accept = req.headers.accept ?? '*/*';
  if (!/\*\/\*|application\/(json|\*)|text\/(event-stream|\*)/.test(accept)) return;
  req.headers.accept = BOTH;
  const at = req.rawHeaders.findIndex((name, index) => index % 2 === 0 && name.toLowerCase() === 'accept');
  if (at === -1) req.rawHeaders.push('Accept', BOTH);
  else req.rawHeaders[at + 1] = BOTH;
};

// --- key -------------------------------------------------------------------------------------------

const RESOURCE_METADATA = '/.well-known/oauth-protected-resource/mcp';

/** The header that tells a client without a key how to get one. */
const keyChallenge = (req: Request, base: string, hasKey: boolean): string => {
  const error = hasKey ? 'error="invalid_token", ' : '';
  return `Bearer ${error}resource_metadata="${publicAddress(req, base)}${RESOURCE_METADATA}"`;
};

const withChallenge = (error: unknown, challenge: string): unknown =>
  error instanceof MemoirError && error.status === 401
    ? new MemoirError(401, error.message, {
        ...(error.details === undefined ? {} : { details: error.details }),
        headers: { ...error.headers, 'www-authenticate': challenge },
        cause: error,
      })
    : error;

export const mcpRoute = ({ invoke, mcp, bodies, base }: McpRouteDeps): RequestHandler => {
  const hosts = allowedHosts(base);
  return async (req, res) => {
    checkHost(req, hosts);
    const key = keyFromHeaders(req.headers);
    const meta: Meta = { requestId: requestIdOf(res), way: 'mcp', address: clientAddress(req) };
    const signal = closeSignal(res);
    let holder: Awaited<ReturnType<Invoke['admit']>>;
    try {
      holder = await invoke.admit({ ...meta, key });
    } catch (error) {
      throw withChallenge(error, keyChallenge(req, base, key !== null));
    }
    widenAccept(req);
    const share = bodies.open(holder.keyId);
    try {
      const message = await readAgentMessage(req, res, { mostBytes: MAX_MESSAGE_BYTES, share, signal });
      await mcp.handle(req, res, { holder, meta, signal, message });
    } finally {
      share.close();
    }
  };
};
