// Hosts of the own network that the settings allow: only they, only at their port, and never those that hold credentials.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSafeFetch, type SafeFetch } from '../../../../server/adapters/fetch/safe/safe-fetch.ts';
import { lookupIn, serve, type TestServer } from '../web.ts';

let inside: TestServer;
let other: TestServer;
let safeFetch: SafeFetch;
let leads = '';

beforeAll(async () => {
  inside = await serve('127.0.0.1', (req, res) => {
    if (req.url === '/away') res.writeHead(302, { location: leads }).end();
    else res.end('inside');
  });
  other = await serve('127.0.0.1', (_req, res) => void res.end('SECRET'));
  leads = `http://127.0.0.1:${other.port}/`;
  safeFetch = createSafeFetch({
    userAgent: 'test',
    privateHosts: [
      `127.0.0.1:${inside.port}`,
      `minio:${inside.port}`,
      '169.254.169.254:80',
      'meta:80',
      'mapped:80',
      'meta6:80',
    ],
    seams: {
      lookup: lookupIn({
        minio: ['127.0.0.1'],
        meta: ['169.254.169.254'],
        mapped: ['::ffff:169.254.169.254'],
        meta6: ['fd00:ec2::254'],
      }),
    },
  });
});
afterAll(async () => {
  await safeFetch.close();
  for (const server of [inside, other]) await server[Symbol.asyncDispose]();
});

const { signal } = new AbortController();

const outcomeOf = async (address: string, follows = true): Promise<string> => {
  try {
    const answer = await safeFetch(address, { signal, follows });
    answer.discard();
    return String(answer.status);
  } catch (error) {
    return error instanceof Error && 'code' in error ? String(error.code) : String(error);
  }
};

test('a named host is reached by its address and by its name', async () => {
  expect(await outcomeOf(`http://127.0.0.1:${inside.port}/`)).toBe('200');
  expect(await outcomeOf(`http://minio:${inside.port}/`)).toBe('200');
});

test('another port, and a redirect to it, stay refused', async () => {
  expect(await outcomeOf(`http://127.0.0.1:${other.port}/`)).toBe('blocked_address');
  expect(await outcomeOf(`http://127.0.0.1:${inside.port}/away`)).toBe('blocked_address');
  expect(other.hits()).toBe(0);
});

test('a redirect that is not followed is the answer', async () => {
  expect(await outcomeOf(`http://127.0.0.1:${inside.port}/away`, false)).toBe('302');
});

test.each(['169.254.169.254', 'meta', 'mapped', 'meta6'])(
  'the credentials of the machine at %s are refused although the setting names it',
  async (host) => {
    expect(await outcomeOf(`http://${host}/latest/meta-data/`)).toBe('blocked_address');
  },
);
