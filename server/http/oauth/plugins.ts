// The plain way for plugins on the same machine: a page that sends a key of their own to their callback.
import { type RequestHandler, Router } from 'express';
import { PLUGINS } from '../../../tools/shared/grants.ts';
import { badRequest } from '../../errors.ts';
import type { Service } from '../../service.ts';
import { addressAsked } from '../own-host.ts';
import { type Asker, placeOf, tame } from './asker.ts';
import type { Consent, Share } from './consent.ts';
import { asPage, sendPage, visitOf } from './page-answers.ts';

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
  /** Who gets a key. */
  clients: string[];
  /** The callback hears of several keys, even where there is one. */
  several: boolean;
  about: [string, string][];
}

const HOSTS = new Set(['localhost', '127.0.0.1']);
const AGENT = 'agent_cli';

/** Nothing but a program on this machine may be sent a key. */
function callbackOf(text: string | null): URL {
  const url = text === null ? null : URL.parse(text);
  const fits = url?.protocol === 'http:' && HOSTS.has(url.hostname) && url.pathname === '/callback';
  if (url === null || !fits || url.username !== '' || url.password !== '')
    throw badRequest(
      'The callback must be http on localhost or 127.0.0.1 with the path /callback, as in http://127.0.0.1:4000/callback.',
    );
  return url;
}

function clientsOf(query: URLSearchParams): Pick<PluginRequest, 'clients' | 'several'> {
  const list = query.get('clients');
  const clients = [...new Set((list ?? query.get('client') ?? '').split(',').filter((id) => id !== ''))];
  const unknown = clients.find((id) => !PLUGINS.some((one) => one === id));
  if (unknown !== undefined || clients.length === 0)
    throw badRequest(
      `${unknown === undefined ? 'No plugin is named' : `There is no plugin ${JSON.stringify(tame(unknown))}`}: client must be one of ${PLUGINS.join(', ')}.`,
    );
  return { clients, several: list !== null };
}

const ABOUT: readonly [field: string, label: string][] = [
  ['hostname', 'On the machine'],
  ['os', 'Which runs'],
  ['cwd', 'In the folder'],
  ['cli_version', 'Version'],
];

function requestOf(query: URLSearchParams, agent: boolean): PluginRequest {
  const about = ABOUT.flatMap(([field, label]): [string, string][] => {
    const value = tame(query.get(field) ?? '');
    return value === '' ? [] : [[label, value]];
  });
  const who = agent ? { clients: [AGENT], several: false } : clientsOf(query);
  return { callback: callbackOf(query.get('callback')), ...who, about };
}

function askerOf({ callback, clients, about }: PluginRequest, action: string, query: string): Asker {
  const place = placeOf(callback.href);
  return {
    name: clients.join(', '),
    facts: [...about, ['A key of its own goes to', place.words]],
    redirectHost: place.host,
    redirectSource: place.source,
    mayWrite: true,
    request: `plugin ${action} ${query}`,
    action: `${action}?${query}`,
  };
}

/** What the caller put into its callback stays there. */
function answered(callback: URL, fields: Record<string, string>): string {
  const url = new URL(callback);
  for (const [name, value] of Object.entries(fields)) url.searchParams.set(name, value);
  return url.href;
}

export function pluginRoutes({ base, grants, consent, guards, form }: PluginRoutesDeps): Router {
  const router = Router();

  async function keysFor({ clients, several }: PluginRequest, holder: Holder, share: Share) {
    const keys: Record<string, string> = {};
    for (const id of clients) keys[id] = (await grants.giveKey(holder, share, id)).key;
    if (several) return { keys: Buffer.from(JSON.stringify(keys)).toString('base64url') };
    return { apikey: Object.values(keys).join('') };
  }

  const connect = (path: string, agent: boolean): RequestHandler =>
    asPage(async (req, res) => {
      const query = new URLSearchParams(req.url.split('?')[1] ?? '');
      const asked = requestOf(query, agent);
      const address = addressAsked(req, base);
      const asker = askerOf(asked, `${address}${path}`, query.toString());
      const fields = (req.body ?? {}) as Record<string, unknown>;
      const decision =
        req.method === 'POST' ? await consent.decide(asker, fields, visitOf(req, res)) : consent.begin(asker);
      if (decision.kind === 'page') return sendPage(res, decision.status, decision.page);
      const outcome =
        decision.kind === 'deny'
          ? { errors: 'access_denied' }
          : { ...(await keysFor(asked, decision.holder, decision.share)), api_url: address };
      res.removeHeader('access-control-allow-origin');
      res.writeHead(303, { location: answered(asked.callback, outcome), 'cache-control': 'no-store' }).end();
    });

  for (const [path, agent] of [
    ['/auth/connect', false],
    ['/auth/agent-connect', true],
  ] as const) {
    router.get(path, ...guards, connect(path, agent));
    router.post(path, ...guards, form, connect(path, agent));
  }
  return router;
}
