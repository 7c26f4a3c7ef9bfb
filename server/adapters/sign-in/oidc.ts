// Sign-in by OpenID Connect: the code flow with PKCE and a nonce. The library is loaded with the first sign-in.
import type { AuthorizationServer } from 'oauth4webapi';
import { IdentityError } from '../../core/errors.ts';
import { messageOf } from '../../lib/failures.ts';
import { LOOPBACK } from '../../lib/own-address.ts';
import type { IdentityProvider, OidcAttempt, OidcIdentity } from './port.ts';

export interface OidcOptions {
  issuer: string;
  clientId: string;
  clientSecret: string;
}

type Library = typeof import('oauth4webapi');

/** The provider as its discovery document describes it. */
interface Provider {
  oauth: Library;
  server: AuthorizationServer;
}

const TIMEOUT_MS = 10_000;
const SCOPE = 'openid email profile';

const createCalls = ({ issuer, clientId, clientSecret }: OidcOptions) => {
  const client = { client_id: clientId };
  // Only a provider on this machine may do without TLS.
  const isHere = LOOPBACK.includes(new URL(issuer).hostname);
  const options = ({ allowInsecureRequests }: Library) => ({
    signal: () => AbortSignal.timeout(TIMEOUT_MS),
    ...(isHere ? { [allowInsecureRequests]: true } : {}),
  });

  async function discover(): Promise<Provider> {
    const oauth = await import('oauth4webapi');
    const url = new URL(issuer);
    const answer = await oauth.discoveryRequest(url, { algorithm: 'oidc', ...options(oauth) });
    const server = await oauth.processDiscoveryResponse(url, answer);
    return { oauth, server };
  }

  async function redeem({ oauth, server }: Provider, answer: URL, redirectUri: string, attempt: OidcAttempt) {
    const parameters = oauth.validateAuthResponse(server, client, answer, attempt.state);
    const secret = oauth.ClientSecretPost(clientSecret);
    const response = await oauth.authorizationCodeGrantRequest(
      ...([server, client, secret, parameters, redirectUri, attempt.verifier, options(oauth)] as const),
    );
    return oauth.processAuthorizationCodeResponse(server, client, response, {
      expectedNonce: attempt.nonce,
      requireIdToken: true,
    });
  }

  async function claimsOf(
    { oauth, server }: Provider,
    tokens: Awaited<ReturnType<typeof redeem>>,
  ): Promise<Readonly<Record<string, unknown>>> {
    const claims = oauth.getValidatedIdTokenClaims(tokens);
    if (claims === undefined || claims.email !== undefined || server.userinfo_endpoint === undefined)
      return claims ?? {};
    const response = await oauth.userInfoRequest(server, client, tokens.access_token, options(oauth));
    return oauth.processUserInfoResponse(server, client, claims.sub, response);
  }

  return { discover, redeem, claimsOf };
};

const identityOf = ({
  email,
  email_verified: verified,
  name,
}: Readonly<Record<string, unknown>>): OidcIdentity => {
  if (typeof email !== 'string')
    throw new IdentityError(
      'The provider does not tell the email address. Let it give the scope email.',
      null,
    );
  return {
    email: email.trim().toLowerCase(),
    isVerified: verified === true,
    name: typeof name === 'string' && name.trim() !== '' ? name : null,
  };
};

const signInRefused = (cause: unknown): IdentityError =>
  cause instanceof IdentityError
    ? cause
    : new IdentityError(`The provider did not sign you in: ${messageOf(cause)}`, cause);

export const createOidc = (options: OidcOptions): IdentityProvider => {
  const { discover, redeem, claimsOf } = createCalls(options);
  let known: Promise<Provider> | undefined;
  const provider = (): Promise<Provider> => {
    known ??= discover();
    known.catch(() => {
      known = undefined;
    });
    return known;
  };
  return {
    async begin(redirectUri) {
      try {
        const { oauth, server } = await provider();
        const attempt: OidcAttempt = {
          ...{ state: oauth.generateRandomState(), nonce: oauth.generateRandomNonce() },
          verifier: oauth.generateRandomCodeVerifier(),
        };
        const url = new URL(server.authorization_endpoint ?? options.issuer);
        const parameters = {
          ...{ client_id: options.clientId, redirect_uri: redirectUri, response_type: 'code', scope: SCOPE },
          ...{ state: attempt.state, nonce: attempt.nonce, code_challenge_method: 'S256' },
          code_challenge: await oauth.calculatePKCECodeChallenge(attempt.verifier),
        };
        for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
        return { url: url.href, attempt };
      } catch (cause) {
        throw signInRefused(cause);
      }
    },
    async finish(answer, redirectUri, attempt) {
      try {
        const here = await provider();
        return identityOf(await claimsOf(here, await redeem(here, answer, redirectUri, attempt)));
      } catch (cause) {
        throw signInRefused(cause);
      }
    },
  };
};
