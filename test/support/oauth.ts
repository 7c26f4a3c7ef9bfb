// A program that connects as hosts do, and a person who answers the page, both without a browser.
import { createHash, randomBytes } from 'node:crypto';
import type { TestMemoir } from './memoir.ts';

export interface Tokens {
  access_token: string;
  refresh_token: string;
  scope: string;
  expires_in: number;
}

export interface Page {
  status: number;
  html: string;
  headers: Headers;
  /** The failure that it reports. */
  problem: string | null;
}

export type Fields = readonly (readonly [name: string, value: string])[];

export const REDIRECT = 'http://127.0.0.1:51234/callback';

export const jsonOf = async (answer: Response): Promise<Record<string, string>> =>
  (await answer.json()) as Record<string, string>;

export const postForm = (url: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
  fetch(url, { method: 'POST', redirect: 'manual', headers, body: new URLSearchParams(fields) });

export const register = async (memoir: Pick<TestMemoir, 'url'>, more: object = {}): Promise<Response> =>
  fetch(`${memoir.url}/oauth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      client_name: 'Test host',
      redirect_uris: [REDIRECT],
      token_endpoint_auth_method: 'none',
      ...more,
    }),
  });

const pageOf = async (answer: Response): Promise<Page> => {
  const html = await answer.text();
  const problem = /role="alert">([^<]*)/.exec(html)?.[1] ?? null;
  return { status: answer.status, html, headers: answer.headers, problem };
};

const pathOf = (answer: { headers: Headers }): string => {
  const url = new URL(answer.headers.get('location') ?? 'http://nowhere/');
  return url.pathname + url.search;
};

/** A person, in a browser of their own, at one request for access. */
export const answering = async (memoir: Pick<TestMemoir, 'url'>, authorize: string) => {
  const jar: string[] = [];
  const visit = async (path: string, init: RequestInit = {}): Promise<Response> => {
    const headers = { ...(init.headers as Record<string, string>), cookie: jar.join('; ') };
    const answer = await fetch(memoir.url + path, { redirect: 'manual', ...init, headers });
    jar.push(...answer.headers.getSetCookie().map((cookie) => cookie.split(';')[0] ?? ''));
    return answer;
  };
  const started = await visit(authorize);
  const path = pathOf(started);
  const send = (fields: Fields) =>
    visit(path, { method: 'POST', body: new URLSearchParams(fields.map(([name, value]) => [name, value])) });

  const signIn = async (key: string) => {
    const signingIn: Fields = [
      ['do', 'signIn'],
      ['key', key],
    ];
    const page = await pageOf(await send(signingIn));
    return { ...page, ticket: /name="ticket" value="([^"]*)"/.exec(page.html)?.[1] ?? '' };
  };

  /** The answer that the program gets at its callback. */
  const finished = async (answer: Response): Promise<URL> => {
    const back = await visit(pathOf(answer));
    return new URL(back.headers.get('location') ?? 'http://nowhere/');
  };

  return {
    started,
    page: async () => pageOf(await visit(path)),
    signIn,
    answer: async (fields: Fields) => pageOf(await send(fields)),
    deny: async () => finished(await send([['do', 'deny']])),
    async allow(key: string, choice: Fields): Promise<URL> {
      const { ticket } = await signIn(key);
      return finished(await send([['do', 'allow'], ['ticket', ticket], ...choice]));
    },
  };
};

/** One request for access, from its first step to the tokens. */
export const connect = async (
  memoir: Pick<TestMemoir, 'url'>,
  clientId: string,
  more: Record<string, string> = {},
) => {
  const verifier = randomBytes(32).toString('base64url');
  const query = new URLSearchParams({
    client_id: clientId,
    redirect_uri: REDIRECT,
    response_type: 'code',
    state: 'mine',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    resource: `${memoir.url}/mcp`,
    ...more,
  });
  const person = await answering(memoir, `/oauth/authorize?${query}`);

  const exchange = (code: string, fields: Record<string, string> = {}) =>
    postForm(`${memoir.url}/oauth/token`, {
      grant_type: 'authorization_code',
      client_id: clientId,
      redirect_uri: more.redirect_uri ?? REDIRECT,
      code,
      code_verifier: verifier,
      ...fields,
    });

  return {
    ...person,
    exchange,
    async tokens(key: string, choice: Fields): Promise<Tokens> {
      const code = (await person.allow(key, choice)).searchParams.get('code') ?? '';
      return (await (await exchange(code)).json()) as Tokens;
    },
  };
};

export const refresh = (
  memoir: Pick<TestMemoir, 'url'>,
  clientId: string,
  token: string,
): Promise<Response> =>
  postForm(`${memoir.url}/oauth/token`, {
    grant_type: 'refresh_token',
    client_id: clientId,
    refresh_token: token,
  });

export const choice = (permission: 'read' | 'write', tags: readonly string[], days = '7'): Fields => [
  ['permission', permission],
  ['days', days],
  ...tags.map((tag) => ['tag', tag] as const),
];
