import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { WebFile } from '../../../server/adapters/fetch/port.ts';
import { createWeb } from '../../../server/adapters/fetch/web.ts';
import { IngestError } from '../../../server/core/errors.ts';
import { timePasses } from '../../support/until.ts';
import { PUBLIC_ADDRESS, seamsFor, serve, type TestServer } from './web.ts';

let server: TestServer;
let answer: RequestListener = (_req, res) => void res.end();
const folder = mkdtempSync(join(tmpdir(), 'memoir-web-'));
const { signal } = new AbortController();

const open = (limits = {}) =>
  createWeb({ folder, userAgent: 'Memoir/test', limits, seams: seamsFor([server.port]) });

beforeAll(async () => {
  server = await serve(PUBLIC_ADDRESS, (req, res) => answer(req, res));
});
const emptied = () => {
  for (const name of readdirSync(folder)) rmSync(join(folder, name));
};
afterEach(emptied);
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
});

const addressOf = (path: string): string => `http://public.example:${server.port}${path}`;

const fetched = async (path = '/', limits = {}): Promise<WebFile & { text: string }> => {
  const web = open(limits);
  try {
    const found = await web.open(addressOf(path), signal);
    if (found.what !== 'file') throw new Error('This is no file.');
    return { ...found, text: readFileSync(found.file, 'utf8') };
  } finally {
    await web.close();
  }
};

const refused = async (path = '/', limits = {}): Promise<IngestError> => {
  const error = await fetched(path, limits).then(
    () => new Error('It was read.'),
    (reason: unknown) => reason,
  );
  if (!(error instanceof IngestError)) throw error;
  expect(readdirSync(folder), 'nothing is left of what was refused').toEqual([]);
  return error;
};

describe('a fetched page or file', () => {
  test('has its address, its name and its declared type', async () => {
    answer = (req, res) => {
      expect(req.headers['user-agent']).toBe('Memoir/test');
      if (req.url === '/old') return void res.writeHead(301, { location: '/a%20b.pdf?x=1' }).end();
      res.writeHead(200, { 'content-type': 'Application/PDF; charset=latin1' }).end('%PDF-1.7');
    };
    expect(await fetched('/old#page=2')).toMatchObject({
      text: '%PDF-1.7',
      bytes: 8,
      url: addressOf('/a%20b.pdf?x=1#page=2'),
      fileName: 'a b.pdf',
      mimeType: 'application/pdf',
      charset: 'latin1',
    });
  });

  test.each([
    ['attachment; filename="plan \\"b\\".csv"', 'plan "b".csv'],
    ["attachment; filename=x.csv; filename*=UTF-8''%C3%A4.csv", 'ä.csv'],
    ['inline; filename=../../etc/passwd', 'passwd'],
    ["attachment; filename*=UTF-8''%E0%A4.csv", '%E0%A4.csv'],
    ['attachment', 'export'],
  ])('has the name that the server declares: %s', async (disposition, name) => {
    answer = (_req, res) => void res.writeHead(200, { 'content-disposition': disposition }).end('x');
    expect((await fetched('/export')).fileName).toBe(name);
  });

  test.each([
    ['gzip', gzipSync('unpacked')],
    ['x-gzip', gzipSync('unpacked')],
    ['deflate', deflateSync('unpacked')],
    ['br', brotliCompressSync('unpacked')],
    ['gzip, br', brotliCompressSync(gzipSync('unpacked'))],
    ['identity', Buffer.from('unpacked')],
  ])('is unpacked: %s', async (encoding, body) => {
    answer = (_req, res) => void res.writeHead(200, { 'content-encoding': encoding }).end(body);
    expect((await fetched()).text).toBe('unpacked');
  });
});

describe('a refused request', () => {
  test.each([
    ['gzip', gzipSync('cut off in the middle of it').subarray(0, 20)],
    ['gzip', Buffer.from('no gzip at all')],
    ['br', Buffer.from('no brotli at all')],
    ['rot13', Buffer.from('grkg')],
    ['gzip, gzip, gzip', gzipSync(gzipSync(gzipSync('text')))],
  ])('cannot be unpacked: %s', async (encoding, body) => {
    answer = (_req, res) => void res.writeHead(200, { 'content-encoding': encoding }).end(body);
    expect(await refused()).toMatchObject({ code: 'bad_encoding', retryable: false });
  });

  const small = { pageBytes: 1000, fileBytes: 5000 };

  test('has one byte more than the limit of pages or of files', async () => {
    const page = '<p>'.padEnd(1000, 'x');
    const file = Buffer.concat([Buffer.from([1, 0, 2]), Buffer.alloc(4997)]);
    answer = (req, res) => void res.end(req.url === '/page' ? page : file);
    expect((await fetched('/page', small)).bytes).toBe(1000);
    expect((await fetched('/file', small)).bytes).toBe(5000);
    emptied();
    answer = (req, res) => void res.write(req.url === '/page' ? page : file, () => res.end('x'));
    expect(await refused('/page', small)).toMatchObject({ code: 'too_large', retryable: false });
    expect(await refused('/file', small)).toMatchObject({ code: 'too_large', retryable: false });
  });

  test('is too large only after it is unpacked', async () => {
    const bomb = gzipSync(Buffer.alloc(30_000_000, 'a'));
    answer = (_req, res) => void res.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb);
    expect((await refused()).code).toBe('too_large');
    const twice = gzipSync(bomb);
    answer = (_req, res) => void res.writeHead(200, { 'content-encoding': 'gzip, gzip' }).end(twice);
    expect((await refused()).code).toBe('too_large');
  });

  test('declares a length over the limit and is ended at once', async () => {
    answer = (_req, res) => void res.writeHead(200, { 'content-length': '60000000' }).write('%PDF-');
    expect((await refused()).code).toBe('too_large');
  });

  test('times out: no answer, a body that stops, a body that drips', async () => {
    const hurry = { headersMs: 200, bodyMs: 200, totalMs: 600 };
    answer = () => undefined;
    expect(await refused('/', hurry)).toMatchObject({ code: 'timeout', retryable: true });
    answer = (_req, res) => void res.writeHead(200).write('a');
    expect((await refused('/', hurry)).code).toBe('timeout');
    answer = async (_req, res) => {
      for (let drop = 0; drop < 40 && !res.destroyed; drop++) {
        res.write('a');
        await timePasses(50, 'the body drips');
      }
    };
    expect((await refused('/', hurry)).code).toBe('timeout');
  });

  test('loses its connection in the middle of the body', async () => {
    answer = (_req, res) => {
      res.writeHead(200, { 'content-length': '100' }).write('only this');
      void timePasses(20, 'the head arrives before the connection breaks').then(() => res.destroy());
    };
    expect(await refused()).toMatchObject({ code: 'fetch_failed', retryable: true });
  });

  test('redirects in a circle, or to an invalid address', async () => {
    answer = (req, res) => void res.writeHead(302, { location: `${req.url}x` }).end();
    const before = server.hits();
    expect((await refused()).code).toBe('too_many_redirects');
    expect(server.hits() - before).toBe(6);
    answer = (_req, res) => void res.writeHead(302, { location: 'http://' }).end();
    expect((await refused()).code).toBe('bad_redirect');
  });

  test('names an unknown host, or a port where no server listens', async () => {
    const web = open();
    await expect(web.open('http://nowhere.example/', signal)).rejects.toMatchObject({
      code: 'dns_failed',
      retryable: false,
    });
    await expect(web.open(`http://${PUBLIC_ADDRESS}:8080/`, signal)).rejects.toMatchObject({
      code: 'fetch_failed',
      retryable: true,
    });
    await web.close();
  });

  test.each([
    [404, false, undefined],
    [403, false, undefined],
    [410, false, undefined],
    [429, true, 7000],
    [500, true, undefined],
    [503, true, 7000],
    [204, false, undefined],
  ])('is refused by its server with %i', async (status, retryable, retryAfterMs) => {
    const wait = retryAfterMs === undefined ? {} : { 'retry-after': '7' };
    answer = (_req, res) =>
      void res.writeHead(status, wait).end(status === 204 ? undefined : 'an error page');
    const error = await refused();
    expect(error).toMatchObject({ code: `http_${status}`, retryable, retryAfterMs });
    expect(error.message).toMatch(/^The server public\.example answered with status/);
  });

  test('is aborted by its caller', async () => {
    const controller = new AbortController();
    answer = (_req, res) => void res.writeHead(200).write('a');
    const web = open();
    const reading = web.open(addressOf('/'), controller.signal);
    await timePasses(50, 'the body has begun');
    controller.abort(new Error('The server is stopping'));
    await expect(reading).rejects.toThrow('The server is stopping');
    expect(readdirSync(folder)).toEqual([]);
    await web.close();
  });
});
