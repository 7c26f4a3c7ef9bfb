// The HTTP door: every operation as a route, beside the few things that are open without a key.
import express, { type Express } from 'express';
import type { Operation } from '../../tools/contract.ts';
import type { Invoke } from '../invoke.ts';
import type { Logger } from '../lib/logger.ts';
import type { Health } from '../service.ts';
import { cors } from './cors.ts';
import { downloadRoute, type OpenLink } from './download.ts';
import { errorHandler, methodNotAllowed, unknownRoute } from './errors.ts';
import type { FileReceiver } from './form.ts';
import { healthRoute } from './health.ts';
import { legacyForms, legacyRoutes } from './legacy.ts';
import { type McpHandler, mcpRoute } from './mcp.ts';
import { type OauthDeps, oauthRoutes } from './oauth/routes.ts';
import { openApiRoute } from './openapi.ts';
import { nameRequest } from './request.ts';
import { createRoutes } from './routes.ts';
import { sendJson } from './send.ts';

export interface HttpDeps {
  invoke: Invoke;
  operations: readonly Operation[];
  health(): Promise<Health>;
  files: FileReceiver;
  /** Signed links to files are open without a key. */
  openLink: OpenLink;
  /** The tools for agents. */
  mcp: McpHandler;
  /** Access for programs, which a person agrees to. */
  oauth: OauthDeps;
  log: Pick<Logger, 'debug' | 'error'>;
  version: string;
  /** The public address, when it is known; otherwise links are relative. */
  baseUrl?: string | undefined;
}

const withoutSlash = (url: string): string => url.replace(/\/+$/, '');

const onlyGet = methodNotAllowed(['GET', 'HEAD', 'OPTIONS']);

export function createHttp(given: HttpDeps): Express {
  const { operations, health, log, version, baseUrl = '', mcp, oauth, ...deps } = given;
  const base = withoutSlash(baseUrl);
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', false);
  // A proxy on the same machine may say for whom it asks; anyone else may not.
  app.set('trust proxy', 'loopback');

  app.use(nameRequest, cors, legacyForms);
  app.use(createRoutes(deps, operations));
  app.all('/mcp', mcpRoute({ invoke: deps.invoke, mcp, base }));
  app.use(oauthRoutes({ ...oauth, invoke: deps.invoke, log, base }));
  const open = {
    '/health': healthRoute(health),
    '/files/:id': downloadRoute(deps.openLink),
    ...openApiRoute(operations, { version, baseUrl: base }),
  };
  for (const [path, handler] of Object.entries(open)) app.get(path, handler).all(path, onlyGet);
  app.get('/', (_req, res) => {
    sendJson(res, 200, { name: 'Memoir', version, docs: `${base}/v3/openapi`, health: `${base}/health` });
  });
  app.all('/', onlyGet);
  app.use(legacyRoutes(base === '' ? '' : withoutSlash(new URL(base).pathname)));
  app.use(unknownRoute, errorHandler(log));
  return app;
}
