// Tests of listening for connections and of stopping.
import { Agent, createServer, type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { describe, expect, test } from 'vitest';
import { MemoirError } from '../../server/core/errors.ts';
import { startHttpServer } from '../../server/http/listen.ts';
import { startApi } from '../support/api.ts';
import { slowNote } from '../support/notes.ts';

const here = { host: '127.0.0.1', port: 0 };

describe('a server', () => {
  test('reports the address at which it listens', async () => {
    const server = await startHttpServer((_req, res) => res.end('hi'), here);
    expect(server.url).toBe(`http://127.0.0.1:${server.port}`);
    expect(await (await fetch(server.url)).text()).toBe('hi');
    await server.close(100);
  });

  test('that listens everywhere reports an address that can be opened', async () => {
    const server = await startHttpServer((_req, res) => res.end('hi'), { host: '0.0.0.0', port: 0 });
    expect(server.url).toBe(`http://127.0.0.1:${server.port}`);
    await server.close(100);
  });

  test('explains in a sentence why it cannot listen', async () => {
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
    const { port } = taken.address() as { port: number };
    await expect(startHttpServer(() => undefined, { host: '127.0.0.1', port })).rejects.toThrow(
      `Port ${port} is already in use. Stop the program that uses it, or set PORT to another.`,
    );
    await expect(startHttpServer(() => undefined, { host: '192.0.2.1', port: 0 })).rejects.toThrow(
      'Set HOST',
    );
    taken.close();
  });

  test('answers invalid HTTP and too large headers as every other error', async () => {
    const server = await startHttpServer((_req, res) => res.end(), here);
    const speak = (text: string) =>
      new Promise<string>((resolve, reject) => {
        let heard = '';
        const socket = connect(server.port, '127.0.0.1', () => socket.write(text));
        socket
          .on('data', (part) => (heard += part))
          .on('close', () => resolve(heard))
          .on('error', reject);
      });
    expect(await speak('nonsense\r\n\r\n')).toMatch(
      /^HTTP\/1\.1 400 [\s\S]*\r\n\r\n\{"error":"This is not a valid HTTP request\. This server speaks plain HTTP: .+"\}$/,
    );
    expect(await speak(`GET / HTTP/1.1\r\nhost: x\r\nx: ${'y'.repeat(20_000)}\r\n\r\n`)).toMatch(
      /^HTTP\/1\.1 431 /,
    );
    await server.close(100);
  });
});

describe('a server that is stopped', () => {
  test('finishes running requests, and accepts no new ones', async () => {
    const slow = slowNote();
    const api = await startApi({ operations: [slow.operation] });
    const inFlight = api.call('/v3/notes/slow', { method: 'POST' });
    await slow.started;
    const closed = api.close(5_000);
    await expect(fetch(`${api.url}/health`)).rejects.toThrow();
    slow.finish();
    const answer = await inFlight;
    expect(answer.status).toBe(200);
    expect(await answer.json()).toEqual({ done: true });
    await closed;
  });

  test('does not wait for idle connections that are kept alive', async () => {
    const server = await startHttpServer((_req, res) => res.end('hi'), here);
    const agent = new Agent({ keepAlive: true });
    const answer = await new Promise<IncomingMessage>((resolve) =>
      request(server.url, { agent }, resolve).end(),
    );
    await new Promise((resolve) => answer.resume().on('end', resolve));
    // So long that it would outlast the test.
    await server.close(120_000);
    agent.destroy();
  });

  test('answers a request that it does not finish, and ends its work', async () => {
    const slow = slowNote();
    const api = await startApi({ operations: [slow.operation] });
    const inFlight = api.call('/v3/notes/slow', { method: 'POST' });
    await slow.started;
    const refusal = (text: string) => new MemoirError(503, text, { headers: { 'retry-after': '1' } });
    api.refuseOpen({ arriving: refusal('Not here yet.'), working: refusal('Not finished.') });
    const answer = await inFlight;
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1']);
    expect(await answer.json()).toEqual({ error: 'Not finished.' });
    await api.close(5_000);
    expect(await slow.ended).toEqual({ aborted: true });
    expect(api.logged()).not.toContain('internal error');
  });

  test('cuts off requests that take longer than its grace period', async () => {
    const slow = slowNote();
    const api = await startApi({ operations: [slow.operation] });
    const inFlight = api.call('/v3/notes/slow', { method: 'POST' });
    await slow.started;
    const [answer] = await Promise.allSettled([inFlight, api.close(100)]);
    expect(answer.status).toBe('rejected');
    expect(await slow.ended).toEqual({ aborted: true });
  });
});
