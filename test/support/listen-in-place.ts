// The address of a server behind another one that listens on this machine.
import type { Server } from 'node:net';

/** Listens on a free port. Returns the address of the target with the port in place of its own. */
export const listenInPlaceOf = async (server: Server, target: string): Promise<string> => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const url = new URL(target);
  url.hostname = '127.0.0.1';
  url.port = String(typeof address === 'object' ? address?.port : '');
  return url.href;
};
