// The authorization server: what it can do, and what it cannot be talked into.
import { Readable } from 'node:stream';
import Provider, { type ClientMetadata, type Configuration, errors, type JWKS } from 'oidc-provider';
import type { Logger } from '../../lib/logger.ts';
import { MCP_PATH, resourcesAt } from '../../lib/own-address.ts';
import type { Service } from '../../service.ts';
import { createRecords } from './records.ts';

export const SCOPES = ['memory:read', 'memory:write'] as const;

export const ROUTES = {
  authorization: '/oauth/authorize',
  token: '/oauth/token',
  registration: '/oauth/register',
  revocation: '/oauth/revoke',
  jwks: '/oauth/jwks',
} as const;

export interface WebDocument {
  status: number;
  headers: Readonly<Record<string, string>>;
  body: AsyncIterable<Uint8Array>;
}

export interface KnownProgram {
  clientId: string;
  name: string;
  redirectUris: readonly string[];
}

export interface ProviderDeps {
  grants: Service['access']['grants'];
  /** Fetches the document that a program describes itself in; reaches nothing private. */
  fetchDocument(address: string, signal: AbortSignal): Promise<WebDocument>;
  signingKeys(): { keys: object[] };
  cookieKey(): Buffer;
  /** Known beforehand: they need not register. */
  clients: readonly KnownProgram[];
  errorPage(title: string, sentence: string): { html: string; headers: Record<string, string> };
  log: Pick<Logger, 'error' | 'debug'>;
}

const HOUR_S = 3600;

const ttl: NonNullable<Configuration['ttl']> = {
  AccessToken: HOUR_S,
  AuthorizationCode: 60,
  Interaction: 600,
  Session: HOUR_S,
  /** As long as what was granted. */
  RefreshToken: (ctx) => Math.max(1, ctx.oidc.entities.Grant?.remainingTTL ?? HOUR_S),
};

const features = (issuer: string): NonNullable<Configuration['features']> => ({
  devInteractions: { enabled: false },
  dPoP: { enabled: false },
  pushedAuthorizationRequests: { enabled: false },
  rpInitiatedLogout: { enabled: false },
  userinfo: { enabled: false },
  clientIdMetadataDocument: { enabled: true, ack: 'draft-02' },
  registration: { enabled: true, issueRegistrationAccessToken: false },
  revocation: {
    enabled: true,
    allowedPolicy: async (_ctx, client, token) => token.clientId === client.clientId,
  },
  resourceIndicators: {
    enabled: true,
    defaultResource: () => `${issuer}${MCP_PATH}`,
    useGrantedResource: () => true,
    getResourceServerInfo(_ctx, resource) {
      if (!resourcesAt(issuer).includes(resource)) throw new errors.InvalidTarget();
      return {
        scope: SCOPES.join(' '),
        audience: resource,
        accessTokenTTL: HOUR_S,
        accessTokenFormat: 'opaque',
      };
    },
  },
});

/** Programs that cannot open the page in a browser window of their own are known by their address alone. */
const fetchWith =
  (fetchDocument: ProviderDeps['fetchDocument']): NonNullable<Configuration['fetch']> =>
  async (address, init) => {
    const url = address instanceof Request ? address.url : String(address);
    const { status, headers, body } = await fetchDocument(url, init?.signal ?? AbortSignal.timeout(2500));
    return new Response(Readable.toWeb(Readable.from(body)) as ReadableStream, {
      status,
      headers: { ...headers },
    });
  };

/** Without a secret: one that is handed out with a program is none, and PKCE does its work. */
const clientOf = ({ clientId, name, redirectUris }: KnownProgram): ClientMetadata => ({
  client_id: clientId,
  client_name: name,
  redirect_uris: [...redirectUris],
  token_endpoint_auth_method: 'none',
  application_type: redirectUris.every((uri) => uri.startsWith('https:')) ? 'web' : 'native',
});

function configurationFor(issuer: string, deps: ProviderDeps): Configuration {
  return {
    adapter: createRecords(deps.grants),
    jwks: deps.signingKeys() as JWKS,
    cookies: { keys: [deps.cookieKey()] },
    clients: deps.clients.map(clientOf),
    // Most programs run on their user's machine and say nothing about themselves.
    clientDefaults: { application_type: 'native', grant_types: ['authorization_code', 'refresh_token'] },
    clientAuthMethods: ['none', 'client_secret_post', 'client_secret_basic'],
    clientBasedCORS: () => true,
    scopes: [...SCOPES],
    responseTypes: ['code'],
    pkce: { required: () => true },
    rotateRefreshToken: true,
    issueRefreshToken: async (_ctx, client) => client.grantTypeAllowed('refresh_token'),
    expiresWithSession: async () => false,
    // Whoever takes a token back ends all that came of it.
    revokeGrantPolicy: () => true,
    // Each connection is agreed to on the page; none follows from an earlier one.
    loadExistingGrant: async (ctx) => {
      const id = ctx.oidc.result?.consent?.grantId;
      return id === undefined ? undefined : ctx.oidc.provider.Grant.find(id);
    },
    findAccount: async (_ctx, keyId) =>
      (await deps.grants.giver(keyId)) === null
        ? undefined
        : { accountId: keyId, claims: async () => ({ sub: keyId }) },
    interactions: { url: (_ctx, { uid }) => `${issuer}/connect/${uid}` },
    routes: ROUTES,
    features: features(issuer),
    fetch: fetchWith(deps.fetchDocument),
    ttl,
    renderError(ctx, { error, error_description: why }) {
      const { html, headers } = deps.errorPage(
        'This connection cannot be made',
        `${why ?? error}. Go back to the program and begin again.`,
      );
      ctx.set(headers);
      ctx.body = html;
    },
  };
}

export function createProvider(issuer: string, deps: ProviderDeps): Provider {
  const provider = new Provider(issuer, configurationFor(issuer, deps));
  // What it reads of the address was set by us: see `asAddressed`.
  provider.proxy = true;
  provider.on('server_error', (_ctx, error) =>
    deps.log.error({ err: error }, 'The authorization server failed through no fault of its caller.'),
  );
  return provider;
}
