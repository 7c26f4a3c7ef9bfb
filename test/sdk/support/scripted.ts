// A server on this machine that gives scripted answers and records its requests.
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Memoir } from '../../../sdk/src/index.generated.ts';
import type { ClientOptions } from '../../../sdk/src/options.ts';
import { timePasses } from '../../support/until.ts';

export interface Asked {
  method: string;
  url: string;
  headers: IncomingHttpHeaders;
  body: string;
}

export interface Scripted {
  status?: number;
  headers?: Record<string, string>;
  body?: unknown;
  /** The connection is cut instead. */
  cut?: true;
  /** The head comes, and a body that never ends. */
  endless?: true;
  afterMs?: number;
}

export interface Script extends AsyncDisposable {
  readonly url: string;
  readonly asked: Asked[];
  client(options?: ClientOptions): Memoir;
}

/** The last answer is given again and again. */
export const startScript = async (...answers: Scripted[]): Promise<Script> => {
  const asked: Asked[] = [];
  const server = createServer(async (req, res) => {
    const chunks: Buffer[] = [];
    for await (const chunk of req) chunks.push(chunk as Buffer);
    const { method = '', url = '', headers } = req;
    const answer = answers[Math.min(asked.length, answers.length - 1)] ?? {};
    asked.push({ method, url, headers, body: Buffer.concat(chunks).toString() });
    if (answer.cut) return void req.socket.destroy();
    if (answer.afterMs !== undefined) await timePasses(answer.afterMs, 'the service is slow');
    if (answer.endless) {
      res.writeHead(answer.status ?? 200, { 'content-type': 'application/json' });
      return void res.write('{"id":');
    }
    const text = typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body ?? {});
    res.writeHead(answer.status ?? 200, { 'content-type': 'application/json', ...answer.headers });
    res.end(answer.status === 204 ? undefined : text);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    asked,
    client: (options = {}) => new Memoir({ baseURL: url, apiKey: 'sm_test', ...options }),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
};
