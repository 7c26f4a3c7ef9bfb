// The sign-in of connections by OAuth: the address that a person opens, the tokens for the code that comes back, and their
// renewal. All requests go through the safe fetch.
import {
  type AuthorizationServer,
  allowInsecureRequests,
  authorizationCodeGrantRequest,
  type Client,
  type ClientAuth,
  ClientSecretBasic,
  ClientSecretPost,
  customFetch,
  processAuthorizationCodeResponse,
  processRefreshTokenResponse,
  processRevocationResponse,
  ResponseBodyError,
  refreshTokenGrantRequest,
  revocationRequest,
  skipStateCheck,
  type TokenEndpointResponse,
  validateAuthResponse,
} from 'oauth4webapi';
import { fieldsOf } from '../../../lib/objects.ts';
import type { AskFetch } from '../ask.ts';
import { shortText } from '../asking/source-answer.ts';
import type { SignIn } from '../port.ts';
import type { SignInApp, SignInClient, SignInTokens } from '../signin-port.ts';
import { SourceError } from '../source-error.ts';

const SECOND_MS = 1000;
const ENDED = new Set(['invalid_grant', 'bad_refresh_token', 'bad_verification_code']);
const WRONG_APP = new Set([
  'invalid_client',
  'unauthorized_client',
  'incorrect_client_credentials',
  'redirect_uri_mismatch',
]);

const inTenant = (address: string, { tenant = 'common' }: SignInApp): string =>
  address.replace('{tenant}', encodeURIComponent(tenant));

const serverOf = ({ authorizeUrl, tokenUrl, revokeUrl }: SignIn, app: SignInApp): AuthorizationServer => ({
  issuer: new URL(inTenant(authorizeUrl, app)).origin,
  token_endpoint: inTenant(tokenUrl, app),
  ...(revokeUrl === undefined ? {} : { revocation_endpoint: inTenant(revokeUrl, app) }),
});

const clientAuthOf = ({ clientAuth }: SignIn, { clientSecret }: SignInApp): ClientAuth =>
  clientAuth === 'basic' ? ClientSecretBasic(clientSecret) : ClientSecretPost(clientSecret);

const parsedOrNull = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    // An answer that is no JSON is refused by its reader, with the status.
    return null;
  }
};

/** GitHub answers with a form unless told otherwise, and sends its errors with status 200. */
const uniformResponse = (status: number, type: string, text: string): Response => {
  const form = type.startsWith('application/x-www-form-urlencoded');
  const body = form ? JSON.stringify(Object.fromEntries(new URLSearchParams(text))) : text;
  const failed = typeof fieldsOf(parsedOrNull(body)).error === 'string';
  return new Response(body, {
    status: failed && status === 200 ? 400 : status,
    headers: { 'content-type': form ? 'application/json' : type },
  });
};

type OauthFetch = (
  address: string,
  request: { method: string; headers: Record<string, string>; body?: unknown; signal?: AbortSignal },
) => Promise<Response>;

const fetchThrough =
  (fetch: AskFetch): OauthFetch =>
  async (address, { method, headers, body, signal = new AbortController().signal }) => {
    const answer = await fetch(address, {
      method: method === 'GET' ? 'GET' : 'POST',
      headers: { ...headers, accept: 'application/json' },
      ...(body === undefined ? {} : { body: String(body) }),
      follows: false,
      signal,
    });
    const text = await shortText(answer);
    answer.discard();
    return uniformResponse(answer.status, answer.headers['content-type'] ?? '', text);
  };

const hostOfSignIn = ({ tokenUrl }: SignIn): string => new URL(tokenUrl).host;

/** Its message has the words of the source for the error, and no code and no token. */
const signInFailure = (signIn: SignIn, error: unknown): SourceError => {
  const host = hostOfSignIn(signIn);
  if (!(error instanceof ResponseBodyError))
    return new SourceError('provider_unavailable', `${host} did not answer the sign-in as expected.`, {
      cause: error,
      syncGoesOn: 'It is asked again later.',
    });
  const { error: word, status } = error;
  if (ENDED.has(word))
    return new SourceError(
      'auth_expired',
      `${host} ended the access of the connection (${word}). Sign in again.`,
      {
        status,
      },
    );
  if (WRONG_APP.has(word))
    return new SourceError(
      'bad_options',
      `${host} refused the application (${word}). Check its client id, its secret and its redirect address.`,
      { status },
    );
  return new SourceError(
    status >= 500 || word === 'temporarily_unavailable' ? 'provider_unavailable' : 'refused',
    `${host} refused the sign-in (${word}). Sign in again.`,
    { status },
  );
};

const endOf = (seconds: unknown, now: number): number | null => {
  const count = Number(seconds ?? Number.NaN);
  return Number.isFinite(count) && count > 0 ? now + count * SECOND_MS : null;
};

const tokensIn = (answer: TokenEndpointResponse, now: number): SignInTokens => ({
  accessToken: answer.access_token,
  accessEndsAt: endOf(answer.expires_in, now),
  refreshToken: answer.refresh_token ?? null,
  grantEndsAt: endOf(answer.refresh_token_expires_in, now),
  scopes: answer.scope === undefined ? null : answer.scope.split(/[ ,]+/).filter(Boolean),
});

/** The options that every request of the library is given. */
const oauthOptions = (fetch: OauthFetch, signal: AbortSignal) => ({
  [customFetch]: fetch,
  // The addresses are ours, and the safe fetch checks them.
  [allowInsecureRequests]: true,
  signal,
});

const exchangeCode = async (
  fetch: OauthFetch,
  { signIn, app, signal, redirectUri, code, verifier }: Parameters<SignInClient['exchange']>[0],
): Promise<TokenEndpointResponse> => {
  const [server, client]: [AuthorizationServer, Client] = [
    serverOf(signIn, app),
    { client_id: app.clientId },
  ];
  // The state was compared by its hash before.
  const callback = validateAuthResponse(server, client, new URLSearchParams({ code }), skipStateCheck);
  const response = await authorizationCodeGrantRequest(
    server,
    client,
    clientAuthOf(signIn, app),
    callback,
    redirectUri,
    verifier,
    oauthOptions(fetch, signal),
  );
  return processAuthorizationCodeResponse(server, client, response);
};

/** A grant that has ended already is an unknown one. */
const GRANT_IS_GONE = new Set([404, 422]);

const revokeByJson = async (
  fetch: AskFetch,
  { signIn, app, signal, token }: Parameters<SignInClient['revoke']>[0],
): Promise<void> => {
  const { revokeUrl = '', revokeAs } = signIn;
  const proof = Buffer.from(`${app.clientId}:${app.clientSecret}`).toString('base64');
  const answer = await fetch(revokeUrl.replace('{clientId}', encodeURIComponent(app.clientId)), {
    method: revokeAs?.method ?? 'POST',
    headers: {
      authorization: `Basic ${proof}`,
      ...{ 'content-type': 'application/json', accept: 'application/json' },
    },
    body: JSON.stringify({ [revokeAs?.tokenField ?? 'token']: token }),
    follows: false,
    signal,
  });
  answer.discard();
  const { status } = answer;
  if (status < 300 || GRANT_IS_GONE.has(status)) return;
  const code = status >= 500 || status === 429 ? 'provider_unavailable' : 'refused';
  const message = `${new URL(revokeUrl).host} did not end the access of the connection (status ${status}).`;
  throw new SourceError(code, message, { status });
};

export const createSignInClient = (safeFetch: AskFetch, now: () => number): SignInClient => {
  const fetch = fetchThrough(safeFetch);
  const explained = async <T>(signIn: SignIn, work: Promise<T>): Promise<T> => {
    try {
      return await work;
    } catch (error) {
      throw signInFailure(signIn, error);
    }
  };

  return {
    authorizeUrl({ signIn, app, redirectUri, state, challenge, account }) {
      const url = new URL(inTenant(signIn.authorizeUrl, app));
      const parameters = {
        ...{ response_type: 'code', client_id: app.clientId, redirect_uri: redirectUri, state },
        ...(signIn.scopes.length === 0 ? {} : { scope: signIn.scopes.join(' ') }),
        ...{ code_challenge: challenge, code_challenge_method: 'S256' },
        ...(account === undefined ? {} : { login_hint: account }),
        ...signIn.extra,
      };
      for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
      return url.href;
    },
    exchange: async (request) =>
      tokensIn(await explained(request.signIn, exchangeCode(fetch, request)), now()),
    async refresh({ signIn, app, signal, refreshToken }) {
      const [server, client] = [serverOf(signIn, app), { client_id: app.clientId }];
      const renew = async () => {
        const options = oauthOptions(fetch, signal);
        const auth = clientAuthOf(signIn, app);
        const response = await refreshTokenGrantRequest(server, client, auth, refreshToken, options);
        return processRefreshTokenResponse(server, client, response);
      };
      return tokensIn(await explained(signIn, renew()), now());
    },
    async revoke({ signIn, app, signal, token }) {
      if (signIn.revokeUrl === undefined) return;
      if (signIn.revokeAs !== undefined) return revokeByJson(safeFetch, { signIn, app, signal, token });
      const [server, client] = [serverOf(signIn, app), { client_id: app.clientId }];
      const end = async () => {
        const options = oauthOptions(fetch, signal);
        await processRevocationResponse(
          await revocationRequest(server, client, clientAuthOf(signIn, app), token, options),
        );
      };
      await explained(signIn, end());
    },
  };
};
