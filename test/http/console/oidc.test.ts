// Sign-in by OpenID Connect, against a provider of our own on the loopback.
import { createServer } from 'node:http';
import Provider from 'oidc-provider';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addMember } from '../../rest/support/team.ts';
import { verifies } from '../../spec/verifies.ts';
import { type OwnMemoir, startMemoir } from '../../support/memoir.ts';
import { freePort } from '../../support/postgres.ts';

let memoir: OwnMemoir;
let closeProvider: () => void;
/** Who signs in at the provider. */
let person = { email: 'ada@example.org', email_verified: true, name: 'Ada' };

beforeAll(async () => {
  const [port, own] = await Promise.all([freePort(), freePort()]);
  const issuer = `http://127.0.0.1:${port}`;
  const base = `http://127.0.0.1:${own}`;
  const provider = new Provider(issuer, {
    clients: [
      {
        ...{ client_id: 'memoir', client_secret: 'a secret of the test' },
        redirect_uris: [`${base}/console/oidc/callback`],
        token_endpoint_auth_method: 'client_secret_post',
      },
    ],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    findAccount: async (_ctx, id) => ({ accountId: id, claims: async () => ({ sub: id, ...person }) }),
    cookies: { keys: ['a key of the test'] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_ctx, { uid }) => `/sign-in/${uid}` },
    pkce: { required: () => true },
  });
  const handler = provider.callback();
  const server = createServer((req, res) => {
    if (!req.url?.startsWith('/sign-in/')) return void handler(req, res);
    provider
      .interactionDetails(req, res)
      .then(async ({ params }) => {
        const grant = new provider.Grant({ accountId: 'person', clientId: String(params.client_id) });
        grant.addOIDCScope('openid email profile');
        const result = { login: { accountId: 'person' }, consent: { grantId: await grant.save() } };
        await provider.interactionFinished(req, res, result, { mergeWithLastSubmission: false });
      })
      .catch((error: unknown) => res.writeHead(500).end(String(error)));
  });
  await new Promise<void>((ready) => server.listen(port, '127.0.0.1', ready));
  closeProvider = () => void server.close();
  memoir = await startMemoir({
    ...{ PORT: String(own), MEMOIR_BASE_URL: base, MEMOIR_OIDC_ISSUER: issuer },
    ...{ MEMOIR_OIDC_CLIENT_ID: 'memoir', MEMOIR_OIDC_CLIENT_SECRET: 'a secret of the test' },
    MEMOIR_OIDC_DOMAINS: 'example.com',
  });
});
afterAll(async () => {
  closeProvider();
  await memoir.close();
});

/** Follows the way through the provider as a browser does, with a jar of cookies for each host. */
const signIn = async (): Promise<{ status: number; text: string; cookie: string }> => {
  const jars = new Map<string, Map<string, string>>();
  let url = `${memoir.url}/console/oidc`;
  for (let at = 0; at < 10; at++) {
    const { host } = new URL(url);
    const jar = jars.get(host) ?? new Map<string, string>();
    jars.set(host, jar);
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await fetch(url, { redirect: 'manual', headers: { cookie } });
    for (const line of answer.headers.getSetCookie()) {
      const [pair = ''] = line.split(';');
      jar.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1));
    }
    const location = answer.headers.get('location');
    if (location === null) {
      const session = [...jar].find(([name]) => name.startsWith('memoir_session'));
      return { status: answer.status, text: await answer.text(), cookie: session?.join('=') ?? '' };
    }
    url = new URL(location, url).href;
  }
  throw new Error('The way through the provider did not end.');
};

const who = async (cookie: string) => {
  const headers = { cookie, 'sec-fetch-site': 'same-origin' };
  return (await fetch(`${memoir.url}/v3/session`, { headers })).json();
};

verifies(
  'signin:oidc:member',
  'signs in a member by the address, and makes one of a domain that may join',
  async () => {
    const refused = await signIn();
    expect([refused.status, refused.cookie]).toEqual([403, '']);
    expect(refused.text).toContain('You are no member of this Memoir');
    const { id } = await addMember(memoir, { email: 'ada@example.org', role: 'admin' });
    expect(await who((await signIn()).cookie)).toMatchObject({
      user: { id, email: 'ada@example.org' },
      role: 'admin',
    });
    person = { email: 'Grace@example.com', email_verified: true, name: 'Grace' };
    const joined = await who((await signIn()).cookie);
    expect(joined).toMatchObject({ user: { email: 'grace@example.com', name: 'Grace' }, role: 'member' });
  },
);

test('an address that the provider does not vouch for signs nobody in', async () => {
  person = { email: 'ada@example.org', email_verified: false, name: 'Eve' };
  const refused = await signIn();
  expect([refused.status, refused.cookie]).toEqual([403, '']);
  expect(refused.text).toContain('does not vouch');
});

test('an answer of the provider counts in the browser that began alone', async () => {
  const began = await fetch(`${memoir.url}/console/oidc`, { redirect: 'manual' });
  const state = new URL(began.headers.get('location') ?? '').searchParams.get('state');
  const callback = `${memoir.url}/console/oidc/callback?code=x&state=${state}`;
  expect((await fetch(callback)).status).toBe(401);
  const cookie = `memoir_oidc=${state}`;
  const answer = await fetch(callback, { headers: { cookie } });
  expect([answer.status, answer.headers.get('set-cookie')]).toEqual([401, null]);
});
