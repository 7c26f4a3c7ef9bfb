// POST /mcp: the tools for agents. Guards the address and the key, then hands the request to the protocol.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Request, RequestHandler } from 'express';
import { MemoirError } from '../errors.ts';
import type { Invoke, Meta } from '../invoke.ts';
import { addressAsked, allowedHosts, checkHost } from './own-host.ts';
import { addressOf, credentialOf, requestIdOf, wantedSignal } from './request.ts';

export interface McpHandler {
  handle(
    req: IncomingMessage,
    res: ServerResponse,
    request: { holder: Awaited<ReturnType<Invoke['admit']>>; meta: Meta; signal: AbortSignal },
  ): Promise<void>;
}

export interface McpRouteDeps {
  invoke: Invoke;
  mcp: McpHandler;
  /** Without a slash at its end; empty: not known. */
  base: string;
}

const BOTH = 'application/json, text/event-stream';

// --- accept ----------------------------------------------------------------------------------------

/** Some clients name one of the two types, or any: they can read what they get all the same. */
function widenAccept(req: Request): void {
  const accept = req.headers.accept ?? '*/*';
  if (!/\*\/\*|application\/(json|\*)|text\/(event-stream|\*)/.test(accept)) return;
  req.headers.accept = BOTH;
  const at = req.rawHeaders.findIndex((name, index) => index % 2 === 0 && name.toLowerCase() === 'accept');
  if (at === -1) req.rawHeaders.push('Accept', BOTH);
  else req.rawHeaders[at + 1] = BOTH;
}

// --- key -------------------------------------------------------------------------------------------

export const RESOURCE_METADATA = '/.well-known/oauth-protected-resource/mcp';

/** Where a client without a key learns how to get one. */
function challengeOf(req: Request, base: string, hasKey: boolean): string {
  const error = hasKey ? 'error="invalid_token", ' : '';
  return `Bearer ${error}resource_metadata="${addressAsked(req, base)}${RESOURCE_METADATA}"`;
}

const withChallenge = (error: unknown, challenge: string): unknown =>
  error instanceof MemoirError && error.status === 401
    ? new MemoirError(401, error.message, {
        ...(error.details === undefined ? {} : { details: error.details }),
        headers: { ...error.headers, 'www-authenticate': challenge },
        cause: error,
      })
    : error;

export function mcpRoute({ invoke, mcp, base }: McpRouteDeps): RequestHandler {
  const hosts = allowedHosts(base);
  return async (req, res) => {
    checkHost(req, hosts);
    const key = credentialOf(req.headers);
    const meta: Meta = { requestId: requestIdOf(res), way: 'mcp' };
    const signal = wantedSignal(res);
    let holder: Awaited<ReturnType<Invoke['admit']>>;
    try {
      holder = await invoke.admit({ ...meta, key, address: addressOf(req) });
    } catch (error) {
      throw withChallenge(error, challengeOf(req, base, key !== null));
    }
    widenAccept(req);
    // Only now, with the key known to be good, may a client that asked first send its body.
    if (req.headers.expect !== undefined) res.writeContinue();
    await mcp.handle(req, res, { holder, meta, signal });
  };
}
