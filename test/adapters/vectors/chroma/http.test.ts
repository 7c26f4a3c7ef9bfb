// Tests of the HTTP calls to Chroma.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { chromaAddress, createChromaHttp } from '../../../../server/adapters/vectors/chroma/http.ts';

let server: Server | null = null;
afterEach(() => server?.close());

const listen = (answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<string> =>
  new Promise((listening) => {
    const listener = createServer(answer);
    server = listener.listen(0, '127.0.0.1', () => {
      const { port } = listener.address() as AddressInfo;
      listening(`http://127.0.0.1:${port}`);
    });
  });

const limitMs = 2_000;

describe('a call to Chroma', () => {
  it('goes to the path of the address, with the token', async () => {
    const url = await listen((request, response) => {
      response.end(
        JSON.stringify([request.url, request.headers['x-chroma-token'], request.headers.authorization]),
      );
    });
    const http = createChromaHttp({
      url: () => `${url.replace('//', '//me:pass@')}/some/path/`,
      token: 'secret',
    });
    const basic = `Basic ${Buffer.from('me:pass').toString('base64')}`;
    expect(await http('GET', '/version', { limitMs })).toEqual([
      '/some/path/api/v2/version',
      'secret',
      basic,
    ]);
  });

  it('reports that Chroma does not answer when nothing listens', async () => {
    const url = await listen(() => {});
    await new Promise((closed) => server?.close(closed));
    const call = createChromaHttp({ url: () => url })('GET', '/heartbeat', { limitMs });
    await expect(call).rejects.toThrow(
      /^Chroma does not answer at http:\/\/127\.0\.0\.1:\d+: .*ECONNREFUSED/,
    );
  });

  it('reports it too when there is no server at the moment', async () => {
    const call = createChromaHttp({ url: () => null })('GET', '/heartbeat', { limitMs });
    await expect(call).rejects.toThrow('Chroma does not answer: it is not running at the moment.');
  });

  it('gives up after its time limit', async () => {
    const url = await listen(() => {});
    const call = createChromaHttp({ url: () => url })('GET', '/heartbeat', { limitMs: 30 });
    await expect(call).rejects.toThrow(/does not answer at .* nothing came within 30 ms/);
    server?.closeAllConnections();
  });

  it("ends with the caller's own reason when the caller aborts", async () => {
    const arrived = Promise.withResolvers<void>();
    const url = await listen(() => arrived.resolve());
    const given = new AbortController();
    const call = createChromaHttp({ url: () => url })('GET', '/x', { limitMs, signal: given.signal });
    const refused = expect(call).rejects.toThrow('the caller left');
    await arrived.promise;
    given.abort(new Error('the caller left'));
    await refused;
    server?.closeAllConnections();
  });

  it('names the token setting when it is refused, and never shows the token or a password', async () => {
    const url = await listen((_, response) => void response.writeHead(401).end());
    const http = createChromaHttp({ url: () => url.replace('//', '//me:pass@'), token: 'secret' });
    const error = await http('GET', '/x', { limitMs }).catch((reason: unknown) => String(reason));
    expect(error).toContain('Check CHROMA_TOKEN');
    expect(error).not.toMatch(/secret|pass/);
  });

  it("passes on Chroma's error message", async () => {
    const url = await listen(
      (_, response) => void response.writeHead(400).end('{"message":"wrong dimension"}'),
    );
    await expect(createChromaHttp({ url: () => url })('GET', '/x', { limitMs })).rejects.toThrow(
      'Chroma answered with an error (400): wrong dimension',
    );
  });

  it('drops the token at a redirect', async () => {
    let asked = 0;
    const url = await listen((_, response) => {
      asked += 1;
      response.writeHead(302, { location: '/elsewhere' }).end();
    });
    await expect(
      createChromaHttp({ url: () => url, token: 's' })('GET', '/x', { limitMs }),
    ).rejects.toThrow();
    expect(asked).toBe(1);
  });
});

describe('an address', () => {
  it('may end in a slash or in the path of the interface', () => {
    for (const end of ['', '/', '/api/v2', '/api/v2/']) {
      expect(chromaAddress(`https://chroma.example${end}`).base).toBe('https://chroma.example');
    }
  });

  it('is refused with an example when it is invalid', () => {
    for (const wrong of ['chroma:8000', 'localhost', '']) {
      expect(() => chromaAddress(wrong)).toThrow(/CHROMA_URL is not an address.*http:\/\/host:8000/);
    }
  });
});
