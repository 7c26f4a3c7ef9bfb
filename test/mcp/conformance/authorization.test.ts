// Runs the authorization scenarios of the official conformance suite.
import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../../../scripts/source/parse.ts';
import { answering, choice, jsonOf, register } from '../../support/oauth.ts';
import { useServer } from '../../support/use-server.ts';

const SUITE = join(root, 'node_modules/@modelcontextprotocol/conformance/dist/index.js');
const LONGEST_MS = 60_000;

const memoir = useServer();

const freePort = async (): Promise<number> => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
};

/** The suite prints an address and waits until a person grants access there. */
const allow = async (address: string): Promise<void> => {
  const { pathname, search } = new URL(address);
  const heard = await (await answering(memoir, pathname + search)).allow(memoir.key, choice('read', ['ada']));
  await fetch(heard);
};

const run = (clientId: string, port: number): Promise<{ code: number | null; output: string }> =>
  new Promise((resolve, reject) => {
    const parts = [
      '--url',
      memoir.url,
      '--client-id',
      clientId,
      '-p',
      `${port}`,
      '--resource',
      `${memoir.url}/mcp`,
    ];
    const suite = spawn(process.execPath, [SUITE, 'authorization', ...parts], { timeout: LONGEST_MS });
    let output = '';
    let asked = false;
    const hear = (piece: Buffer) => {
      output += piece;
      const address = /^http\S+\/oauth\/authorize\?\S+$/m.exec(output)?.[0];
      if (asked || address === undefined || !output.includes('Callback server started')) return;
      asked = true;
      allow(address).catch(reject);
    };
    suite.stdout.on('data', hear);
    suite.stderr.on('data', hear);
    suite.once('error', reject).once('close', (code) => resolve({ code, output }));
  });

test('the authorization scenarios of the official suite pass', async () => {
  const port = await freePort();
  const redirect = `http://127.0.0.1:${port}/callback`;
  const { client_id: id = '' } = await jsonOf(await register(memoir, { redirect_uris: [redirect] }));
  const { code, output } = await run(id, port);
  expect(code, output).toBe(0);
  expect(output).toMatch(/Total: 3 passed, 0 failed/);
}, 90_000);
