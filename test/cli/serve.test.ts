import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { timePasses, until } from '../support/until.ts';
import { answerOf, newPlace, type Place, run, runLine, type Server, serve } from './memoir-process.ts';

// Each test starts several processes, and machines that build have other work as well.
vi.setConfig({ testTimeout: 60_000 });

let place: Place;
let servers: Server[];

beforeEach(() => {
  place = newPlace();
  servers = [];
});

afterEach(async () => {
  await Promise.all(servers.map((server) => server.stop('SIGKILL')));
  place.remove();
});

async function start(env: Record<string, string> = {}, args: string[] = []): Promise<Server> {
  const server = await serve({ ...place, env }, args);
  servers.push(server);
  return server;
}

const runFile = () => join(place.cwd, '.memoir', 'run.json');

test('the first start prints all one needs, once; what it says to try works; later starts print the address', async () => {
  const first = await start();
  const key = /\bsm_\w{22}_\w{32}\b/.exec(first.stdout())?.[0] ?? '';
  expect(first.stdout()).toMatch(/organisation {2}\w{22}\n/);
  expect(first.stdout().match(/curl /g)).toHaveLength(2);
  expect(first.stdout()).toContain(' search "What does Ada like to drink?"\n');
  expect(first.stdout()).not.toContain('\u001b');
  // Nothing but trouble comes before it, wherever the two streams go.
  expect(first.stderr()).not.toContain('"level":30');

  const session = await fetch(`${first.url}/v3/session`, { headers: { authorization: `Bearer ${key}` } });
  expect(session.status).toBe(200);

  const [add = '', ...searches] = first.stdout().split('Try it:\n')[1]?.trim().split('\n') ?? [];
  expect((await runLine(add, place)).stdout).toContain('"status":"queued"');
  expect(searches).toHaveLength(2);
  for (const search of searches) {
    await vi.waitFor(async () => expect((await runLine(search, place)).stdout).toContain('Ada prefers tea'), {
      timeout: 10_000,
    });
  }
  expect(await first.stop()).toBe(0);

  const second = await start();
  expect(second.stdout()).toMatch(/^Memoir \S+ is ready at http:\/\/127\.0\.0\.1:\d+\n$/);
  expect(await second.stop()).toBe(0);
  expect(existsSync(runFile())).toBe(false);
});

test('a key that its owner gave works and is printed nowhere; with --json the start is one value', async () => {
  const key = 'sm_my-own-gn7C8eKP7Ur1pSjgUkFdcaSxFB5z';
  const server = await start({ MEMOIR_API_KEY: key }, ['--port', '0', '--host', '127.0.0.1']);
  expect(server.stdout()).not.toContain(key);
  expect(server.stdout()).toContain('$MEMOIR_API_KEY');
  const session = await fetch(`${server.url}/v3/session`, { headers: { 'x-api-key': key } });
  expect(session.status).toBe(200);
  await server.stop();

  const json = await start({}, ['--json']);
  expect(JSON.parse(json.stdout())).toMatchObject({ url: json.url, firstKey: null, pid: json.child.pid });
});

test('a second server on the same folder is refused with 1 and a sentence that names the first', async () => {
  const server = await start();
  const refused = await run(['serve'], { ...place, env: { PORT: '0' } });
  expect(refused).toMatchObject({ code: 1, stdout: '' });
  expect(refused.stderr).toContain(
    `in use by the Memoir server at ${server.url} (process ${server.child.pid})`,
  );
  expect((await fetch(`${server.url}/health`)).status).toBe(200);
});

test('a port that is taken is named, and the folder is free afterwards', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => other.once('listening', resolve));
  const { port } = other.address() as AddressInfo;
  const refused = await run(['serve', '--port', String(port)], place);
  other.close();
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain(`Port ${port} is already in use.`);
  expect(refused.stderr).toContain('PORT');
  // Refused before anything was made: the key of the first start comes with the first that succeeds.
  expect(refused.stderr).not.toMatch(/\bsm_/);
  const started = await start();
  expect((await fetch(`${started.url}/health`)).status).toBe(200);
});

test('the run.json of a killed server misleads nobody', async () => {
  const killed = await start();
  await killed.stop('SIGKILL');
  expect(JSON.parse(readFileSync(runFile(), 'utf8')).url).toBe(killed.url);
  const status = await answerOf<{ url: string | null }>(['status'], place);
  expect(status.url).toBe(null);
});

/** A request whose body is still on its way. */
async function halfSent(url: string, token: string, body: string) {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  let answer = '';
  const begun = Promise.withResolvers<void>();
  socket.on('data', (part) => {
    answer += part.toString();
    if (answer.startsWith('HTTP/1.1 100 ')) begun.resolve();
  });
  const head = [
    'POST /v3/documents HTTP/1.1',
    `host: ${hostname}`,
    `authorization: Bearer ${token}`,
    `content-length: ${body.length}`,
    // Answered when the server has begun with the request.
    'expect: 100-continue',
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\n${body.slice(0, 5)}`);
  await begun.promise;
  return {
    finish: () => socket.write(body.slice(5)),
    answered: new Promise<string>((resolve) => socket.once('close', () => resolve(answer))),
  };
}

test('SIGTERM lets the request finish that is under way, and ends with 0', async () => {
  const server = await start();
  const { token } = JSON.parse(readFileSync(runFile(), 'utf8')) as { token: string };
  const request = await halfSent(server.url, token, JSON.stringify({ content: 'Ada prefers tea.' }));
  const stopped = server.stop('SIGTERM');
  await until('it to begin to stop', () => server.stderr().includes('Stopping'));
  expect(server.child.exitCode).toBe(null);
  request.finish();
  expect(await request.answered).toMatch(/^HTTP\/1\.1 200 /m);
  expect(await stopped).toBe(0);
  expect(server.stderr()).toContain('Stopping');
});

test('a second signal ends it at once; the same one twice in a moment is one', async () => {
  const server = await start();
  const { token } = JSON.parse(readFileSync(runFile(), 'utf8')) as { token: string };
  await halfSent(server.url, token, '{"content":"never finished"}');
  server.child.kill('SIGINT');
  server.child.kill('SIGINT');
  await timePasses(700, 'two signals of one moment are one, and the moment has to be over');
  expect(server.child.exitCode).toBe(null);
  expect(await server.stop('SIGINT')).toBe(1);
});

test('an error that nobody expected ends it with 1 and its cause', async () => {
  const preload = `process.on('SIGUSR2', () => { throw new Error('a wire came loose'); });`;
  const server = await start({
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(preload)}`,
  });
  expect(await server.stop('SIGUSR2')).toBe(1);
  expect(server.stderr()).toContain('a wire came loose');
});
