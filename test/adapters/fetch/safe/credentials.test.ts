// The credentials of a request are for the origin that was asked: a redirect to another one does not carry them along.
import type { IncomingHttpHeaders } from 'node:http';
import { describe, expect, test } from 'vitest';
import { createSafeFetch } from '../../../../server/adapters/fetch/safe/safe-fetch.ts';
import { PUBLIC_ADDRESS, seamsFor, serve } from '../web.ts';

const { signal } = new AbortController();
const headers = {
  authorization: 'Bearer planted-token',
  Cookie: 'session=planted-cookie',
  'X-Api-Key': 'planted-key',
  'x-amz-security-token': 'planted-session',
  range: 'bytes=0-9',
};

/** Two origins; the first redirects `/away` to the second, `/within` to itself, and `/back` to the second and home again. */
const openOrigins = async () => {
  const heard: { at: string; headers: IncomingHttpHeaders }[] = [];
  const other = await serve(PUBLIC_ADDRESS, (req, res) => {
    heard.push({ at: `other ${req.url}`, headers: req.headers });
    if (req.url === '/home') res.writeHead(302, { location: `http://public.example:${first.port}/end` });
    res.end();
  });
  const first = await serve(PUBLIC_ADDRESS, (req, res) => {
    heard.push({ at: `first ${req.url}`, headers: req.headers });
    const elsewhere = `http://public.example:${other.port}`;
    const next = { '/away': `${elsewhere}/end`, '/within': '/end', '/back': `${elsewhere}/home` }[
      req.url ?? ''
    ];
    if (next !== undefined) res.writeHead(307, { location: next });
    res.end();
  });
  const fetch = createSafeFetch({ userAgent: 'Memoir/test', seams: seamsFor([first.port, other.port]) });
  return {
    heard,
    async ask(path: string) {
      const answer = await fetch(`http://public.example:${first.port}${path}`, { headers, signal });
      answer.discard();
      return heard.splice(0);
    },
    async [Symbol.asyncDispose]() {
      await fetch.close();
      await Promise.all([first[Symbol.asyncDispose](), other[Symbol.asyncDispose]()]);
    },
  };
};

const planted = (sent: IncomingHttpHeaders): boolean => JSON.stringify(sent).includes('planted');

describe('credentials in the headers of a request', () => {
  test('do not reach another origin that a redirect names, while other headers do', async () => {
    await using origins = await openOrigins();
    const [asked, followed] = await origins.ask('/away');
    expect(asked?.headers).toMatchObject({ authorization: headers.authorization, cookie: headers.Cookie });
    expect(followed).toMatchObject({ at: 'other /end', headers: { range: 'bytes=0-9' } });
    expect(planted(followed?.headers ?? {})).toBe(false);
  });

  test('stay when the redirect stays within the origin', async () => {
    await using origins = await openOrigins();
    const [, followed] = await origins.ask('/within');
    expect(followed).toMatchObject({ at: 'first /end', headers: { authorization: headers.authorization } });
  });

  test('do not come back when a foreign origin redirects home', async () => {
    await using origins = await openOrigins();
    const all = await origins.ask('/back');
    expect(all.map(({ at }) => at)).toEqual(['first /back', 'other /home', 'first /end']);
    expect(all.map((each) => planted(each.headers))).toEqual([true, false, false]);
  });
});
