// The sign-in of Google, and of others that work alike, on loopback: codes with PKCE, rotated or lasting refresh tokens, their end and their revocation.
import { createHash, randomUUID } from 'node:crypto';
import {
  type FakeAnswer,
  type FakeRequest,
  type FakeServer,
  startFakeServer,
} from './support/fake-server.ts';

export interface FakeGoogleAccount {
  /** The scopes that the person leaves ticked; default: all. */
  readonly grants?: (scopes: readonly string[]) => readonly string[];
  /** False: no refresh token comes, as at a second sign-in without a new consent. */
  readonly refreshes?: boolean;
  /** Seconds after which the grant ends, as for an app in testing. */
  readonly endsAfter?: number;
}

export interface FakeGoogleOauth extends FakeServer {
  /** What the browser of a person who agrees is sent to. */
  consent(authLink: string, account?: FakeGoogleAccount): URL;
  deny(authLink: string): URL;
  acceptsToken(token: string): boolean;
  /** All access tokens so far are refused. */
  expireAccess(): void;
  /** Also the refresh tokens. */
  endGrants(): void;
  /** From now on each renewal brings another refresh token, and ends the former one. */
  rotate(): void;
  readonly refreshes: () => number;
  /** All that must appear nowhere else. */
  readonly secrets: string[];
}

export const GOOGLE_APP = { clientId: 'client-1.apps.example', clientSecret: 'planted-google-secret' };

interface Code {
  readonly challenge: string;
  readonly redirectUri: string;
  readonly scopes: readonly string[];
  readonly account: FakeGoogleAccount;
}

interface OauthModel {
  readonly codes: Map<string, Code>;
  access: Set<string>;
  refresh: Set<string>;
  rotates: boolean;
  refreshes: number;
  readonly secrets: string[];
}

const oauthError = (status: number, error: string): FakeAnswer => ({
  status,
  body: { error, error_description: 'As the fake says.' },
});

const newSecret = ({ secrets }: OauthModel, kind: string): string => {
  const secret = `${kind}-${randomUUID()}`;
  secrets.push(secret);
  return secret;
};

const HOUR_S = 3599;

const tokenAnswer = (
  model: OauthModel,
  scopes: readonly string[],
  { refreshes = true, endsAfter }: FakeGoogleAccount,
) => {
  const access = newSecret(model, 'access');
  model.access.add(access);
  const refresh = refreshes ? newSecret(model, 'refresh') : undefined;
  if (refresh !== undefined) model.refresh.add(refresh);
  return {
    body: {
      ...{ access_token: access, expires_in: HOUR_S, token_type: 'Bearer', scope: scopes.join(' ') },
      ...(refresh === undefined ? {} : { refresh_token: refresh }),
      ...(endsAfter === undefined ? {} : { refresh_token_expires_in: endsAfter }),
    },
  };
};

const redeemCode = (model: OauthModel, form: URLSearchParams): FakeAnswer => {
  const code = model.codes.get(form.get('code') ?? '');
  model.codes.delete(form.get('code') ?? '');
  const challenge = createHash('sha256')
    .update(form.get('code_verifier') ?? '')
    .digest('base64url');
  if (code === undefined || code.challenge !== challenge) return oauthError(400, 'invalid_grant');
  if (code.redirectUri !== form.get('redirect_uri')) return oauthError(400, 'redirect_uri_mismatch');
  return tokenAnswer(model, code.account.grants?.(code.scopes) ?? code.scopes, code.account);
};

const renew = (model: OauthModel, form: URLSearchParams): FakeAnswer => {
  const token = form.get('refresh_token') ?? '';
  model.refreshes += 1;
  if (!model.refresh.has(token)) return oauthError(400, 'invalid_grant');
  if (model.rotates) model.refresh.delete(token);
  return tokenAnswer(model, [], { refreshes: model.rotates });
};

const routeOauth = (model: OauthModel, { url, body }: FakeRequest): FakeAnswer => {
  const form = new URLSearchParams(body);
  if (url.pathname.endsWith('/revoke')) {
    model.refresh.delete(form.get('token') ?? '');
    return { body: {} };
  }
  if (!url.pathname.endsWith('/token')) return oauthError(404, 'not_found');
  if (form.get('grant_type')?.endsWith(':jwt-bearer')) return tokenAnswer(model, [], { refreshes: false });
  if (form.get('client_id') !== GOOGLE_APP.clientId || form.get('client_secret') !== GOOGLE_APP.clientSecret)
    return oauthError(401, 'invalid_client');
  return form.get('grant_type') === 'refresh_token' ? renew(model, form) : redeemCode(model, form);
};

const callbackOf = (authLink: URL, fields: Record<string, string>): URL => {
  const callback = new URL(authLink.searchParams.get('redirect_uri') ?? '');
  const state = authLink.searchParams.get('state') ?? '';
  for (const [name, value] of Object.entries({ state, ...fields })) callback.searchParams.set(name, value);
  return callback;
};

export const startFakeGoogleOauth = async (): Promise<FakeGoogleOauth> => {
  const secrets = [GOOGLE_APP.clientSecret];
  const model: OauthModel = {
    ...{ codes: new Map(), access: new Set(), refresh: new Set(), rotates: false, refreshes: 0, secrets },
  };
  const server = await startFakeServer((request) => routeOauth(model, request));
  return {
    ...server,
    secrets,
    consent(authLink, account = {}) {
      const url = new URL(authLink);
      const code = newSecret(model, 'code');
      const { searchParams: query } = url;
      if (query.get('code_challenge_method') !== 'S256') throw new Error('The sign-in has no challenge.');
      model.codes.set(code, {
        challenge: query.get('code_challenge') ?? '',
        redirectUri: query.get('redirect_uri') ?? '',
        scopes: (query.get('scope') ?? '').split(' '),
        account,
      });
      return callbackOf(url, { code, iss: 'https://accounts.google.com' });
    },
    deny: (authLink) => callbackOf(new URL(authLink), { error: 'access_denied' }),
    acceptsToken: (token) => model.access.has(token),
    expireAccess() {
      model.access = new Set();
    },
    endGrants() {
      model.access = new Set();
      model.refresh = new Set();
    },
    rotate() {
      model.rotates = true;
    },
    refreshes: () => model.refreshes,
  };
};
