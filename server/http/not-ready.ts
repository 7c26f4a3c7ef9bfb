// The app that answers 503 while the service starts or stops.
import express, { type Express, type RequestHandler } from 'express';
import { unavailable } from '../core/errors.ts';
import type { Logger } from '../core/log.ts';
import { cors } from './cors.ts';
import { errorHandler } from './errors.ts';
import { assignRequestId } from './request.ts';
import { sendJson } from './send.ts';

export interface NotReadyDeps {
  version: string;
  /** A sentence with the reason, and what to do. */
  why: string;
  log: Pick<Logger, 'debug' | 'error'>;
}

const RETRY_AFTER_S = '1';

const refuseEverything =
  (why: string): RequestHandler =>
  (_req, _res, next) =>
    next(unavailable(why));

export const createNotReadyApp = ({ version, why, log }: NotReadyDeps): Express => {
  const app = express();
  app.disable('x-powered-by');
  app.use(assignRequestId, cors, (_req, res, next) => {
    res.setHeader('retry-after', RETRY_AFTER_S);
    res.setHeader('cache-control', 'no-store');
    // Closes the connection: this server may be stopped before the next request.
    res.setHeader('connection', 'close');
    next();
  });
  app.get('/health', (_req, res) => sendJson(res, 503, { status: 'unavailable', version }));
  app.use(refuseEverything(why), errorHandler(log));
  return app;
};
