// The routes of connections without a key: the way back from a sign-in, the page for choosing, and the webhooks.
import { type RequestHandler, Router } from 'express';
import type { Invoke } from '../../calls/invoke.ts';
import type { Service } from '../../calls/service.ts';
import { CHOICE_PATH, HOOK_PATH } from '../../lib/own-address.ts';
import { allowedHosts, checkHost } from '../allowed-hosts.ts';
import { formBody } from '../bodies/parsed.ts';
import { withErrorPage } from '../pages/page-responses.ts';
import { clientAddress } from '../request.ts';
import { callbackRoute } from './callback-route.ts';
import { choiceRoutes } from './choice-routes.ts';
import { hookRoute, onlyDeliveries } from './hook-route.ts';

export interface ConnectionRoutesDeps {
  readonly invoke: Invoke;
  readonly signIn: Service['signIn'];
  readonly hooks: Service['hooks'];
  readonly grants: Pick<Service['access']['grants'], 'admit' | 'giver'>;
  /** Without a slash at its end; empty: not known. */
  readonly base: string;
}

/** A choice of a thousand resources, each with its name. */
const FORM_BYTES = 1024 * 1024;
const MOST_FIELDS = 2_500;

const form = withErrorPage(formBody(FORM_BYTES, MOST_FIELDS));

export const connectionRoutes = ({ invoke, signIn, hooks, grants, base }: ConnectionRoutesDeps): Router => {
  const router = Router();
  const hosts = allowedHosts(base);
  const counted: RequestHandler = async (req, _res, next) => {
    checkHost(req, hosts);
    await grants.admit(clientAddress(req));
    next();
  };
  const callback = withErrorPage(callbackRoute({ signIn, base }));
  const choice = choiceRoutes({ invoke, grants, tickets: signIn.tickets });
  router.post(HOOK_PATH, hookRoute({ hooks, grants })).all(HOOK_PATH, onlyDeliveries);
  router.get('/v3/connections/auth/callback/:provider', counted, callback);
  router.get('/v3/connections/:provider/callback', counted, callback);
  router.get(CHOICE_PATH, counted, withErrorPage(choice.show));
  router.post(CHOICE_PATH, counted, form, withErrorPage(choice.answer));
  return router;
};
