// A proxy that sends every request to the next of several servers.
import { createServer, request } from 'node:http';
import { freePort } from './postgres.ts';

export interface RoundRobin {
  readonly url: string;
  /** The servers, which need the address of the proxy before they start. */
  serve(urls: readonly string[]): void;
  close(): Promise<void>;
}

export const startRoundRobin = async (): Promise<RoundRobin> => {
  const port = await freePort();
  let targets: readonly string[] = [];
  let asked = 0;
  const server = createServer((incoming, answer) => {
    const target = targets[asked++ % targets.length] ?? '';
    const { method, headers, url = '/' } = incoming;
    const outgoing = request(`${target}${url}`, { method: method ?? 'GET', headers }, (from) => {
      answer.writeHead(from.statusCode ?? 502, from.headers);
      from.pipe(answer);
    });
    outgoing.on('error', () => answer.destroy());
    incoming.pipe(outgoing);
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${port}`,
    serve(urls) {
      targets = urls;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};
