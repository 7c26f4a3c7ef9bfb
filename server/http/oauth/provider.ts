// Configuration of the OAuth authorization server.
import { Readable } from 'node:stream';
import Provider, { type ClientMetadata, type Configuration, errors, type JWKS } from 'oidc-provider';
import type { Service } from '../../calls/service.ts';
import type { Logger } from '../../core/log.ts';
import { MCP_PATH, resourcesAt } from '../../lib/own-address.ts';
import { createTokenStorage } from './token-storage.ts';

export const SCOPES = ['memory:read', 'memory:write'] as const;

const ROUTES = {
  authorization: '/oauth/authorize',
  token: '/oauth/token',
  registration: '/oauth/register',
  revocation: '/oauth/revoke',
  jwks: '/oauth/jwks',
} as const;

export interface ClientDocument {
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
  /** Fetches the metadata document of a program; private networks are blocked. */
  fetchDocument(address: string, signal: AbortSignal): Promise<ClientDocument>;
  signingKeys(): { keys: object[] };
  cookieKey(): Buffer;
  /** Programs that need no registration. */
  clients: readonly KnownProgram[];
  errorPage(title: string, sentence: string): { html: string; headers: Record<string, string> };
  log: Pick<Logger, 'error' | 'debug'>;
}

const HOUR_S = 3600;

const UNKNOWN_PROGRAM = 'This Memoir does not know the program: its registration is not valid here';
/** A program keeps its registration, so that another try alone would fail like the first. */
const START_AGAIN =
  'Go back to the program and start again. If that fails too, remove this server in the program and add it again.';

const ttl: NonNullable<Configuration['ttl']> = {
  AccessToken: HOUR_S,
  AuthorizationCode: 60,
  Interaction: 600,
  Session: HOUR_S,
  /** The lifetime of the grant. */
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

const GRANT_TYPES = ['authorization_code', 'refresh_token'];

/**
 * Drops what a program says of itself and this server has no use for, where the library would refuse the program: blank
 * fields, grant types that it does not have, contacts, and scopes, because the person decides what a program may do.
 */
const dropUnused = (metadata: ClientMetadata): void => {
  for (const [name, value] of Object.entries(metadata))
    if (value === null || value === '') delete metadata[name];
  delete metadata.scope;
  delete metadata.contacts;
  if (Array.isArray(metadata.grant_types))
    metadata.grant_types = metadata.grant_types.filter((type) => GRANT_TYPES.includes(type));
};

/** Adapts `fetchDocument` to the fetch interface that the library expects. */
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

/** Without a client secret: a secret shipped with a program is public, and PKCE replaces it. */
const clientMetadata = ({ clientId, name, redirectUris }: KnownProgram): ClientMetadata => ({
  client_id: clientId,
  client_name: name,
  redirect_uris: [...redirectUris],
  token_endpoint_auth_method: 'none',
  application_type: redirectUris.every((uri) => uri.startsWith('https:')) ? 'web' : 'native',
});

const configurationFor = (issuer: string, deps: ProviderDeps): Configuration => {
  return {
    adapter: createTokenStorage(deps.grants),
    jwks: deps.signingKeys() as JWKS,
    cookies: { keys: [deps.cookieKey()] },
    clients: deps.clients.map(clientMetadata),
    // Most programs run on the machine of the user and register without these fields.
    clientDefaults: { application_type: 'native', grant_types: GRANT_TYPES },
    // The library runs this before its own checks, once for each property that is named here.
    extraClientMetadata: {
      properties: ['scope'],
      validator: (_ctx, _name, _value, metadata) => dropUnused(metadata),
    },
    clientAuthMethods: ['none', 'client_secret_post', 'client_secret_basic'],
    clientBasedCORS: () => true,
    scopes: [...SCOPES],
    responseTypes: ['code'],
    pkce: { required: () => true },
    rotateRefreshToken: true,
    issueRefreshToken: async (_ctx, client) => client.grantTypeAllowed('refresh_token'),
    expiresWithSession: async () => false,
    // Revoking a token revokes its whole grant.
    revokeGrantPolicy: () => true,
    // Each connection needs a new consent on the page; earlier grants are not reused.
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
      const reason = error === 'invalid_client' ? UNKNOWN_PROGRAM : (why ?? error);
      const { html, headers } = deps.errorPage('The connection failed', `${reason}. ${START_AGAIN}`);
      ctx.set(headers);
      ctx.body = html;
    },
  };
};

export const createProvider = (issuer: string, deps: ProviderDeps): Provider => {
  const provider = new Provider(issuer, configurationFor(issuer, deps));
  // `useKnownAddress` sets the proxy headers, so they can be trusted.
  provider.proxy = true;
  provider.on('server_error', (_ctx, error) =>
    deps.log.error({ err: error }, 'The authorization server failed because of an internal error.'),
  );
  return provider;
};
