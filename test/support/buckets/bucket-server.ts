// An S3-compatible service on loopback with one bucket. It recomputes each signature and refuses a wrong one, lists in small
// pages, and fails as often as a test asks for.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { signatureFault } from './signature.ts';

interface Stored {
  readonly content: Buffer;
  changedAt: number;
}

/** A failure of the next requests: a status, a connection that ends at once, or one that ends in the middle of the answer. */
type Fault = number | 'reset' | 'truncate';

export interface BucketServer {
  readonly endpoint: string;
  readonly bucket: string;
  readonly keyId: string;
  readonly secret: string;
  readonly objects: Map<string, Stored>;
  /** Each request as "PUT name". */
  readonly asked: string[];
  /** The faults of the next requests of this kind, one each. */
  fail(kind: 'PUT' | 'GET', ...faults: Fault[]): void;
  /** Makes all objects older. */
  age(ms: number): void;
  close(): Promise<void>;
}

const BUCKET = 'originals';
const KEY = { keyId: 'AKIDEXAMPLE', secret: 'bucket/secret+of=tests' };
const PAGE = 3;

const refuse = (response: ServerResponse, status: number, code: string): void => {
  response.writeHead(status, { 'content-type': 'application/xml' });
  response.end(`<?xml version="1.0"?><Error><Code>${code}</Code><Message>refused</Message></Error>`);
};

const listed = (objects: Map<string, Stored>, query: URLSearchParams): string => {
  const names = [...objects.keys()].filter((name) => name.startsWith(query.get('prefix') ?? '')).sort();
  const from = Number(query.get('continuation-token') ?? 0);
  const page = names.slice(from, from + PAGE);
  const next =
    from + PAGE < names.length ? `<NextContinuationToken>${from + PAGE}</NextContinuationToken>` : '';
  const rows = page.map(
    (name) =>
      `<Contents><Key>${encodeURIComponent(name)}</Key><LastModified>${new Date(objects.get(name)?.changedAt ?? 0).toISOString()}</LastModified></Contents>`,
  );
  return `<?xml version="1.0"?><ListBucketResult><Prefix></Prefix>${rows.join('')}${next}</ListBucketResult>`;
};

interface Asked {
  readonly method: string;
  readonly name: string;
  readonly query: URLSearchParams;
  readonly body: Buffer;
}

const answer = (
  objects: Map<string, Stored>,
  { method, name, query, body }: Asked,
  response: ServerResponse,
) => {
  const stored = objects.get(name);
  if (method === 'GET' && name === '') return response.end(listed(objects, query));
  if (method === 'PUT') objects.set(name, { content: body, changedAt: Date.now() });
  if (method === 'DELETE') objects.delete(name);
  if (method === 'PUT') return response.writeHead(200).end();
  if (method === 'DELETE') return response.writeHead(204).end();
  if (stored === undefined) return refuse(response, 404, 'NoSuchKey');
  response.writeHead(200, { 'content-length': stored.content.length });
  return response.end(stored.content);
};

const breakOff = (
  fault: Fault,
  objects: Map<string, Stored>,
  name: string,
  response: ServerResponse,
): void => {
  if (typeof fault === 'number') {
    refuse(response, fault, fault === 503 ? 'SlowDown' : 'InternalError');
    return;
  }
  if (fault === 'reset') {
    response.destroy();
    return;
  }
  const { content } = objects.get(name) ?? { content: Buffer.alloc(100) };
  response.writeHead(200, { 'content-length': content.length });
  response.write(content.subarray(0, content.length / 2), () => response.destroy());
};

export const startBucketServer = async (): Promise<BucketServer> => {
  const objects = new Map<string, Stored>();
  const asked: string[] = [];
  const faults: Record<string, Fault[]> = { PUT: [], GET: [] };
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(request.url ?? '/', 'http://bucket.example');
    const [, bucket, ...parts] = url.pathname.split('/').map(decodeURIComponent);
    const name = parts.join('/');
    const { method = '' } = request;
    asked.push(`${method} ${name}`);
    const body = await buffer(request);
    const wrong = signatureFault(request, body, KEY);
    const fault = faults[method]?.shift();
    if (wrong !== null) refuse(response, 403, wrong);
    else if (bucket !== BUCKET) refuse(response, 404, 'NoSuchBucket');
    else if (fault !== undefined) breakOff(fault, objects, name, response);
    else answer(objects, { ...{ method, name, body }, query: url.searchParams }, response);
  };
  const server = createServer((request, response) => {
    serve(request, response).catch((error: Error) => response.destroy(error));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  return {
    ...{ endpoint: `http://127.0.0.1:${port}`, bucket: BUCKET, ...KEY, objects, asked },
    fail: (kind, ...next) => {
      faults[kind]?.push(...next);
    },
    age(ms) {
      for (const stored of objects.values()) stored.changedAt -= ms;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
};
