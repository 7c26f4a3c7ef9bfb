// Every failure in one shape: { error, details? } with its status and headers.
import type { ErrorRequestHandler, RequestHandler, Response } from 'express';
import { badRequest, MemoirError, notFound } from '../errors.ts';
import type { Logger } from '../lib/logger.ts';
import { requestIdOf } from './request.ts';
import { linger, sendJson } from './send.ts';

function sendError(res: Response, error: MemoirError): void {
  for (const [name, value] of Object.entries(error.headers)) res.setHeader(name, value);
  linger(res);
  const body =
    error.details === undefined ? { error: error.message } : { error: error.message, details: error.details };
  sendJson(res, error.status, body);
}

/** Express refuses a path that is not properly percent-encoded with an error of its own. */
const isBadPath = (error: unknown): boolean => error instanceof URIError;

const isAbort = (error: unknown): boolean => error instanceof Error && error.name === 'AbortError';

export const unknownRoute: RequestHandler = (req, _res, next) => {
  next(notFound(`There is no ${req.method} ${req.path} here. The operations are listed at /v3/openapi.`));
};

export const methodNotAllowed =
  (allowed: readonly string[]): RequestHandler =>
  (req, _res, next) => {
    const allow = allowed.join(', ');
    const sentence = `${req.method} is not possible on ${req.path}. Use ${allow}.`;
    next(new MemoirError(405, sentence, { headers: { allow } }));
  };

/** Four parameters, for that is how Express knows a handler of errors. */
export const errorHandler =
  (log: Pick<Logger, 'debug' | 'error'>): ErrorRequestHandler =>
  (error: unknown, req, res, _next) => {
    const requestId = requestIdOf(res);
    if (res.headersSent || res.destroyed || isAbort(error)) {
      log.debug({ requestId, err: error }, 'A client went away before it had its answer.');
      res.destroy();
    } else if (error instanceof MemoirError) {
      sendError(res, error);
    } else if (isBadPath(error)) {
      sendError(res, badRequest(`The path ${req.path} is not properly percent-encoded.`));
    } else {
      log.error({ requestId, err: error }, 'A request failed through no fault of its caller.');
      const details = `Request id: ${requestId}`;
      const sentence = 'Something failed on the server. Its log names the cause under the request id.';
      sendError(res, new MemoirError(500, sentence, { details }));
    }
  };
