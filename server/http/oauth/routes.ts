// The OAuth routes: discovery documents, the authorization server, and the connect page.
import { type Request, type RequestHandler, type Response, Router } from 'express';
import { LRUCache } from 'lru-cache';
import type { Invoke } from '../../calls/invoke.ts';
import { MCP_PATH } from '../../lib/own-address.ts';
import { allowedHosts, checkHost, publicAddress } from '../allowed-hosts.ts';
import { formBody } from '../bodies/parsed.ts';
import { messagePage } from '../pages/html.ts';
import { sendPage, visitOf, withErrorPage } from '../pages/page-responses.ts';
import { clientAddress } from '../request.ts';
import { sendJson } from '../send.ts';
import type { AuthorizationServer } from './authorization-server.ts';
import { type Consent, type ConsentDecision, createConsent } from './consent.ts';
import { pluginRoutes } from './plugin-routes.ts';
import type { ProviderDeps } from './provider.ts';

export type OauthDeps = Omit<ProviderDeps, 'errorPage' | 'log'>;

export interface OauthRoutesDeps extends OauthDeps, Pick<ProviderDeps, 'log'> {
  invoke: Invoke;
  /** Without a slash at its end; empty: not known. */
  base: string;
}

const PROTECTED = '/.well-known/oauth-protected-resource';
const SCOPES = ['memory:read', 'memory:write'];
/** The most public addresses served at a time: the names of this machine, each at two ports. */
const MOST_ADDRESSES = 6;
const FORM_BYTES = 64 * 1024;

const MOST_FIELDS = 300;

const form = withErrorPage(formBody(FORM_BYTES, MOST_FIELDS));

const resourceMetadata =
  (base: string, path: string): RequestHandler =>
  (req, res) => {
    const address = publicAddress(req, base);
    sendJson(res, 200, {
      resource: address + path,
      authorization_servers: [address],
      scopes_supported: SCOPES,
      bearer_methods_supported: ['header'],
      resource_name: 'Memoir',
    });
  };

/**
 * One server for each address, created on first use because its library loads slowly. The request names the address, so
 * new ones are counted as requests without a key.
 */
const createServers = (
  deps: Omit<ProviderDeps, 'errorPage'>,
  base: string,
): ((req: Request) => Promise<AuthorizationServer>) => {
  const opened = new LRUCache<string, Promise<AuthorizationServer>>({ max: MOST_ADDRESSES });
  return async (req) => {
    const address = publicAddress(req, base);
    const known = opened.peek(address);
    if (known !== undefined) return known;
    await deps.grants.admit(clientAddress(req));
    const opening = import('./authorization-server.ts').then(({ createAuthorizationServer }) =>
      createAuthorizationServer(address, { ...deps, errorPage: messagePage }),
    );
    opened.set(address, opening);
    opening.catch(() => opened.delete(address));
    return opening;
  };
};

const consentDecision = (
  consent: Consent,
  req: Request,
  res: Response,
  accessRequest: Parameters<Consent['begin']>[0],
): Promise<ConsentDecision> =>
  req.method === 'POST'
    ? consent.decide(accessRequest, (req.body ?? {}) as Record<string, unknown>, visitOf(req, res))
    : Promise.resolve(consent.begin(accessRequest));

export const oauthRoutes = ({ base, ...deps }: OauthRoutesDeps): Router => {
  const { grants } = deps;
  const router = Router();
  const hosts = allowedHosts(base);
  const servers = createServers(deps, base);
  const consent = createConsent(deps);

  const known: RequestHandler = (req, _res, next) => {
    checkHost(req, hosts);
    next();
  };
  const counted: RequestHandler = async (req, _res, next) => {
    await grants.admit(clientAddress(req));
    next();
  };
  const serve: RequestHandler = async (req, res) => (await servers(req)).handle(req, res);

  const connect = withErrorPage(async (req, res) => {
    const pending = await (await servers(req)).pending(req, res);
    const decision = await consentDecision(consent, req, res, pending.accessRequest);
    if (decision.kind === 'page') sendPage(res, decision.status, decision.page);
    else if (decision.kind === 'deny') await pending.deny();
    else await pending.allow(decision.holder, decision.choice);
  });

  router.get(`${PROTECTED}${MCP_PATH}`, known, resourceMetadata(base, MCP_PATH));
  router.get(PROTECTED, known, resourceMetadata(base, ''));
  router.get(['/.well-known/oauth-authorization-server', '/.well-known/openid-configuration'], known, serve);
  router.all('/oauth/*path', known, counted, serve);
  router.get('/connect/:uid', known, counted, connect);
  router.post('/connect/:uid', known, counted, form, connect);
  router.use(pluginRoutes({ base, grants, consent, guards: [known, counted], form }));
  return router;
};
