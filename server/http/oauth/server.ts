// The authorization server behind its routes, one for each address that this server is known by. Loaded when first used.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type Provider from 'oidc-provider';
import { notFound } from '../../errors.ts';
import type { Service } from '../../service.ts';
import { type Asker, placeOf, tame } from './asker.ts';
import type { Share } from './consent.ts';
import { createProvider, type ProviderDeps, SCOPES } from './provider.ts';

type Grants = Service['access']['grants'];
type Holder = Awaited<ReturnType<Grants['signIn']>>;

/** One request for access that waits for a person. */
export interface Pending {
  asker: Asker;
  allow(holder: Holder, share: Share): Promise<void>;
  deny(): Promise<void>;
}

export interface AuthorizationServer {
  handle(req: IncomingMessage, res: ServerResponse): Promise<void>;
  /** 404 when this browser has no such request open. */
  pending(req: IncomingMessage, res: ServerResponse): Promise<Pending>;
}

type Interaction = Awaited<ReturnType<Provider['interactionDetails']>>;
type Client = NonNullable<Awaited<ReturnType<Provider['Client']['find']>>>;

const listOf = (value: unknown): string[] =>
  (Array.isArray(value) ? value : [value]).filter((one) => typeof one === 'string');

const isAddress = (clientId: string): boolean => /^https:\/\//i.test(clientId);

const NOT_OPEN =
  'This browser has no such request open: it took longer than ten minutes, or was answered. Go back to the program and begin again.';

function askerOf(client: Client, { params, uid }: Interaction, issuer: string): Asker {
  const { clientId } = client;
  const place = placeOf(String(params.redirect_uri));
  const known: [string, string] = isAddress(clientId)
    ? ['Described at', clientId]
    : ['Known as', 'a program that registered itself; nobody has checked who it is'];
  const scopes = String(params.scope ?? '').split(' ');
  return {
    name: tame(client.clientName ?? clientId),
    facts: [known, ['The answer goes to', place.words]],
    redirectHost: place.host,
    redirectSource: place.source,
    mayWrite: scopes.includes('memory:write'),
    request: `connect ${uid}`,
    action: `${issuer}/connect/${uid}`,
  };
}

const granted = ({ permission }: Share): string[] =>
  SCOPES.filter((scope) => permission === 'write' || scope === 'memory:read');

/** The program is told what it was granted, and not asked again about what was left out. */
async function saveGrant(
  provider: Provider,
  { params }: Interaction,
  made: { id: string; keyId: string; expiresAt: number },
  share: Share,
) {
  const grant = new provider.Grant({ accountId: made.keyId, clientId: String(params.client_id) });
  grant.jti = made.id;
  grant.exp = Math.floor(made.expiresAt / 1000);
  const yes = granted(share);
  const no = SCOPES.filter((scope) => !yes.includes(scope));
  // Both are looked at: as scopes of the sign-in, and as scopes of each resource.
  grant.addOIDCScope(yes);
  grant.rejectOIDCScope(no);
  for (const resource of listOf(params.resource)) {
    grant.addResourceScope(resource, yes);
    grant.rejectResourceScope(resource, no);
  }
  return grant.save();
}

/** A program that names no scope wants what there is. */
function withScope(url: string): string {
  const asked = new URL(url, 'http://here');
  if (asked.searchParams.get('scope')) return url;
  asked.searchParams.set('scope', SCOPES.join(' '));
  return asked.pathname + asked.search;
}

/** Behind a proxy the request names another host than the one that callers know. */
function asAddressed(req: IncomingMessage & { originalUrl?: string }, issuer: URL): void {
  const prefix = issuer.pathname.replace(/\/$/, '');
  req.headers.host = issuer.host;
  req.headers['x-forwarded-proto'] = issuer.protocol.slice(0, -1);
  delete req.headers['x-forwarded-host'];
  if (req.method === 'GET' && /^\/oauth\/authorize\?/.test(req.url ?? '')) req.url = withScope(req.url ?? '');
  req.originalUrl = prefix + (req.url ?? '');
}

export function createAuthorizationServer(issuer: string, deps: ProviderDeps): AuthorizationServer {
  const { grants } = deps;
  const provider = createProvider(issuer, deps);
  const handler = provider.callback();
  const address = new URL(issuer);

  async function opened(
    req: IncomingMessage,
    res: ServerResponse,
  ): Promise<{ interaction: Interaction; client: Client }> {
    asAddressed(req, address);
    const interaction = await provider.interactionDetails(req, res).catch((cause: unknown) => {
      throw notFound(NOT_OPEN, { cause });
    });
    const client = await provider.Client.find(String(interaction.params.client_id));
    if (client === undefined || !req.url?.startsWith(`/connect/${interaction.uid}`)) throw notFound(NOT_OPEN);
    return { interaction, client };
  }

  return {
    async handle(req, res) {
      asAddressed(req, address);
      await handler(req, res);
    },
    async pending(req, res) {
      const { interaction, client } = await opened(req, res);
      const asker = askerOf(client, interaction, issuer);
      const finish = (result: Parameters<Provider['interactionFinished']>[2]) =>
        provider.interactionFinished(req, res, result, { mergeWithLastSubmission: false });
      return {
        asker,
        async allow(holder, share) {
          const made = await grants.give(holder, {
            ...share,
            clientId: client.clientId,
            clientName: asker.name,
            redirectHost: asker.redirectHost,
          });
          const grantId = await saveGrant(provider, interaction, made, share);
          await finish({ login: { accountId: made.keyId, remember: false }, consent: { grantId } });
        },
        deny: () => finish({ error: 'access_denied', error_description: 'The person did not allow it.' }),
      };
    },
  };
}
