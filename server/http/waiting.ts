// What is answered while there is no service: before it is ready, and while it finishes what is under way.
import express, { type Express, type RequestHandler } from 'express';
import { unavailable } from '../errors.ts';
import type { Logger } from '../lib/logger.ts';
import { cors } from './cors.ts';
import { errorHandler } from './errors.ts';
import { nameRequest } from './request.ts';
import { sendJson } from './send.ts';

export interface WaitingDeps {
  version: string;
  /** A sentence: why there is no service, and what to do. */
  why: string;
  log: Pick<Logger, 'debug' | 'error'>;
}

const RETRY_AFTER_S = '1';

const refuse =
  (why: string): RequestHandler =>
  (_req, _res, next) =>
    next(unavailable(why));

export function createWaiting({ version, why, log }: WaitingDeps): Express {
  const app = express();
  app.disable('x-powered-by');
  app.use(nameRequest, cors, (_req, res, next) => {
    res.setHeader('retry-after', RETRY_AFTER_S);
    res.setHeader('cache-control', 'no-store');
    // The next request belongs on a connection of its own: this server may be gone by then.
    res.setHeader('connection', 'close');
    next();
  });
  app.get('/health', (_req, res) =>
    sendJson(res, 503, { status: 'unavailable', ready: false, version, parts: {} }),
  );
  app.use(refuse(why), errorHandler(log));
  return app;
}
