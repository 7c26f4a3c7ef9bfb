// A bucket for the tests of connections. It checks every signature and lists a few objects a page.
import type { SourceFake } from '../adapters/connect/source-fake.ts';
import { answerOfBucket, bucketRefusal, type StoredObject } from '../support/buckets/bucket-answers.ts';
import { signatureFault } from '../support/buckets/signature.ts';
import { type FakeServer, startFakeServer } from './support/fake-server.ts';

export interface FakeBucket extends SourceFake {
  readonly endpoint: string;
  readonly server: FakeServer;
  readonly objects: Map<string, StoredObject>;
}

const BUCKET = 'originals';
const KEY_ID = 'AKIDEXAMPLE';
const SECRET = 'bucket/secret+of=tests';
const MOST_BYTES = 50 * 1024 * 1024;

export const startFakeBucket = async (
  options: Record<string, string> = {},
  { pageSize = 3 }: { pageSize?: number } = {},
): Promise<FakeBucket> => {
  const objects = new Map<string, StoredObject>();
  let secret = SECRET;
  const server = await startFakeServer(({ method, url, headers, body }) => {
    const bytes = Buffer.from(body);
    const signed = { method, url: url.pathname + url.search, headers };
    const wrong = signatureFault(signed, bytes, { keyId: KEY_ID, secret });
    const [, bucket, ...parts] = url.pathname.split('/').map(decodeURIComponent);
    if (wrong !== null) return bucketRefusal(403, wrong);
    if (bucket !== BUCKET) return bucketRefusal(404, 'NoSuchBucket');
    const request = { method, name: parts.join('/'), query: url.searchParams, body: bytes };
    return answerOfBucket(objects, request, pageSize);
  });
  const set = (name: string, content: Buffer): void =>
    void objects.set(name, { content, changedAt: Date.now() });
  return {
    ...{ server, objects, endpoint: server.origin },
    privateHosts: [new URL(server.origin).host],
    grant: {
      metadata: { bucket: BUCKET, region: 'eu-central-1', endpoint: server.origin, ...options },
      secrets: { accessKeyId: KEY_ID, secretAccessKey: SECRET },
    },
    isListing: ({ url }) => url.searchParams.has('list-type'),
    isReading: ({ url }) => !url.searchParams.has('list-type'),
    async put(name, text) {
      set(name, Buffer.from(text));
      return `s3://${BUCKET}/${name}`;
    },
    async remove(name) {
      objects.delete(name);
    },
    makeTooLarge: (name) => set(name, Buffer.alloc(MOST_BYTES + 1)),
    revoke() {
      secret = 'another secret';
    },
    close: server.close,
  };
};
