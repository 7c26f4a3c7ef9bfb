// Tests of the sign-in by OAuth: codes, refresh tokens that are replaced, and the end of a grant.
import { createHash, randomBytes } from 'node:crypto';
import { expect, onTestFinished, test } from 'vitest';
import { github } from '../../../server/adapters/connect/github.ts';
import { googleSignIn } from '../../../server/adapters/connect/google/sign-in.ts';
import type { SignIn } from '../../../server/adapters/connect/port.ts';
import {
  createAccessTokens,
  type SignInSecrets,
} from '../../../server/adapters/connect/signing-in/access-tokens.ts';
import { createSignInClient } from '../../../server/adapters/connect/signing-in/oauth-client.ts';
import { createSafeFetch } from '../../../server/adapters/fetch/safe/safe-fetch.ts';
import { type FakeGoogleAccount, GOOGLE_APP, startFakeGoogleOauth } from '../../fakes/google-oauth.ts';
import { type FakeAnswer, startFakeServer } from '../../fakes/support/fake-server.ts';
import { createClock } from '../../support/clock.ts';

const { signal } = new AbortController();
const signIn = googleSignIn('https://www.googleapis.com/auth/drive.readonly');
const redirectUri = 'http://localhost:6767/v3/connections/auth/callback/google-drive';

const openClient = (origin: string, now: () => number) => {
  const fetch = createSafeFetch({
    userAgent: 'Memoir/test',
    seams: { standIns: { 'https://oauth2.googleapis.com': origin, 'https://github.com': origin } },
  });
  onTestFinished(() => fetch.close());
  return createSignInClient(fetch, now);
};

const openSignIn = async () => {
  const google = await startFakeGoogleOauth();
  onTestFinished(() => google.close());
  const clock = createClock(Date.UTC(2026, 10, 25));
  const client = openClient(google.origin, clock.now);
  const verifier = randomBytes(32).toString('base64url');
  const challenge = createHash('sha256').update(verifier).digest('base64url');
  const link = client.authorizeUrl({ signIn, app: GOOGLE_APP, redirectUri, state: 'the-state', challenge });
  const exchange = (
    account: FakeGoogleAccount = {},
    more: { app?: typeof GOOGLE_APP; verifier?: string } = {},
  ) => {
    const code = google.consent(link, account).searchParams.get('code') ?? '';
    return client.exchange({ signIn, app: GOOGLE_APP, signal, redirectUri, code, verifier, ...more });
  };
  return { google, clock, client, link, exchange };
};

test('the address of the sign-in has a state, a challenge, and asks for a refresh token', async () => {
  const { link } = await openSignIn();
  expect(Object.fromEntries(new URL(link).searchParams)).toMatchObject({
    ...{ response_type: 'code', client_id: GOOGLE_APP.clientId, redirect_uri: redirectUri },
    ...{ state: 'the-state', code_challenge_method: 'S256', access_type: 'offline', prompt: 'consent' },
    scope: expect.stringContaining('drive.readonly'),
  });
  expect(link).not.toContain(GOOGLE_APP.clientSecret);
});

test('a code becomes tokens, with the end of a grant for testing', async () => {
  const { clock, exchange } = await openSignIn();
  expect(await exchange({ endsAfter: 604_799 })).toEqual({
    accessToken: expect.stringMatching(/^access-/),
    accessEndsAt: clock.now() + 3_599_000,
    refreshToken: expect.stringMatching(/^refresh-/),
    grantEndsAt: clock.now() + 604_799_000,
    scopes: signIn.scopes,
  });
  expect(await exchange({ refreshes: false })).toMatchObject({ refreshToken: null, grantEndsAt: null });
});

test('a code without its verifier, and an application with a wrong secret, are refused in words without secrets', async () => {
  const { google, exchange } = await openSignIn();
  const failures = await Promise.all([
    exchange({}, { verifier: 'a'.repeat(43) }).catch((error: unknown) => error),
    exchange({}, { app: { ...GOOGLE_APP, clientSecret: 'wrong' } }).catch((error: unknown) => error),
  ]);
  expect(failures).toMatchObject([{ code: 'auth_expired' }, { code: 'bad_options' }]);
  for (const failure of failures)
    for (const secret of google.secrets) expect(String(failure)).not.toContain(secret);
});

const GITHUB: SignIn = {
  ...{ app: 'github', authorizeUrl: 'https://github.com/login/oauth/authorize', scopes: ['repo'] },
  ...{ tokenUrl: 'https://github.com/login/oauth/access_token', clientAuth: 'body' },
};

test.each<[string, FakeAnswer, object]>([
  [
    'an error with status 200',
    { body: { error: 'bad_verification_code', error_description: 'The code is wrong or expired.' } },
    { code: 'auth_expired' },
  ],
  [
    'an error in a form with status 200',
    {
      headers: { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' },
      body: 'error=incorrect_client_credentials',
    },
    { code: 'bad_options' },
  ],
  [
    'a page',
    { headers: { 'content-type': 'text/html' }, body: '<p>Sorry</p>' },
    { code: 'provider_unavailable' },
  ],
  ['a failure', { status: 502, body: { error: 'server_error' } }, { code: 'provider_unavailable' }],
])('%s is told as what it is', async (_what, answer, failure) => {
  const server = await startFakeServer(() => answer);
  onTestFinished(() => server.close());
  const client = openClient(server.origin, Date.now);
  const request = {
    signIn: GITHUB,
    app: GOOGLE_APP,
    signal,
    redirectUri,
    code: 'c',
    verifier: 'v'.repeat(43),
  };
  await expect(client.exchange(request)).rejects.toMatchObject(failure);
});

test('a token in a form is read, with its scopes', async () => {
  const server = await startFakeServer(() => ({
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 'access_token=gho_1&scope=repo%2Cuser%3Aemail&token_type=bearer',
  }));
  onTestFinished(() => server.close());
  const client = openClient(server.origin, Date.now);
  const request = {
    signIn: GITHUB,
    app: GOOGLE_APP,
    signal,
    redirectUri,
    code: 'c',
    verifier: 'v'.repeat(43),
  };
  expect(await client.exchange(request)).toMatchObject({
    ...{ accessToken: 'gho_1', scopes: ['repo', 'user:email'], refreshToken: null, accessEndsAt: null },
  });
});

/** The stored secrets of one connection, and the tokens of processes that use it. */
const openConnection = async () => {
  const opened = await openSignIn();
  const { refreshToken, accessToken } = await opened.exchange();
  let stored: SignInSecrets = { ...GOOGLE_APP, refreshToken: refreshToken ?? '', accessToken };
  const tokensOfProcess = (
    onStore: () => void | Promise<void> = () => undefined,
    onPause: () => Promise<void> = async () => undefined,
  ) =>
    createAccessTokens({
      ...{ title: 'Google Drive', signIn, client: opened.client, now: opened.clock.now, pause: onPause },
      load: async () => stored,
      async store(secrets) {
        await onStore();
        stored = secrets;
      },
    });
  return { ...opened, tokensOfProcess, stored: () => stored };
};

test('of eight readers one renews the token, and all get it', async () => {
  const { google, tokensOfProcess } = await openConnection();
  const tokens = tokensOfProcess();
  const first = await tokens.current(signal);
  expect(google.acceptsToken(first)).toBe(true);
  const before = google.refreshes();
  google.expireAccess();
  const got = await Promise.all(Array.from({ length: 8 }, () => tokens.renewed(first, signal)));
  expect(new Set(got).size).toBe(1);
  expect(google.acceptsToken(got[0] ?? '')).toBe(true);
  expect(google.refreshes() - before).toBe(1);
});

test('a replaced refresh token is stored before its access token is used, so a kill between both loses nothing', async () => {
  const { google, tokensOfProcess, stored } = await openConnection();
  google.rotate();
  const before = stored().refreshToken;
  let used = false;
  const killed = tokensOfProcess(() => expect(used).toBe(false));
  await killed.current(signal);
  used = true;
  expect(stored().refreshToken).not.toBe(before);
  // The next process goes on with what is stored.
  expect(google.acceptsToken(await tokensOfProcess().current(signal))).toBe(true);
});

test('a refresh token that another process has replaced is no end of the grant', async () => {
  const { google, tokensOfProcess } = await openConnection();
  google.rotate();
  const [one, other] = [tokensOfProcess(), tokensOfProcess()];
  const got = await Promise.all([one.current(signal), other.current(signal)]);
  expect(got.map(google.acceptsToken)).toEqual([true, true]);
});

test('a process waits for another one that took the refresh token first and has not stored the next', async () => {
  const { google, tokensOfProcess } = await openConnection();
  google.rotate();
  const taken = Promise.withResolvers<void>();
  const storing = Promise.withResolvers<void>();
  const one = tokensOfProcess(() => {
    taken.resolve();
    return storing.promise;
  }).current(signal);
  await taken.promise;
  const other = tokensOfProcess(undefined, async () => {
    storing.resolve();
    await one;
  });
  expect(google.acceptsToken(await other.current(signal))).toBe(true);
  expect(google.acceptsToken(await one)).toBe(true);
});

test.each([
  ['of a new sign-in stay', { refreshToken: 'of the new sign-in' }, 'of the new sign-in'],
  ['that a removed connection has no more are handed over', {}, 'renewed'],
])('secrets %s when they come while a token is renewed', async (_, meanwhile, kept) => {
  let stored: SignInSecrets = { refreshToken: 'former' };
  const tokens = createAccessTokens({
    ...{ title: 'Google Drive', signIn, now: Date.now, pause: async () => undefined },
    client: {
      async refresh() {
        stored = meanwhile;
        const ends = { accessEndsAt: null, grantEndsAt: null };
        return { accessToken: 'access', refreshToken: 'renewed', scopes: [], ...ends };
      },
    },
    load: async () => stored,
    async store(secrets) {
      stored = secrets;
    },
  });
  expect(await tokens.current(signal)).toBe('access');
  expect(stored.refreshToken).toBe(kept);
});

test('a token that ends soon is renewed before it is used', async () => {
  const { google, clock, tokensOfProcess } = await openConnection();
  const tokens = tokensOfProcess();
  const first = await tokens.current(signal);
  clock.pass(50 * 60_000);
  expect(await tokens.current(signal)).toBe(first);
  clock.pass(6 * 60_000);
  expect(await tokens.current(signal)).not.toBe(first);
  expect(google.refreshes()).toBe(2);
});

test('a grant that ended is told, and so is a lasting token that is refused', async () => {
  const { google, tokensOfProcess } = await openConnection();
  google.endGrants();
  await expect(tokensOfProcess().current(signal)).rejects.toMatchObject({ code: 'auth_expired' });
  const lasting = createAccessTokens({
    ...{ title: 'GitHub', signIn: GITHUB, client: { refresh: () => Promise.reject(new Error('never')) } },
    ...{ load: async () => ({ accessToken: 'gho_1' }), store: async () => undefined, now: Date.now },
    pause: async () => undefined,
  });
  expect(await lasting.current(signal)).toBe('gho_1');
  await expect(lasting.renewed('gho_1', signal)).rejects.toMatchObject({ code: 'auth_expired' });
});

test('a revoked grant ends', async () => {
  const { client, tokensOfProcess, stored } = await openConnection();
  await client.revoke({ signIn, app: GOOGLE_APP, signal, token: stored().refreshToken ?? '' });
  await expect(tokensOfProcess().current(signal)).rejects.toMatchObject({ code: 'auth_expired' });
});

test('a source with a way of its own ends a grant by its application, and an unknown one is over', async () => {
  const asked: string[] = [];
  const hub = await startFakeServer(({ method, url, headers, body }) => {
    asked.push(`${method} ${url.pathname} ${headers.authorization} ${body}`);
    return { status: asked.length === 1 ? 204 : asked.length === 2 ? 404 : 503 };
  });
  onTestFinished(() => hub.close());
  const fetch = createSafeFetch({
    userAgent: 'Memoir/test',
    seams: { standIns: { 'https://api.github.com': hub.origin } },
  });
  onTestFinished(() => fetch.close());
  const client = createSignInClient(fetch, Date.now);
  if (github.signIn === null) throw new Error('GitHub has a sign-in.');
  const app = { clientId: 'app 1', clientSecret: 'planted' };
  const grant = { signIn: github.signIn, app, signal, token: 'gho_1' };
  await client.revoke(grant);
  await client.revoke(grant);
  const proof = Buffer.from('app 1:planted').toString('base64');
  expect(asked[0]).toBe(`DELETE /applications/app%201/grant Basic ${proof} {"access_token":"gho_1"}`);
  const failure = await client.revoke(grant).catch((error: unknown) => error);
  expect(failure).toMatchObject({ code: 'provider_unavailable' });
  expect(String(failure)).not.toContain('gho_1');
});
