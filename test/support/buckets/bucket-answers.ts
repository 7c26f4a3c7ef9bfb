// What an S3-compatible service with one bucket answers to a request whose signature is right.
import { createHash } from 'node:crypto';

export interface StoredObject {
  readonly content: Buffer;
  changedAt: number;
  readonly storageClass?: string;
}

export interface BucketRequest {
  readonly method: string;
  /** Empty for the bucket itself. */
  readonly name: string;
  readonly query: URLSearchParams;
  readonly body: Buffer;
}

export interface BucketAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
}

const PAGE = 3;

export const bucketRefusal = (status: number, code: string): BucketAnswer => ({
  status,
  headers: { 'content-type': 'application/xml' },
  body: `<?xml version="1.0"?><Error><Code>${code}</Code><Message>refused</Message></Error>`,
});

const etagOf = (content: Buffer): string => createHash('md5').update(content).digest('hex');

const listedRow = (name: string, { content, changedAt, storageClass = 'STANDARD' }: StoredObject): string =>
  [
    `<Contents><Key>${encodeURIComponent(name)}</Key>`,
    `<LastModified>${new Date(changedAt).toISOString()}</LastModified>`,
    `<ETag>&quot;${etagOf(content)}&quot;</ETag><Size>${content.length}</Size>`,
    `<StorageClass>${storageClass}</StorageClass></Contents>`,
  ].join('');

const listing = (
  objects: ReadonlyMap<string, StoredObject>,
  query: URLSearchParams,
  most: number,
): string => {
  const after = query.get('start-after') ?? '';
  const found = [...objects]
    .filter(([name]) => name.startsWith(query.get('prefix') ?? '') && name > after)
    .sort(([one], [other]) => (one < other ? -1 : 1));
  const from = Number(query.get('continuation-token') ?? 0);
  const page = found.slice(from, from + most);
  const next =
    from + most < found.length ? `<NextContinuationToken>${from + most}</NextContinuationToken>` : '';
  const rows = page.map(([name, object]) => listedRow(name, object));
  return `<?xml version="1.0"?><ListBucketResult><Prefix></Prefix>${rows.join('')}${next}</ListBucketResult>`;
};

/** Changes the objects as the request says. */
export const answerOfBucket = (
  objects: Map<string, StoredObject>,
  { method, name, query, body }: BucketRequest,
  pageSize = PAGE,
): BucketAnswer => {
  const stored = objects.get(name);
  if (method === 'GET' && name === '')
    return { status: 200, headers: {}, body: listing(objects, query, pageSize) };
  if (method === 'PUT') objects.set(name, { content: body, changedAt: Date.now() });
  if (method === 'DELETE') objects.delete(name);
  if (method === 'PUT' || method === 'DELETE')
    return { status: method === 'PUT' ? 200 : 204, headers: {}, body: '' };
  if (stored === undefined) return bucketRefusal(404, 'NoSuchKey');
  return {
    status: 200,
    headers: { 'content-length': String(stored.content.length), 'content-type': 'binary/octet-stream' },
    body: stored.content,
  };
};
