// Sends every error in the same form: { error, details? }, with its status and headers.
import type { ServerResponse } from 'node:http';
import type { ErrorRequestHandler, RequestHandler } from 'express';
import { storageError } from '../calls/storage-error.ts';
import { badRequest, MemoirError, notFound } from '../core/errors.ts';
import type { Logger } from '../core/log.ts';
import { adviceFor } from './absent-routes.ts';
import { drainBody } from './drain.ts';
import { requestIdOf } from './request.ts';
import { sendJson } from './send.ts';

export const sendError = (res: ServerResponse, error: MemoirError): void => {
  for (const [name, value] of Object.entries(error.headers)) res.setHeader(name, value);
  drainBody(res);
  const body =
    error.details === undefined ? { error: error.message } : { error: error.message, details: error.details };
  sendJson(res, error.status, body);
};

/** Express throws this error for a path that is not properly percent-encoded. */
const isBadPath = (error: unknown): boolean => error instanceof URIError;

const isAbortError = (error: unknown): boolean => error instanceof Error && error.name === 'AbortError';

export const unknownRoute: RequestHandler = (req, _res, next) => {
  next(notFound(`The route ${req.method} ${req.path} does not exist. ${adviceFor(req.path)}`));
};

export const methodNotAllowed =
  (allowed: readonly string[]): RequestHandler =>
  (req, _res, next) => {
    const allow = allowed.join(', ');
    const sentence = `The method ${req.method} is not allowed on ${req.path}. Use ${allow}.`;
    next(new MemoirError(405, sentence, { headers: { allow } }));
  };

/** Express recognises an error handler by its four parameters. */
export const errorHandler =
  (log: Pick<Logger, 'debug' | 'error'>): ErrorRequestHandler =>
  (error: unknown, req, res, _next) => {
    const requestId = requestIdOf(res);
    const stored = storageError(error);
    if (res.headersSent || res.destroyed || isAbortError(error)) {
      log.debug({ requestId, err: error }, 'A client closed the connection before it got the answer.');
      // At a stop the request was answered while it was worked on, and the answer may be on its way.
      if (!res.writableEnded) res.destroy();
    } else if (error instanceof MemoirError) {
      sendError(res, error);
    } else if (isBadPath(error)) {
      sendError(
        res,
        badRequest(`The path ${req.path} is not properly percent-encoded. Write a percent sign as %25.`),
      );
    } else if (stored !== null) {
      log.error({ requestId, err: error }, 'A request failed because of the disk or of the database file.');
      sendError(res, stored);
    } else {
      log.error({ requestId, err: error }, 'A request failed because of an internal error.');
      const details = `Request id: ${requestId}`;
      const sentence =
        'An internal error occurred. Look for the request id in the server log to find the cause.';
      sendError(res, new MemoirError(500, sentence, { details }));
    }
  };
