// Tests of reading the body of a request.
import { connect } from 'node:net';
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { verifies } from '../spec/verifies.ts';
import { type Api, errorOf, startApi } from '../support/api.ts';
import { notes } from '../support/notes.ts';
import { timePasses } from '../support/until.ts';

const MIB = 1024 * 1024;
let api: Api;
beforeAll(async () => {
  api = await startApi({ operations: notes });
});
afterAll(() => api.close(0));

const send = (body: BodyInit, headers: Record<string, string> = {}, path = '/v3/notes') =>
  api.call(path, { method: 'POST', body, headers: { authorization: `Bearer ${api.key}`, ...headers } });

const note = JSON.stringify({ text: 'größer 日本語' });

describe('a body', () => {
  test.each([
    'application/json',
    'application/json; charset=utf-8',
    'text/plain',
    'application/x-www-form-urlencoded',
  ])('is read as JSON when it is sent as %s', async (type) => {
    const answer = await send(note, { 'content-type': type });
    expect(await answer.json()).toMatchObject({ text: 'größer 日本語' });
  });

  test('is read when it names no content type', async () => {
    expect((await send(new TextEncoder().encode(note))).status).toBe(201);
  });

  test.each([
    ['with no content type', {}],
    ['with the content type of JSON', { 'content-type': 'application/json' }],
  ])('that is empty, %s, is read as an empty object', async (_how, headers) => {
    const answer = await api.call('/v3/notes', {
      method: 'POST',
      headers: { authorization: `Bearer ${api.key}`, ...headers },
    });
    expect((await errorOf(answer)).error).toBe('Invalid request: text: is required');
  });

  test('of white space alone, or null, is read as an empty object', async () => {
    for (const body of [' \n', 'null'])
      expect((await errorOf(await send(body))).error).toContain('text: is required');
  });

  test.each(['[1]', '"text"', '5'])('that is %s is refused, because it is not an object', async (body) => {
    const answer = await send(body);
    expect(answer.status).toBe(400);
    expect((await errorOf(answer)).error).toContain('must be a JSON object');
  });

  verifies('errors:json:malformed', 'gets 400 when it is not JSON', async () => {
    const answer = await send('{"text": ', { 'content-type': 'text/html' });
    expect(answer.status).toBe(400);
    expect((await errorOf(answer)).error).toMatch(
      /^The request body is not valid JSON \(it was sent as text\/html\): /,
    );
  });

  verifies('bodies:json:exact', 'gets 400 that names what would be lost by reading it', async () => {
    const cases = [
      ['{"text":"x","metadata":{"id":9007199254740993}}', 'metadata.id: must be an integer between'],
      ['{"text":"x","metadata":{"constructor":"y","__proto__":"z"}}', 'metadata.__proto__: is a key'],
    ] as const;
    for (const [body, sentence] of cases) {
      const answer = await send(body);
      expect([answer.status, (await errorOf(answer)).error]).toEqual([
        400,
        expect.stringContaining(`Invalid request: ${sentence}`),
      ]);
    }
    expect((await send('{"text":"x","metadata":{"id":9007199254740991,"constructor":"y"}}')).status).toBe(
      201,
    );
    const deep = `{"text":"x","metadata":${'{"a":'.repeat(20_000)}9007199254740993${'}'.repeat(20_000)}}`;
    expect((await send(deep)).status).toBe(400);
  });

  test('in another charset is decoded from it', async () => {
    const latin = Buffer.from('{"text":"größer"}', 'latin1');
    const answer = await send(latin, { 'content-type': 'application/json; charset=iso-8859-1' });
    expect(await answer.json()).toMatchObject({ text: 'größer' });
  });

  test('is refused when it is not valid UTF-8, rather than stored with replacement characters', async () => {
    const answer = await send(Buffer.from('{"text":"gr\xf6\xdfer"}', 'latin1'));
    expect(answer.status).toBe(400);
    expect((await errorOf(answer)).error).toContain('not valid utf-8');
  });

  test('may begin with a byte order mark', async () => {
    expect((await send(`\uFEFF${note}`)).status).toBe(201);
  });

  test.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
    ['zstd', zstdCompressSync],
  ] as const)('is decompressed when it is packed with %s', async (encoding, pack) => {
    const answer = await send(pack(note), { 'content-encoding': encoding });
    expect(await answer.json()).toMatchObject({ text: 'größer 日本語' });
  });

  test('gets 400 when its encoding is unknown or wrong', async () => {
    expect((await errorOf(await send(note, { 'content-encoding': 'gzip' }))).error).toContain(
      'not valid gzip',
    );
    expect((await errorOf(await send(note, { 'content-encoding': 'lzma' }))).error).toContain('"lzma"');
  });

  test('is refused, without a server error, when it is nested deeper than the stack', async () => {
    const deep = `{"text":"x","metadata":${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}}`;
    expect((await send(deep)).status).toBe(400);
  });
});

describe('a body that is too large', () => {
  verifies('errors:body:too-large', 'gets 413 when it is JSON of more than 50 MiB', async () => {
    const answer = await send(`{"text":"${'x'.repeat(50 * MIB)}"}`);
    expect(answer.status).toBe(413);
    expect((await errorOf(answer)).error).toContain('50 MiB');
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
  });

  test('gets 413 when it does not announce its length', async () => {
    let left = 60;
    const endless = new ReadableStream({
      pull(controller) {
        if (left-- > 0) controller.enqueue(new Uint8Array(MIB));
        else controller.close();
      },
    });
    const answer = await api.call('/v3/notes', {
      method: 'POST',
      body: endless,
      duplex: 'half',
      headers: { authorization: `Bearer ${api.key}` },
    } as RequestInit);
    expect(answer.status).toBe(413);
  });

  test('gets 413 after unpacking, and the server goes on', async () => {
    const bomb = gzipSync(Buffer.alloc(80 * MIB, ' '));
    expect((await send(bomb, { 'content-encoding': 'gzip' })).status).toBe(413);
    expect((await send(note)).status).toBe(201);
  });

  test('gets 413 for one byte too many, and is read with exactly 50 MiB', async () => {
    const body = (size: number) => `{"text":"x","pad":"${'x'.repeat(size - 21)}"}`;
    expect(Buffer.byteLength(body(50 * MIB))).toBe(50 * MIB);
    expect((await send(body(50 * MIB))).status).toBe(201);
    expect((await send(body(50 * MIB + 1))).status).toBe(413);
  });
});

/** Speaks HTTP by hand: what the server answers before it has the body. */
const speak = (head: string, until: RegExp): Promise<string> => {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const socket = connect(api.port, '127.0.0.1', () => socket.write(head));
  let heard = '';
  socket.on('data', (part) => {
    heard += part;
    if (!until.test(heard)) return;
    socket.destroy();
    resolve(heard);
  });
  socket.on('error', reject);
  socket.on('close', () => reject(new Error(`The server hung up after: ${heard}`)));
  return promise;
};

describe('the key of a request', () => {
  verifies(
    'auth:order:key-first',
    'is checked before any of the body arrives, and an invalid one gets 401',
    async () => {
      const head = 'POST /v3/notes HTTP/1.1\r\nhost: x\r\ncontent-length: 40000000\r\n\r\n{"te';
      const heard = await speak(head, /"error"/);
      expect(heard).toMatch(/^HTTP\/1\.1 401 /);
      expect(heard).toContain('x-api-key');
    },
  );

  test('is checked before a client that expects 100 Continue is asked for its body', async () => {
    const head = (key: string) =>
      `POST /v3/notes HTTP/1.1\r\nhost: x\r\nx-api-key: ${key}\r\ncontent-length: ${Buffer.byteLength(note)}\r\nexpect: 100-continue\r\n\r\n`;
    expect(await speak(head('wrong'), /"error"/)).toMatch(/^HTTP\/1\.1 401 /);
    expect(await speak(head(api.key), /100 Continue/)).toMatch(/^HTTP\/1\.1 100 Continue/);
  });

  test('is refused so that a client hears it that sends its body without waiting for 100 Continue', async () => {
    const head =
      'POST /v3/notes HTTP/1.1\r\nhost: x\r\nx-api-key: wrong\r\ncontent-length: 40000000\r\nexpect: 100-continue\r\n\r\n';
    for (let round = 0; round < 3; round++) {
      const heard = await new Promise<string>((resolve, reject) => {
        let answer = '';
        const socket = connect(api.port, '127.0.0.1', () => {
          socket.write(head);
          socket.write(Buffer.alloc(40_000_000 - 1, ' '));
        });
        // A proxy that is cut off while it sends tells its own client of no answer.
        socket.on('error', reject);
        socket.on('data', (part) => {
          answer += part;
        });
        socket.on('end', () => resolve(answer));
      });
      expect(heard).toMatch(/^HTTP\/1\.1 401 /);
    }
  });

  test('a client that leaves in the middle of its body causes no server error', async () => {
    const head = `POST /v3/notes HTTP/1.1\r\nhost: x\r\nx-api-key: ${api.key}\r\ncontent-length: 100\r\n\r\n{"te`;
    const socket = connect(api.port, '127.0.0.1', () =>
      socket.write(head, async () => {
        await timePasses(30, 'the server reads the head before the client goes away');
        socket.destroy();
      }),
    );
    await new Promise((resolve) => socket.on('close', resolve));
    await expect.poll(api.logged).toContain('closed the connection before it got the answer');
    expect(api.logged()).not.toContain('"level":50');
  });
});
