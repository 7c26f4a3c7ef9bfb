// A small web for tests: servers on addresses of this machine, of which one stands for the public web.
import type { LookupAddress } from 'node:dns';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo, LookupFunction } from 'node:net';
import type { Seams } from '../../../server/adapters/fetch/safe/safe-fetch.ts';

/** Stands for the public web; every other address of this machine is as private as it is. */
export const PUBLIC_ADDRESS = '127.0.0.2';

export interface TestServer extends AsyncDisposable {
  port: number;
  /** The number of requests. */
  hits(): number;
}

const listening = (server: Server, address: string, port: number): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject).listen(port, address, () => resolve());
  });

export const serve = async (address: string, answer: RequestListener, port = 0): Promise<TestServer> => {
  let hits = 0;
  const server = createServer((req, res) => {
    hits += 1;
    answer(req, res);
  });
  await listening(server, address, port);
  return {
    port: (server.address() as AddressInfo).port,
    hits: () => hits,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};

const familyOf = (address: string): number => (address.includes(':') ? 6 : 4);

/** Names lead where the table says; one that it does not hold is not known. */
export const lookupIn = (names: Readonly<Record<string, readonly string[]>>): LookupFunction => {
  return (host, options, answer) => {
    const found = names[host.replace(/\.$/, '').toLowerCase()];
    if (found === undefined) {
      answer(Object.assign(new Error(`getaddrinfo ENOTFOUND ${host}`), { code: 'ENOTFOUND' }), []);
      return;
    }
    const all: LookupAddress[] = found.map((address) => ({ address, family: familyOf(address) }));
    const [first] = all;
    if (options.all === true || first === undefined) answer(null, all);
    else answer(null, first.address, first.family);
  };
};

/** Only the public address, and only on these ports. */
export const seamsFor = (
  ports: readonly number[],
  names: Readonly<Record<string, readonly string[]>> = {},
): Seams => ({
  lookup: lookupIn({ 'public.example': [PUBLIC_ADDRESS], ...names }),
  trusted: {
    address: (address) => address === PUBLIC_ADDRESS,
    port: (port) => ports.map(String).includes(port),
  },
});
