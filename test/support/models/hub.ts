// A hub on loopback, as `memoir models add` downloads from it. It can break off, answer an error, and change its files.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';

export interface HubFile {
  readonly content: Buffer;
  /** Null: the hub marks no version. */
  readonly etag: string | null;
}

export interface Hub {
  readonly url: string;
  /** The requests, with the range that each asked for. */
  readonly requests: { path: string; range: string | undefined }[];
  /** The encodings that were asked for. */
  readonly encodings: string[];
  put(path: string, file: HubFile): void;
  /** The next answers end after so many bytes each. */
  breakOff(...afterBytes: readonly number[]): void;
  /** The next answers have these statuses. */
  answer(...statuses: readonly number[]): void;
  close(): Promise<void>;
}

const firstByte = (range: string | undefined): number => Number(/^bytes=(\d+)-$/.exec(range ?? '')?.[1] ?? 0);

export const startHub = async (): Promise<Hub> => {
  const files = new Map<string, HubFile>();
  const requests: Hub['requests'] = [];
  const encodings: string[] = [];
  let breaks: number[] = [];
  let statuses: number[] = [];
  const server = createServer((req, res) => {
    const { range, 'if-range': ifRange } = req.headers;
    requests.push({ path: req.url ?? '', range });
    encodings.push(String(req.headers['accept-encoding']));
    const status = statuses.shift();
    const file = files.get(req.url ?? '');
    if (status !== undefined || !file) return void res.writeHead(status ?? 404).end();
    const isSame = file.etag !== null && ifRange === file.etag;
    if (/gzip/.test(String(req.headers['accept-encoding'])))
      return void res.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(file.content));
    const from = isSame ? firstByte(range) : 0;
    if (from >= file.content.length) return void res.writeHead(416).end();
    const rest = file.content.subarray(from);
    res.writeHead(from > 0 ? 206 : 200, {
      'content-length': rest.length,
      ...(file.etag === null ? {} : { etag: file.etag }),
    });
    const after = breaks.shift();
    if (after === undefined) res.end(rest);
    else res.write(rest.subarray(0, after), () => void res.socket?.end());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    encodings,
    put: (path, file) => void files.set(path, file),
    breakOff: (...afterBytes) => {
      breaks = [...afterBytes];
    },
    answer: (...next) => {
      statuses = [...next];
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};
