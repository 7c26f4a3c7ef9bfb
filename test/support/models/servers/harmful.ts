// Programs that are no servers of models, at the port of one.
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface OtherProgram {
  readonly address: string;
  readonly asked: string[];
  close(): Promise<void>;
}

export const startProgram = async (listener: RequestListener): Promise<OtherProgram> => {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    listener(request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
};

const MODELS = JSON.stringify({ models: [{ name: 'x' }], data: [{ id: 'x', owned_by: 'vllm' }] });

/** Each by what it does. */
export const otherPrograms: readonly (readonly [does: string, listener: RequestListener])[] = [
  ['shows a web page', (_, response) => void response.end('<html><body>Welcome</body></html>')],
  ['never answers', () => {}],
  ['begins an answer and never ends it', (_, response) => void response.write('{"models": [')],
  [
    'answers without end',
    (_, response) => {
      const more = () => {
        while (!response.destroyed && response.write('x'.repeat(100_000)));
        response.once('drain', more);
      };
      more();
    },
  ],
  ['refuses', (_, response) => void response.writeHead(401).end(MODELS)],
  ['fails', (_, response) => void response.writeHead(500).end(MODELS)],
  ['hangs up', (request) => void request.socket.destroy()],
  ['answers no list', (_, response) => void response.end('{"models": {}, "data": "all"}')],
  ['answers null', (_, response) => void response.end('null')],
  [
    'lists models of another owner',
    (request, response) =>
      void (request.url === '/v1/models'
        ? response.end('{"object":"list","data":[{"id":"gpt","owned_by":"openai"}]}')
        : response.writeHead(404).end()),
  ],
];
