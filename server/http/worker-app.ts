// The app of a process that does background work alone: it answers its health and its metrics.
import express, { type Express, type RequestHandler } from 'express';
import { notFound } from '../core/errors.ts';
import type { Logger } from '../core/log.ts';
import { errorHandler, methodNotAllowed } from './errors.ts';
import { type HealthRouteDeps, healthRoute } from './other-routes/health-route.ts';
import { type MetricsSource, serveMetrics } from './other-routes/metrics-route.ts';
import { assignRequestId } from './request.ts';

export interface WorkerAppDeps extends HealthRouteDeps {
  metrics: MetricsSource | null;
  log: Pick<Logger, 'debug' | 'error'>;
}

const MISDIRECTED =
  'This process is a worker (role "worker"): it answers GET /health and nothing else. Send this request to a process with the role "api" or "all".';

const sendElsewhere: RequestHandler = (_req, _res, next) => next(notFound(MISDIRECTED));

export const createWorkerApp = ({ health, invoke, metrics, log }: WorkerAppDeps): Express => {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.use(assignRequestId);
  app.get('/health', healthRoute({ health, invoke })).all('/health', methodNotAllowed(['GET', 'HEAD']));
  serveMetrics(app, metrics, invoke);
  app.use(sendElsewhere, errorHandler(log));
  return app;
};
