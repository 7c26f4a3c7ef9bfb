// Tests of commands against a server that hangs.
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { untilSilent } from '../../server/cli/connection/silence.ts';
import { CommandFailure } from '../../server/cli/failure.ts';

const serverWith = async (listener: RequestListener): Promise<string> => {
  const server = createServer(listener);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

test('a call to a server that answers nothing ends with a sentence', async () => {
  const url = await serverWith(() => {});
  const call = untilSilent(url, (signal) => fetch(`${url}/v3/session`, { signal }), {
    everyMs: 20,
    answerMs: 50,
  });
  await expect(call).rejects.toThrow(CommandFailure);
  await expect(call).rejects.toThrow(`The Memoir server at ${url} takes the connection and does not answer`);
});

test('a call goes on while the server is slow and answers for its health, also with a refusal', async () => {
  let asked = 0;
  const url = await serverWith(({ url: path }, response) => {
    if (path !== '/health') return;
    asked += 1;
    response.writeHead(503).end();
  });
  const slow = Promise.withResolvers<string>();
  const call = untilSilent(url, () => slow.promise, { everyMs: 5, answerMs: 60_000 });
  await expect.poll(() => asked).toBeGreaterThan(2);
  slow.resolve('done');
  expect(await call).toBe('done');
});
