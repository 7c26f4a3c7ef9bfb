// The pages of the console that need no script, and the session that scripts use.
import { type ErrorRequestHandler, type RequestHandler, Router } from 'express';
import { MemoirError } from '../../core/errors.ts';
import { allowedHosts, checkHost } from '../allowed-hosts.ts';
import { formBody } from '../bodies/parsed.ts';
import { messagePage } from '../pages/html.ts';
import { sendPage } from '../pages/page-responses.ts';
import { clientAddress } from '../request.ts';
import { isOwnForm } from '../session-cookie.ts';
import { accountRoutes } from './account-routes.ts';
import type { ConsoleDeps } from './context.ts';
import { entryRoutes } from './entry-routes.ts';
import { sessionRoutes } from './session-routes.ts';

const FORM_BYTES = 64 * 1024;
const MOST_FIELDS = 100;
const form = formBody(FORM_BYTES, MOST_FIELDS);

const redirect =
  (to: string): RequestHandler =>
  (_req, res) => {
    res.writeHead(303, { location: to, 'cache-control': 'no-store' }).end();
  };

/** Errors become a page, except those of the server itself. */
const errorPage: ErrorRequestHandler = (error, _req, res, next) => {
  if (!(error instanceof MemoirError) || error.status >= 500 || res.headersSent) return next(error);
  for (const [name, value] of Object.entries(error.headers)) res.setHeader(name, value);
  sendPage(res, error.status, messagePage('This did not work', error.message));
};

export const consoleRoutes = (deps: ConsoleDeps): Router => {
  const { base, service } = deps;
  const hosts = allowedHosts(base);
  const router = Router();
  const known: RequestHandler = (req, _res, next) => {
    checkHost(req, hosts);
    next();
  };
  const counted: RequestHandler = async (req, _res, next) => {
    await service.access.grants.admit(clientAddress(req));
    next();
  };
  const own: RequestHandler = (req, _res, next) => {
    if (!isOwnForm(req, base))
      throw new MemoirError(403, 'This form was sent by another site. Open the page here.');
    next();
  };
  router.use('/console', known, counted);
  router.use('/console', sessionRoutes(deps));
  const pages = Router();
  pages.get('/', redirect('account'));
  pages.use(entryRoutes(deps, [own, form]));
  pages.use(accountRoutes(deps, [own, form]));
  pages.use(errorPage);
  router.use('/console', pages);
  return router;
};
