// Tests of bodies that are held: how much memory they may take, how slow they may be, and who is refused before.
import { connect, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, test } from 'vitest';
import { createAgentKey } from '../../../tools/keys/create-agent.ts';
import { verifies } from '../../spec/verifies.ts';
import { type Api, type ApiOptions, errorOf, startApi } from '../../support/api.ts';
import { notes, slowNote, uploadNote } from '../../support/notes.ts';
import { found, timePasses, until } from '../../support/until.ts';

const MIB = 1024 * 1024;
const open: Socket[] = [];
const apis: Api[] = [];
afterEach(async () => {
  for (const socket of open.splice(0)) socket.destroy();
  for (const api of apis.splice(0)) await api.close(0);
});

const start = async (options: ApiOptions = {}): Promise<Api> => {
  const api = await startApi({ operations: [...notes, uploadNote, createAgentKey], ...options });
  apis.push(api);
  return api;
};

interface Heard {
  socket: Socket;
  /** The bytes that the server has sent so far. */
  text(): string;
}

/** Sends the head of a request and a part of its body, and keeps the connection. */
const hold = ({ port }: Api, head: readonly string[], body: Buffer | string): Heard => {
  const socket = connect(port, '127.0.0.1');
  open.push(socket);
  let heard = '';
  socket.on('data', (part) => (heard += part)).on('error', () => undefined);
  socket.write(`${[...head, 'host: x'].join('\r\n')}\r\n\r\n`);
  socket.write(body);
  return { socket, text: () => heard };
};

const answerOf = ({ text }: Heard): Promise<string> =>
  found('an answer', () => (text().includes('"error"') ? text() : null));

const posting = (key: string, path = '/v3/notes', length = 48 * MIB) => [
  `POST ${path} HTTP/1.1`,
  `authorization: Bearer ${key}`,
  `content-length: ${length}`,
];

const agentKey = async (api: Api, permission: 'read' | 'write'): Promise<string> => {
  const answer = await api.call('/v3/auth/agent-key', {
    method: 'POST',
    body: JSON.stringify({ name: permission, permission }),
  });
  return ((await answer.json()) as { key: string }).key;
};

const add = (api: Api, key = api.key) =>
  fetch(`${api.url}/v3/notes`, {
    method: 'POST',
    body: '{"text":"x"}',
    headers: { authorization: `Bearer ${key}` },
  });

describe('the memory for bodies', () => {
  verifies(
    'bodies:memory:key',
    'is bounded for each key: what is beyond gets 429, other keys go on, and it comes back with the connection',
    async () => {
      const api = await start();
      const other = await agentKey(api, 'write');
      const part = Buffer.alloc(48 * MIB - 1, 32);
      const first = hold(api, posting(api.key), part);
      await until('the first body', () => first.socket.writableLength === 0);
      const second = hold(api, posting(api.key), part);
      const answer = await answerOf(second);
      expect(answer).toMatch(/^HTTP\/1\.1 429 [\s\S]*\r\nretry-after: 1\r\n/);
      expect(answer).toContain('the most that one key may use');
      expect((await add(api, other)).status).toBe(201);
      first.socket.destroy();
      second.socket.destroy();
      await until('memory for the same key', async () => {
        const third = hold(api, posting(api.key, '/v3/notes', 48 * MIB), Buffer.alloc(48 * MIB, 32));
        return (await answerOf(third)).includes('400 Bad Request');
      });
    },
  );

  verifies('bodies:memory:all', 'is bounded for all keys together: what is beyond gets 503', async () => {
    const api = await start({ bodyMemory: 64 * MIB });
    const other = await agentKey(api, 'write');
    const part = Buffer.alloc(48 * MIB - 1, 32);
    const first = hold(api, posting(api.key), part);
    await until('the first body', () => first.socket.writableLength === 0);
    const answer = await answerOf(hold(api, posting(other), part));
    expect(answer).toMatch(/^HTTP\/1\.1 503 [\s\S]*\r\nretry-after: 1\r\n/);
    expect(answer).toContain('no memory left for request bodies');
  });

  test('is counted after unpacking', async () => {
    const api = await start({ bodyMemory: 64 * MIB });
    const part = Buffer.alloc(40 * MIB - 1, 32);
    const first = hold(api, posting(api.key), part);
    await until('the first body', () => first.socket.writableLength === 0);
    const answer = await api.call('/v3/notes', {
      method: 'POST',
      body: gzipSync(Buffer.alloc(40 * MIB, 32)),
      headers: { authorization: `Bearer ${api.key}`, 'content-encoding': 'gzip' },
    });
    expect(answer.status).toBe(429);
  });

  test('is held by the fields of a form, and not by its file', async () => {
    const api = await start({ bodyMemory: 64 * MIB });
    const part = Buffer.alloc(48 * MIB - 1, 32);
    const first = hold(api, posting(api.key), part);
    await until('the first body', () => first.socket.writableLength === 0);
    const send = (form: FormData) =>
      api.call('/v3/notes/file', {
        method: 'POST',
        body: form,
        headers: { authorization: `Bearer ${api.key}` },
      });
    const file = new FormData();
    file.set('file', new Blob([Buffer.alloc(30 * MIB, 1)]), 'a.bin');
    expect((await send(file)).status).toBe(201);
    const fields = new FormData();
    for (let at = 0; at < 30; at++) fields.set(`field${at}`, 'x'.repeat(MIB));
    expect((await send(fields)).status).toBe(429);
  });

  test('is held until the operation has ended', async () => {
    const slow = slowNote();
    const writing = { ...slow.operation, permission: 'write' } as const;
    const api = await start({ operations: [writing, ...notes], bodyMemory: 64 * MIB });
    const pad = 'x'.repeat(20 * MIB);
    const running = api.call('/v3/notes/slow', { method: 'POST', body: JSON.stringify({ pad }) });
    await slow.started;
    const full = () => api.call('/v3/notes', { method: 'POST', body: Buffer.alloc(50 * MIB, 32) });
    expect((await full()).status).toBe(429);
    slow.finish();
    expect((await running).status).toBe(200);
    await until('memory for the largest body', async () => (await full()).status === 400);
  });

  test('is not used up by the size of the parts in which a body comes', async () => {
    const api = await start({ bodyMemory: 64 * MIB });
    const text = `{"text":"${'x'.repeat(20_000)}"}`;
    const chunks = [...text].map((one) => `1\r\n${one}\r\n`).join('');
    const [line = '', key = ''] = posting(api.key);
    const sent = hold(api, [line, key, 'transfer-encoding: chunked'], `${chunks}0\r\n\r\n`);
    const answer = await found('an answer', () => (sent.text().includes('"scope"') ? sent.text() : null));
    expect(answer).toContain('x'.repeat(20_000));
  });
});

describe('before any of a body is read', () => {
  verifies('auth:order:right-before-body', 'a key that may never call the operation gets 403', async () => {
    const api = await start();
    const reader = await agentKey(api, 'read');
    const answer = await answerOf(hold(api, posting(reader), '{"te'));
    expect(answer).toMatch(/^HTTP\/1\.1 403 /);
    expect(answer).toContain('This key may only read.');
    expect(api.logged()).toContain('"status":403');
  });

  verifies('bodies:size:queries', 'a query of more than 1 MiB gets 413', async () => {
    const api = await start();
    const answer = await answerOf(hold(api, posting(api.key, '/v3/notes/fail', MIB + 1), '{"te'));
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
    expect(answer).toContain('larger than 1 MiB');
  });
});

describe('a body that arrives slowly', () => {
  const rate = { bytes: 1_000, windowMs: 300 };

  verifies('bodies:rate:minimum', 'is ended with 408 when it stops', async () => {
    const api = await start({ transferRate: rate });
    const held = hold(api, posting(api.key, '/v3/notes', 100_000), `{"text":"${'x'.repeat(50_000)}`);
    const answer = await answerOf(held);
    expect(answer).toMatch(/^HTTP\/1\.1 408 [\s\S]*\r\nconnection: close\r\n/);
    expect(answer).toContain('The request body arrived too slowly: less than 1,000 bytes in 0.3 seconds.');
    await until('the end of the connection', () => held.socket.destroyed);
    expect(api.logged()).not.toContain('"level":50');
  });

  test('is ended in a form as well', async () => {
    const api = await start({ transferRate: rate });
    const head = [
      ...posting(api.key, '/v3/notes/file', 100_000),
      'content-type: multipart/form-data; boundary=b',
    ];
    const part = '--b\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\nx';
    expect(await answerOf(hold(api, head, part))).toMatch(/^HTTP\/1\.1 408 /);
  });

  test('is read when it comes fast enough, however long it takes', async () => {
    const api = await start({ transferRate: rate });
    const length = 40_000;
    const held = hold(api, posting(api.key, '/v3/notes', length), '{"text":"x"');
    for (let at = 0; at < 10; at++) {
      await timePasses(100, 'the body comes in parts, for longer than a window');
      held.socket.write(' '.repeat(3_000));
    }
    held.socket.write(`${' '.repeat(length - 30_000 - 12)}}`);
    await until('an answer', () => held.text().includes('"scope"'));
    expect(held.text()).toMatch(/^HTTP\/1\.1 201 /);
  });

  test('is not ended while the server works on a body that is complete', async () => {
    const slow = slowNote();
    const api = await start({ operations: [slow.operation], transferRate: rate });
    const running = api.call('/v3/notes/slow', { method: 'POST', body: '{}' });
    await slow.started;
    await timePasses(3 * rate.windowMs, 'more than a window passes while the operation runs');
    slow.finish();
    expect((await running).status).toBe(200);
  });
});

test('the rest of a refused body is thrown away, and the client gets its answer', async () => {
  const api = await start();
  const reader = await agentKey(api, 'read');
  const answer = await fetch(`${api.url}/v3/notes`, {
    method: 'POST',
    body: Buffer.alloc(30 * MIB, 32),
    headers: { authorization: `Bearer ${reader}` },
  });
  expect([answer.status, (await errorOf(answer)).error]).toEqual([
    403,
    'This key may only read. Use a key with write permission.',
  ]);
});
