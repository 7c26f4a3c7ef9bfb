// Tests of the header Host, from which addresses are built.
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { verifies } from '../spec/verifies.ts';
import { type Api, startApi } from '../support/api.ts';

let api: Api;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close(0));

const DISCOVERY = '/.well-known/oauth-protected-resource';

const ask = (
  path: string,
  lines: readonly string[],
  server = api,
): Promise<{ status: number; text: string }> =>
  new Promise((resolve, reject) => {
    let heard = '';
    const socket = connect(server.port, '127.0.0.1', () =>
      socket.write([`GET ${path} HTTP/1.1`, ...lines, 'connection: close', '', ''].join('\r\n')),
    );
    socket
      .on('data', (part) => (heard += part))
      .on('error', reject)
      .on('close', () => resolve({ status: Number(/^HTTP\/1\.1 (\d+)/.exec(heard)?.[1]), text: heard }));
  });

describe('the header Host', () => {
  verifies('proxy:host:form', 'gets 400 when it is more than a name and a port', async () => {
    const hosts = [
      '127.0.0.1:7170/x',
      'user@127.0.0.1',
      '127.0.0.1:',
      '127.0.0.1:x',
      'a b',
      '127.0.0.1?x',
      '[::1',
      '::1',
    ];
    for (const host of hosts)
      for (const path of [DISCOVERY, '/v3/openapi', '/mcp']) {
        const { status, text } = await ask(path, [`host: ${host}`]);
        expect([host, status]).toEqual([host, 400]);
        expect(text).not.toContain('"resource"');
      }
  });

  test('may be a name or an address of this machine, with a port', async () => {
    for (const host of ['127.0.0.1', 'LOCALHOST:7170', '[::1]:80', 'localhost']) {
      const { status, text } = await ask(DISCOVERY, [`host: ${host}`]);
      expect([host, status]).toEqual([host, 200]);
      expect(text).toContain(`"resource":"http://${host.toLowerCase()}"`);
    }
  });

  test('gets 403 when it names another machine, in whatever spelling', async () => {
    for (const host of ['evil.example', '127.1', '0x7f.0.0.1', 'localhost.evil.example'])
      expect([host, (await ask(DISCOVERY, [`host: ${host}`])).status]).toEqual([host, 403]);
  });
});

describe('the protocol of an address', () => {
  const proto = (value: string) => ['host: localhost', `x-forwarded-proto: ${value}`];

  test('is http when no proxy is trusted', async () => {
    expect((await ask(DISCOVERY, proto('https'))).text).toContain('"resource":"http://localhost"');
  });

  test('is the one that a trusted proxy names, if it is http or https', async () => {
    await using behind = await startApi({ trustedProxies: ['loopback'] });
    expect((await ask(DISCOVERY, proto('https'), behind)).text).toContain('"resource":"https://localhost"');
    expect((await ask(DISCOVERY, proto('javascript'), behind)).text).toContain(
      '"resource":"http://localhost"',
    );
  });
});

test('the addresses at which programs ask for access are counted as requests without a key', async () => {
  await using server = await startApi();
  const path = '/.well-known/oauth-authorization-server';
  const statusAt = async (host: string) => (await ask(path, [`host: ${host}`], server)).status;
  for (let call = 0; call < 119; call++) await server.access.grants.admit('127.0.0.1');
  expect(await statusAt('localhost:1')).toBe(200);
  expect(await statusAt('localhost:2')).toBe(429);
  expect(await statusAt('LOCALHOST:1')).toBe(200);
});
