// An S3-compatible service on loopback with one bucket. It recomputes each signature and refuses a wrong one, lists in small
// pages, and fails as often as a test asks for.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { answerOfBucket, type BucketAnswer, bucketRefusal, type StoredObject } from './bucket-answers.ts';
import { signatureFault } from './signature.ts';

/** A failure of the next requests: a status, a connection that ends at once, or one that ends in the middle of the answer. */
type Fault = number | 'reset' | 'truncate';

export interface BucketServer {
  readonly endpoint: string;
  readonly bucket: string;
  readonly keyId: string;
  readonly secret: string;
  readonly objects: Map<string, StoredObject>;
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

const sendAnswer = (response: ServerResponse, { status, headers, body }: BucketAnswer): void => {
  response.writeHead(status, headers).end(body);
};

const breakOff = (
  fault: Fault,
  objects: Map<string, StoredObject>,
  name: string,
  response: ServerResponse,
): void => {
  if (typeof fault === 'number') {
    sendAnswer(response, bucketRefusal(fault, fault === 503 ? 'SlowDown' : 'InternalError'));
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

/** `tls`: its certificate and key; missing: it speaks plain HTTP. */
export const startBucketServer = async (tls?: { cert: string; key: string }): Promise<BucketServer> => {
  const objects = new Map<string, StoredObject>();
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
    if (wrong !== null) sendAnswer(response, bucketRefusal(403, wrong));
    else if (bucket !== BUCKET) sendAnswer(response, bucketRefusal(404, 'NoSuchBucket'));
    else if (fault !== undefined) breakOff(fault, objects, name, response);
    else sendAnswer(response, answerOfBucket(objects, { method, name, body, query: url.searchParams }));
  };
  const listener = (request: IncomingMessage, response: ServerResponse): void => {
    serve(request, response).catch((error: Error) => response.destroy(error));
  };
  const server = tls === undefined ? createServer(listener) : createTlsServer(tls, listener);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  return {
    ...{
      endpoint: `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${port}`,
      bucket: BUCKET,
      ...KEY,
      objects,
      asked,
    },
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
