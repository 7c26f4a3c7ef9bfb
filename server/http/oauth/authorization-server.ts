// The OAuth authorization server for one public address of this server. Loaded on first use.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type Provider from 'oidc-provider';
import type { Service } from '../../calls/service.ts';
import { notFound } from '../../core/errors.ts';
import { type ConsentRequest, redirectTarget, safeLabel } from './access-request.ts';
import type { GrantChoice } from './consent.ts';
import { createProvider, type ProviderDeps, SCOPES } from './provider.ts';

type Grants = Service['access']['grants'];
type Holder = Awaited<ReturnType<Grants['signIn']>>;

/** A request for access that waits for the decision of a person. */
export interface Pending {
  accessRequest: ConsentRequest;
  allow(holder: Holder, choice: GrantChoice): Promise<void>;
  deny(): Promise<void>;
}

export interface AuthorizationServer {
  handle(req: IncomingMessage, res: ServerResponse): Promise<void>;
  /** Throws 404 if this browser has no such request open. */
  pending(req: IncomingMessage, res: ServerResponse): Promise<Pending>;
}

type Interaction = Awaited<ReturnType<Provider['interactionDetails']>>;
type Client = NonNullable<Awaited<ReturnType<Provider['Client']['find']>>>;

const stringsIn = (value: unknown): string[] =>
  (Array.isArray(value) ? value : [value]).filter((one) => typeof one === 'string');

const isClientAddress = (clientId: string): boolean => /^https:\/\//i.test(clientId);

const NOT_OPEN =
  'This browser has no such request open: the request expired after ten minutes, or was already answered. Go back to the program and start again.';

const programAccessRequest = (
  client: Client,
  { params, uid }: Interaction,
  issuer: string,
): ConsentRequest => {
  const { clientId } = client;
  const place = redirectTarget(String(params.redirect_uri));
  const known: [string, string] = isClientAddress(clientId)
    ? ['Description at', clientId]
    : ['Known as', 'a program that registered itself; its identity is not verified'];
  const scopes = String(params.scope ?? '').split(' ');
  return {
    name: safeLabel(client.clientName ?? clientId),
    facts: [known, ['The answer is sent to', place.words]],
    redirectHost: place.host,
    redirectSource: place.source,
    mayWrite: scopes.includes('memory:write'),
    request: `connect ${uid}`,
    action: `${issuer}/connect/${uid}`,
  };
};

const grantedScopes = ({ permission }: GrantChoice): string[] =>
  SCOPES.filter((scope) => permission === 'write' || scope === 'memory:read');

/** Saves the granted and the rejected scopes, so that the program is not asked again for rejected ones. */
const saveGrant = async (
  provider: Provider,
  { params }: Interaction,
  made: { id: string; keyId: string; expiresAt: number },
  choice: GrantChoice,
) => {
  const grant = new provider.Grant({ accountId: made.keyId, clientId: String(params.client_id) });
  grant.jti = made.id;
  grant.exp = Math.floor(made.expiresAt / 1000);
  const yes = grantedScopes(choice);
  const no = SCOPES.filter((scope) => !yes.includes(scope));
  // The library checks both: the scopes of the sign-in, and the scopes of each resource.
  grant.addOIDCScope(yes);
  grant.rejectOIDCScope(no);
  for (const resource of stringsIn(params.resource)) {
    grant.addResourceScope(resource, yes);
    grant.rejectResourceScope(resource, no);
  }
  return grant.save();
};

/**
 * Programs also name scopes of other servers, such as openid. The library asks a person again and again for a scope that
 * no grant can hold. A program that names none of ours requests all of them.
 */
const withOwnScopes = (url: string): string => {
  const authorizeUrl = new URL(url, 'http://localhost');
  const named = authorizeUrl.searchParams.get('scope')?.split(' ') ?? [];
  const own = SCOPES.filter((scope) => named.includes(scope));
  authorizeUrl.searchParams.set('scope', (own.length > 0 ? own : SCOPES).join(' '));
  return authorizeUrl.pathname + authorizeUrl.search;
};

/** Sets the public host: behind a proxy the request has another host name. */
const useKnownAddress = (req: IncomingMessage & { originalUrl?: string }, issuer: URL): void => {
  const prefix = issuer.pathname.replace(/\/$/, '');
  req.headers.host = issuer.host;
  req.headers['x-forwarded-proto'] = issuer.protocol.slice(0, -1);
  delete req.headers['x-forwarded-host'];
  if (req.method === 'GET' && /^\/oauth\/authorize\?/.test(req.url ?? ''))
    req.url = withOwnScopes(req.url ?? '');
  req.originalUrl = prefix + (req.url ?? '');
};

export const createAuthorizationServer = (issuer: string, deps: ProviderDeps): AuthorizationServer => {
  const { grants } = deps;
  const provider = createProvider(issuer, deps);
  const handler = provider.callback();
  const address = new URL(issuer);

  async function opened(
    req: IncomingMessage,
    res: ServerResponse,
  ): Promise<{ interaction: Interaction; client: Client }> {
    useKnownAddress(req, address);
    const interaction = await provider.interactionDetails(req, res).catch((cause: unknown) => {
      throw notFound(NOT_OPEN, { cause });
    });
    const client = await provider.Client.find(String(interaction.params.client_id));
    if (client === undefined || !req.url?.startsWith(`/connect/${interaction.uid}`)) throw notFound(NOT_OPEN);
    return { interaction, client };
  }

  return {
    async handle(req, res) {
      useKnownAddress(req, address);
      await handler(req, res);
    },
    async pending(req, res) {
      const { interaction, client } = await opened(req, res);
      const accessRequest = programAccessRequest(client, interaction, issuer);
      const finish = (result: Parameters<Provider['interactionFinished']>[2]) =>
        provider.interactionFinished(req, res, result, { mergeWithLastSubmission: false });
      return {
        accessRequest,
        async allow(holder, choice) {
          const made = await grants.give(holder, {
            ...choice,
            clientId: client.clientId,
            clientName: accessRequest.name,
            redirectHost: accessRequest.redirectHost,
          });
          const grantId = await saveGrant(provider, interaction, made, choice);
          await finish({ login: { accountId: made.keyId, remember: false }, consent: { grantId } });
        },
        deny: () => finish({ error: 'access_denied', error_description: 'The person denied the access.' }),
      };
    },
  };
};
