// Tests of connecting a program with the official client and in a real browser.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { auth, type OAuthClientProvider } from '@modelcontextprotocol/client';
import type { Browser } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { useOwnMemoir } from '../../rest/support/use-memoir.ts';
import { withBrowser } from '../../support/browser.ts';
import type { TestMemoir } from '../../support/memoir.ts';
import { answering, choice, jsonOf, postForm, refresh } from '../../support/oauth.ts';

type Held<K extends keyof OAuthClientProvider> = Exclude<
  Awaited<ReturnType<Extract<OAuthClientProvider[K], () => unknown>>>,
  undefined
>;

/** A host as people use them: it stores its tokens, and opens a browser. */
const createHost = (redirectUrl: string) => {
  let client: Held<'clientInformation'> | undefined;
  let tokens: Held<'tokens'> | undefined;
  let discovered: Held<'discoveryState'> | undefined;
  let verifier = '';
  let page = '';
  const provider: OAuthClientProvider = {
    redirectUrl,
    clientMetadata: {
      client_name: 'Browser host',
      redirect_uris: [redirectUrl],
      token_endpoint_auth_method: 'none',
    },
    clientInformation: () => client,
    saveClientInformation: (given) => {
      client = given;
    },
    tokens: () => tokens,
    saveTokens: (given) => {
      tokens = given;
    },
    redirectToAuthorization: (url) => {
      page = url.href;
    },
    saveCodeVerifier: (given) => {
      verifier = given;
    },
    codeVerifier: () => verifier,
    saveDiscoveryState: (given) => {
      discovered = given;
    },
    discoveryState: () => discovered,
  };
  return { provider, tokens: () => tokens, client: () => client?.client_id ?? '', page: () => page };
};

const listening = async (): Promise<{ server: Server; url: string; heard: Promise<URL> }> => {
  const { promise, resolve } = Promise.withResolvers<URL>();
  const server = createServer((req, res) => {
    const url = new URL(req.url ?? '/', 'http://127.0.0.1');
    if (url.pathname === '/callback') resolve(url);
    res.end('You can close this window.');
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    server,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback`,
    heard: promise,
  };
};

/** Opens the page that the host requested, and allows the one tag there; returns the callback of the host. */
type Person = (memoir: TestMemoir, page: string, heard: Promise<URL>) => Promise<URL>;

const byRequests: Person = async (memoir, page) => {
  const { pathname, search } = new URL(page);
  return (await answering(memoir, pathname + search)).allow(memoir.key, choice('read', ['ada']));
};

const inBrowser =
  (browser: Browser): Person =>
  async (memoir, address, heard) => {
    const context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(address);
    expect(await page.textContent('h1')).toBe('Connect Browser host');
    await page.fill('input[name=key]', memoir.key);
    await page.click('button[value=signIn]');
    await page.check('input[name=tag][value=ada]');
    await page.click('button[value=allow]');
    const url = await heard;
    await context.close();
    return url;
  };

const api = useOwnMemoir();

beforeAll(async () => {
  await api.memoir.add({ content: 'Ada likes tea.', containerTag: 'ada' });
}, 60_000);

const session = (key = '') => api.memoir.ask('GET', '/v3/session', undefined, { key });

/** From a 401 to tokens. */
const connected = async (person: Person) => {
  const { server, url, heard } = await listening();
  const host = createHost(url);
  const serverUrl = `${api.memoir.url}/mcp`;
  const closed = await api.memoir.ask('POST', '/mcp', {}, { key: null });
  expect([closed.status, closed.headers.get('www-authenticate')]).toEqual([
    401,
    expect.stringContaining('resource_metadata='),
  ]);
  expect(await auth(host.provider, { serverUrl })).toBe('REDIRECT');
  const { searchParams } = await person(api.memoir, host.page(), heard);
  server.close();
  const authorizationCode = searchParams.get('code') ?? '';
  const iss = searchParams.get('iss') ?? '';
  expect(await auth(host.provider, { serverUrl, authorizationCode, iss })).toBe('AUTHORIZED');
  expect((await session(host.tokens()?.access_token)).body).toMatchObject({
    containerTags: [{ containerTag: 'ada', permission: 'read' }],
  });
  return { id: host.client(), tokens: host.tokens() };
};

const wholeWay = async (person: Person): Promise<void> => {
  const { id, tokens } = await connected(person);
  const old = tokens?.refresh_token ?? '';
  const next = await jsonOf(await refresh(api.memoir, id, old));
  expect((await session(next.access_token)).status).toBe(200);
  expect((await refresh(api.memoir, id, old)).status).toBe(400);
  expect((await session(next.access_token)).status).toBe(401);

  const again = await connected(person);
  const revoked = await postForm(`${api.memoir.url}/oauth/revoke`, {
    client_id: again.id,
    token: again.tokens?.refresh_token ?? '',
  });
  expect(revoked.status).toBe(200);
  expect((await session(again.tokens?.access_token)).status).toBe(401);
};

const WAY =
  'discovery, registration, consent with one tag, a call, refresh, a reused token refused, revocation, 401';

test(`the official client goes the whole way: ${WAY}`, () => wholeWay(byRequests), 60_000);

test(
  `in a real browser without scripts: ${WAY}`,
  ({ skip }) => withBrowser(skip, (browser) => wholeWay(inBrowser(browser))),
  60_000,
);
