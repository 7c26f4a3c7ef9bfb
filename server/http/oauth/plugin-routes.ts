// The connect page for plugins on the same machine: sends a new key to the callback of the plugin.
import { type RequestHandler, Router } from 'express';
import { PLUGINS } from '../../../tools/grants/schemas/grants.ts';
import type { Service } from '../../calls/service.ts';
import { badRequest } from '../../core/errors.ts';
import { publicAddress } from '../allowed-hosts.ts';
import { sendPage, visitOf, withErrorPage } from '../pages/page-responses.ts';
import { type ConsentRequest, redirectTarget, safeLabel } from './access-request.ts';
import type { Consent, GrantChoice } from './consent.ts';

type Grants = Service['access']['grants'];
type Holder = Awaited<ReturnType<Grants['signIn']>>;

export interface PluginRoutesDeps {
  base: string;
  grants: Pick<Grants, 'giveKey'>;
  consent: Consent;
  guards: readonly RequestHandler[];
  form: RequestHandler;
}

interface PluginRequest {
  callback: URL;
  /** The clients that get a key. */
  clients: string[];
  /** True if the callback gets a list of keys, even for one client. */
  several: boolean;
  about: [string, string][];
}

const HOSTS = new Set(['localhost', '127.0.0.1']);
const AGENT = 'agent_cli';

/** Allows only callbacks on this machine. */
const readCallback = (text: string | null): URL => {
  const url = text === null ? null : URL.parse(text);
  const fits = url?.protocol === 'http:' && HOSTS.has(url.hostname) && url.pathname === '/callback';
  if (url === null || !fits || url.username !== '' || url.password !== '')
    throw badRequest(
      'The callback must be an http address on localhost or 127.0.0.1 with the path /callback, for example http://127.0.0.1:4000/callback.',
    );
  return url;
};

const readPluginClients = (query: URLSearchParams): Pick<PluginRequest, 'clients' | 'several'> => {
  const list = query.get('clients');
  const clients = [...new Set((list ?? query.get('client') ?? '').split(',').filter((id) => id !== ''))];
  const unknown = clients.find((id) => !PLUGINS.some((one) => one === id));
  if (unknown !== undefined || clients.length === 0)
    throw badRequest(
      `${unknown === undefined ? 'The request names no plugin' : `The plugin ${JSON.stringify(safeLabel(unknown))} is unknown`}: client must be one of ${PLUGINS.join(', ')}.`,
    );
  return { clients, several: list !== null };
};

const ABOUT: readonly [field: string, label: string][] = [
  ['hostname', 'Machine'],
  ['os', 'Operating system'],
  ['cwd', 'Folder'],
  ['cli_version', 'Version'],
];

const readPluginRequest = (query: URLSearchParams, agent: boolean): PluginRequest => {
  const about = ABOUT.flatMap(([field, label]): [string, string][] => {
    const value = safeLabel(query.get(field) ?? '');
    return value === '' ? [] : [[label, value]];
  });
  const who = agent ? { clients: [AGENT], several: false } : readPluginClients(query);
  return { callback: readCallback(query.get('callback')), ...who, about };
};

const pluginAccessRequest = (
  { callback, clients, about }: PluginRequest,
  action: string,
  query: string,
): ConsentRequest => {
  const place = redirectTarget(callback.href);
  return {
    name: clients.join(', '),
    facts: [...about, ['A new key is sent to', place.words]],
    redirectHost: place.host,
    redirectSource: place.source,
    mayWrite: true,
    request: `plugin ${action} ${query}`,
    action: `${action}?${query}`,
  };
};

/** Keeps the query of the callback address. */
const callbackAddress = (callback: URL, fields: Record<string, string>): string => {
  const url = new URL(callback);
  for (const [name, value] of Object.entries(fields)) url.searchParams.set(name, value);
  return url.href;
};

export const pluginRoutes = ({ base, grants, consent, guards, form }: PluginRoutesDeps): Router => {
  const router = Router();

  async function keysFor({ clients, several }: PluginRequest, holder: Holder, choice: GrantChoice) {
    const keys: Record<string, string> = {};
    for (const id of clients) keys[id] = (await grants.giveKey(holder, choice, id)).key;
    if (several) return { keys: Buffer.from(JSON.stringify(keys)).toString('base64url') };
    return { apikey: Object.values(keys).join('') };
  }

  const connect = (path: string, agent: boolean): RequestHandler =>
    withErrorPage(async (req, res) => {
      const query = new URLSearchParams(req.url.split('?')[1] ?? '');
      const pluginRequest = readPluginRequest(query, agent);
      const address = publicAddress(req, base);
      const accessRequest = pluginAccessRequest(pluginRequest, `${address}${path}`, query.toString());
      const fields = (req.body ?? {}) as Record<string, unknown>;
      const decision =
        req.method === 'POST'
          ? await consent.decide(accessRequest, fields, visitOf(req, res))
          : consent.begin(accessRequest);
      if (decision.kind === 'page') return sendPage(res, decision.status, decision.page);
      const outcome =
        decision.kind === 'deny'
          ? { errors: 'access_denied' }
          : { ...(await keysFor(pluginRequest, decision.holder, decision.choice)), api_url: address };
      res.removeHeader('access-control-allow-origin');
      res
        .writeHead(303, {
          location: callbackAddress(pluginRequest.callback, outcome),
          'cache-control': 'no-store',
        })
        .end();
    });

  for (const [path, agent] of [
    ['/auth/connect', false],
    ['/auth/agent-connect', true],
  ] as const) {
    router.get(path, ...guards, connect(path, agent));
    router.post(path, ...guards, form, connect(path, agent));
  }
  return router;
};
