import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isPublic } from '../../../server/adapters/fetch/safe/addresses.ts';
import { createSafeFetch, type SafeFetch } from '../../../server/adapters/fetch/safe/safe-fetch.ts';
import { lookupIn, PUBLIC_ADDRESS, seamsFor, serve, type TestServer } from './web.ts';

/** Both have the same port, so that a trick cannot fail for the port alone. */
let outside: TestServer;
let inside: TestServer;
let inside6: TestServer;
let safeFetch: SafeFetch;

/** Where each path of the public server leads to; filled in when the port is known. */
const leads = new Map<string, string>();

const names = {
  'inside.example': ['127.0.0.1'],
  'inside6.example': ['::1'],
  'mapped.example': ['::ffff:127.0.0.1'],
  'metadata.example': ['169.254.169.254'],
  'home.example': ['192.168.1.1'],
  'mixed.example': [PUBLIC_ADDRESS, '127.0.0.1'],
  'mixed-back.example': ['10.0.0.1', PUBLIC_ADDRESS],
  'nat64.example': ['64:ff9b::7f00:1'],
  'sixtofour.example': ['2002:7f00:1::'],
  'ula.example': ['fd00::1'],
  'link.example': ['fe80::1'],
  'zero.example': ['0.0.0.0'],
  'empty.example': [],
};

beforeAll(async () => {
  outside = await serve(PUBLIC_ADDRESS, (req, res) => {
    const to = leads.get(req.url ?? '');
    if (to === undefined) res.end('public');
    else res.writeHead(302, { location: Buffer.from(to).toString('latin1') }).end();
  });
  inside = await serve('127.0.0.1', (_req, res) => void res.end('SECRET'), outside.port);
  inside6 = await serve('::1', (_req, res) => void res.end('SECRET'), outside.port);
  safeFetch = createSafeFetch({ userAgent: 'test', seams: seamsFor([outside.port], names) });
});
afterAll(async () => {
  await safeFetch.close();
  for (const server of [outside, inside, inside6]) await server[Symbol.asyncDispose]();
});

const signal = new AbortController().signal;

const bodyOf = async (address: string): Promise<string> => {
  let text = '';
  for await (const piece of (await safeFetch(address, { signal })).body) text += piece.toString();
  return text;
};

const codeOf = async (address: string): Promise<string> => {
  try {
    return `answered ${await bodyOf(address)}`;
  } catch (error) {
    return error instanceof Error && 'code' in error ? String(error.code) : String(error);
  }
};

/** `P` stands for the port of both servers. */
const hosts = [
  'http://127.0.0.1:P/',
  'http://127.1:P/',
  'http://127.0.1:P/',
  'http://127.000.000.001:P/',
  'http://0177.0.0.1:P/',
  'http://0177.0000.0000.0001:P/',
  'http://0x7f.0.0.1:P/',
  'http://0x7f.0x0.0x0.0x1:P/',
  'http://0x7f000001:P/',
  'http://0X7F000001:P/',
  'http://2130706433:P/',
  'http://017700000001:P/',
  'http://127.0.0.1.:P/',
  'http://127.0.0.3:P/',
  'http://127.255.255.254:P/',
  'http://0:P/',
  'http://0.0.0.0:P/',
  'http://00.00.00.00:P/',
  'http://①②⑦.⓪.⓪.①:P/',
  'http://１２７.０.０.１:P/',
  'http://127。0。0。1:P/',
  'http://127%2e0%2e0%2e1:P/',
  'http://%31%32%37.0.0.1:P/',
  'http://[::1]:P/',
  'http://[0:0:0:0:0:0:0:1]:P/',
  'http://[0000::0001]:P/',
  'http://[::]:P/',
  'http://[::ffff:127.0.0.1]:P/',
  'http://[::ffff:7f00:1]:P/',
  'http://[::127.0.0.1]:P/',
  'http://[64:ff9b::127.0.0.1]:P/',
  'http://[64:ff9b::7f00:1]:P/',
  'http://[2002:7f00:1::]:P/',
  'http://[fd00::1]:P/',
  'http://[fe80::1]:P/',
  'http://[fec0::1]:P/',
  'http://[ff02::1]:P/',
  'http://[2001:db8::1]:P/',
  'http://[2001::1]:P/',
  'http://10.0.0.1:P/',
  'http://172.16.0.1:P/',
  'http://172.31.255.255:P/',
  'http://192.168.0.1:P/',
  'http://100.64.0.1:P/',
  'http://169.254.169.254/latest/meta-data/',
  'http://2852039166/latest/meta-data/',
  'http://[::ffff:a9fe:a9fe]/latest/meta-data/',
  'http://192.0.0.192/latest/',
  'http://198.18.0.1:P/',
  'http://224.0.0.1:P/',
  'http://255.255.255.255:P/',
  'http://localhost:P/',
  'http://LOCALHOST:P/',
  'http://localhost.:P/',
  'http://foo.localhost:P/',
  'http://printer.local:P/',
  'http://metadata.google.internal/',
  'http://intranet:P/',
  'http://router.lan:P/',
  'http://inside.example:P/',
  'http://inside.example.:P/',
  'http://INSIDE.example:P/',
  'http://inside6.example:P/',
  'http://mapped.example:P/',
  'http://metadata.example/',
  'http://home.example:P/',
  'http://mixed.example:P/',
  'http://mixed-back.example:P/',
  'http://nat64.example:P/',
  'http://sixtofour.example:P/',
  'http://ula.example:P/',
  'http://link.example:P/',
  'http://zero.example:P/',
  'http://empty.example:P/',
  'http://public.example@127.0.0.1:P/',
  'http://127.0.0.1:P#@public.example/',
  'http://127.0.0.1:P?@public.example/',
  'http://127.0.0.1:P\\@public.example/',
  'http:\\\\127.0.0.1:P\\',
  'http:127.0.0.1:P/',
  'http:/127.0.0.1:P/',
  'http://127.0.0.1\t:P/',
  'ht\ntp://127.0.0.1:P/',
  'https://127.0.0.1:P/',
  'ftp://127.0.0.1:P/',
  'file:///etc/passwd',
  'data:text/plain,SECRET',
  'blob:http://127.0.0.1:P/x',
  'javascript:fetch("http://127.0.0.1:P/")',
  'gopher://127.0.0.1:P/_GET',
  'http://public.example:22/',
  'http://public.example:6379/',
  'http://127.0.0.1:P/%0d%0aHost:%20public.example',
  '//127.0.0.1:P/',
  'http://',
];

const here = (address: string): string => address.replaceAll(/:P(?=\D|$)/g, `:${outside.port}`);

const REFUSED =
  /^(?:bad_url|bad_scheme|url_credentials|blocked_host|blocked_address|blocked_port|dns_failed|dns_empty)$/;

describe('an address that leads into a private network', () => {
  test('is tested in more than sixty spellings', () => expect(hosts.length).toBeGreaterThan(60));

  test('is refused in every spelling before anything is sent', async () => {
    const heard = await Promise.all(hosts.map(async (host) => [host, await codeOf(here(host))] as const));
    expect(heard.filter(([, code]) => !REFUSED.test(code))).toEqual([]);
    expect([inside.hits(), inside6.hits()]).toEqual([0, 0]);
  });

  test('is refused when a public page redirects to it, directly or through other pages', async () => {
    // A line break cannot stand in a header.
    const written = hosts.filter((host) => !host.includes('\n'));
    for (const [at, host] of written.entries()) {
      leads.set(`/to/${at}`, here(host));
      leads.set(`/by/${at}`, `/to/${at}`);
    }
    const start = `http://public.example:${outside.port}`;
    const before = outside.hits();
    const ways = written.flatMap((host, at) => [`/to/${at}`, `/by/${at}`].map((path) => ({ host, path })));
    const heard = await Promise.all(
      ways.map(async (way) => ({ ...way, code: await codeOf(start + way.path) })),
    );
    // Written as a relative address some of them stay on the public server, which is no trick.
    const stayed = (code: string) => code === 'answered public';
    expect(
      heard.filter(({ code }) => !REFUSED.test(code) && code !== 'bad_redirect' && !stayed(code)),
    ).toEqual([]);
    expect(heard.filter(({ code }) => stayed(code)).length).toBeLessThan(10);
    expect(outside.hits() - before).toBeGreaterThan(written.length);
    expect([inside.hits(), inside6.hits()]).toEqual([0, 0]);
  });

  test('is refused for every name that has one private address among public ones', async () => {
    expect(await codeOf(here('http://mixed.example:P/'))).toBe('blocked_address');
    expect(await codeOf(here('http://mixed-back.example:P/'))).toBe('blocked_address');
  });

  test('is not reached when the name resolves to another address the second time', async () => {
    let asked = 0;
    const seams = seamsFor([outside.port]);
    const turning = createSafeFetch({
      userAgent: 'test',
      seams: {
        ...seams,
        lookup: (host, options, answer) => {
          asked += 1;
          const address = asked === 1 ? PUBLIC_ADDRESS : '127.0.0.1';
          lookupIn({ 'rebind.example': [address] })(host, options, answer);
        },
      },
    });
    const url = `http://rebind.example:${outside.port}/`;
    const first = await turning(url, { signal });
    for await (const piece of first.body) expect(piece.toString()).toBe('public');
    // A connection of its own, so the name is looked up anew.
    await turning.close();
    const second = createSafeFetch({
      userAgent: 'test',
      seams: { ...seams, lookup: lookupIn({ 'rebind.example': ['127.0.0.1'] }) },
    });
    await expect(second(url, { signal })).rejects.toMatchObject({ code: 'blocked_address' });
    await second.close();
    expect(asked).toBe(1);
    expect(inside.hits()).toBe(0);
  });

  test('is refused although a proxy is set in the environment', async () => {
    process.env.HTTP_PROXY = `http://127.0.0.1:${inside.port}`;
    process.env.http_proxy = process.env.HTTP_PROXY;
    try {
      expect(await bodyOf(`http://public.example:${outside.port}/`)).toBe('public');
    } finally {
      delete process.env.HTTP_PROXY;
      delete process.env.http_proxy;
    }
    expect(inside.hits()).toBe(0);
  });
});

test('a public page stays reachable', async () => {
  expect(await bodyOf(`http://public.example:${outside.port}/page`)).toBe('public');
  expect(await bodyOf(`http://${PUBLIC_ADDRESS}:${outside.port}/page`)).toBe('public');
});

test.each([
  ['8.8.8.8', true],
  ['1.1.1.1', true],
  ['172.15.255.255', true],
  ['172.32.0.0', true],
  ['192.167.255.255', true],
  ['100.128.0.0', true],
  ['223.255.255.255', true],
  ['2606:4700::1111', true],
  ['2a00:1450:4001::200e', true],
  ['2001:4860:4860::8888', true],
  ['fe80::1%eth0', false],
  ['2606:4700::1111%eth0', false],
  ['not an address', false],
  ['', false],
])('%s is public: %s', (address, expected) => expect(isPublic(address)).toBe(expected));
