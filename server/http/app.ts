// The HTTP way in: every operation as a route, and the few routes that need no key.
import express, { type Express } from 'express';
import type { Operation } from '../../tools/operation.ts';
import type { Invoke } from '../calls/invoke.ts';
import type { FileReceiver } from '../calls/memoir.ts';
import type { Health } from '../core/health.ts';
import type { Logger } from '../core/log.ts';
import { requireHostForm } from './allowed-hosts.ts';
import { createBodyBudget } from './bodies/budget.ts';
import { endSlowBodies, type TransferRate } from './bodies/transfer-rate.ts';
import { type ConnectionRoutesDeps, connectionRoutes } from './connections/routes.ts';
import type { ConsoleDeps } from './console/context.ts';
import { consoleRoutes } from './console/routes.ts';
import { cors } from './cors.ts';
import { errorHandler, methodNotAllowed, unknownRoute } from './errors.ts';
import { namespaceRows } from './namespaces/rows.ts';
import { type OauthDeps, oauthRoutes } from './oauth/routes.ts';
import { openApiRoute } from './openapi/route.ts';
import { downloadRoute, type OpenLink } from './other-routes/download-route.ts';
import { healthRoute } from './other-routes/health-route.ts';
import { type McpHandler, mcpRoute } from './other-routes/mcp-route.ts';
import { redirectMemoriesPaths, rewriteMemoriesForms } from './other-routes/memories-redirect.ts';
import { type MetricsSource, serveMetrics } from './other-routes/metrics-route.ts';
import { assignRequestId } from './request.ts';
import { operationRoutes } from './routes.ts';
import { sendJson } from './send.ts';

export interface HttpDeps {
  invoke: Invoke;
  operations: readonly Operation[];
  health(): Promise<Health>;
  files: FileReceiver;
  /** Opens signed links to files; they need no key. */
  openLink: OpenLink;
  /** The figures for operators; null: they are off. */
  metrics: MetricsSource | null;
  /** The tools for agents. */
  mcp: McpHandler;
  /** Access for programs, with the consent of a person. */
  oauth: OauthDeps;
  /** The parts behind the pages of the console; missing: there are none. */
  console?: ConsoleDeps['service'];
  /** The pages of connections in a browser. */
  connections: Omit<ConnectionRoutesDeps, 'invoke' | 'base'>;
  log: Pick<Logger, 'debug' | 'error'>;
  version: string;
  /** The public address, when it is known; otherwise links are relative. */
  baseUrl?: string | undefined;
  /** The proxies whose forwarded headers are believed. */
  trustedProxies: readonly string[];
  /** The memory for all request bodies, in bytes. */
  bodyMemory: number;
  /** Replaces the usual rate in tests. */
  transferRate?: TransferRate;
}

const withoutSlash = (url: string): string => url.replace(/\/+$/, '');

const onlyGet = methodNotAllowed(['GET', 'HEAD', 'OPTIONS']);

export const createHttpApp = (allDeps: HttpDeps): Express => {
  const { operations, health, log, version, baseUrl = '', mcp, oauth, console, ...deps } = allDeps;
  const { invoke, files } = deps;
  const base = withoutSlash(baseUrl);
  const bodies = createBodyBudget(deps.bodyMemory);
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', false);
  app.set('trust proxy', [...deps.trustedProxies]);

  app.use(assignRequestId, cors, requireHostForm, endSlowBodies(deps.transferRate), rewriteMemoriesForms);
  app.use(operationRoutes({ invoke, files, bodies, base }, [...operations, ...namespaceRows]));
  const agents = mcpRoute({ invoke, mcp, bodies, base });
  app.get('/mcp', agents).post('/mcp', agents).delete('/mcp', agents);
  app.all('/mcp', methodNotAllowed(['POST', 'OPTIONS']));
  app.use(connectionRoutes({ ...deps.connections, invoke, base }));
  app.use(oauthRoutes({ ...oauth, invoke, log, base }));
  if (console !== undefined) app.use(consoleRoutes({ invoke, service: console, base }));
  const open = {
    '/health': healthRoute({ health, invoke }),
    '/files/:id': downloadRoute(deps.openLink),
    ...openApiRoute(operations, { version, baseUrl: base }),
  };
  serveMetrics(app, deps.metrics, invoke);
  for (const [path, handler] of Object.entries(open)) app.get(path, handler).all(path, onlyGet);
  app.get('/', (_req, res) => {
    sendJson(res, 200, { name: 'Memoir', version, docs: `${base}/v3/openapi`, health: `${base}/health` });
  });
  app.all('/', onlyGet);
  app.use(redirectMemoriesPaths(base === '' ? '' : withoutSlash(new URL(base).pathname)));
  app.use(unknownRoute, errorHandler(log));
  return app;
};
