// The routes of OAuth: what programs discover, the authorization server, and the page where a person decides.
import express, { type Request, type RequestHandler, type Response, Router } from 'express';
import type { Invoke } from '../../invoke.ts';
import { MCP_PATH } from '../../lib/own-address.ts';
import { addressAsked, allowedHosts, checkHost } from '../own-host.ts';
import { addressOf } from '../request.ts';
import { sendJson } from '../send.ts';
import { type Consent, createConsent, type Decision } from './consent.ts';
import { asPage, sendPage, visitOf } from './page-answers.ts';
import { messagePage } from './pages.ts';
import { pluginRoutes } from './plugins.ts';
import type { ProviderDeps } from './provider.ts';
import type { AuthorizationServer } from './server.ts';

export interface OauthDeps extends Omit<ProviderDeps, 'errorPage' | 'log'> {
  ticketKey(): Buffer;
}

export interface OauthRoutesDeps extends OauthDeps, Pick<ProviderDeps, 'log'> {
  invoke: Invoke;
  /** Without a slash at its end; empty: not known. */
  base: string;
}

const PROTECTED = '/.well-known/oauth-protected-resource';
const SCOPES = ['memory:read', 'memory:write'];
/** Names by which one machine is called; more would be somebody who tries. */
const MOST_ADDRESSES = 16;
const FORM_BYTES = 64 * 1024;

const form = express.urlencoded({ extended: false, limit: FORM_BYTES, parameterLimit: 300 });

const resourceMetadata =
  (base: string, path: string): RequestHandler =>
  (req, res) => {
    const address = addressAsked(req, base);
    sendJson(res, 200, {
      resource: address + path,
      authorization_servers: [address],
      scopes_supported: SCOPES,
      bearer_methods_supported: ['header'],
      resource_name: 'Memoir',
    });
  };

/** One for each address; what it stands on takes a while to load, so not before somebody asks. */
function createServers(
  deps: Omit<ProviderDeps, 'errorPage'>,
): (address: string) => Promise<AuthorizationServer> {
  const opened = new Map<string, Promise<AuthorizationServer>>();
  return async (address) => {
    const known = opened.get(address);
    if (known !== undefined) return known;
    if (opened.size >= MOST_ADDRESSES) opened.delete(opened.keys().next().value ?? '');
    const opening = import('./server.ts').then(({ createAuthorizationServer }) =>
      createAuthorizationServer(address, { ...deps, errorPage: messagePage }),
    );
    opened.set(address, opening);
    opening.catch(() => opened.delete(address));
    return opening;
  };
}

const decided = (
  consent: Consent,
  req: Request,
  res: Response,
  asker: Parameters<Consent['begin']>[0],
): Promise<Decision> =>
  req.method === 'POST'
    ? consent.decide(asker, (req.body ?? {}) as Record<string, unknown>, visitOf(req, res))
    : Promise.resolve(consent.begin(asker));

export function oauthRoutes({ base, ...deps }: OauthRoutesDeps): Router {
  const { grants } = deps;
  const router = Router();
  const hosts = allowedHosts(base);
  const servers = createServers(deps);
  const consent = createConsent(deps);

  const known: RequestHandler = (req, _res, next) => {
    checkHost(req, hosts);
    next();
  };
  const counted: RequestHandler = async (req, _res, next) => {
    await grants.admit(addressOf(req));
    next();
  };
  const serve: RequestHandler = async (req, res) => (await servers(addressAsked(req, base))).handle(req, res);

  const connect = asPage(async (req, res) => {
    const pending = await (await servers(addressAsked(req, base))).pending(req, res);
    const decision = await decided(consent, req, res, pending.asker);
    if (decision.kind === 'page') sendPage(res, decision.status, decision.page);
    else if (decision.kind === 'deny') await pending.deny();
    else await pending.allow(decision.holder, decision.share);
  });

  router.get(`${PROTECTED}${MCP_PATH}`, known, resourceMetadata(base, MCP_PATH));
  router.get(PROTECTED, known, resourceMetadata(base, ''));
  router.get(['/.well-known/oauth-authorization-server', '/.well-known/openid-configuration'], known, serve);
  router.all('/oauth/*path', known, counted, serve);
  router.get('/connect/:uid', known, counted, connect);
  router.post('/connect/:uid', known, counted, form, connect);
  router.use(pluginRoutes({ base, grants, consent, guards: [known, counted], form }));
  return router;
}
