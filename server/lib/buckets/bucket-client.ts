// A client of one bucket of an S3-compatible service. It signs every request, and tries it again where that may help.
import { openAsBlob } from 'node:fs';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { AwsV4Signer } from 'aws4fetch';
import { messageOf } from '../failures.ts';
import { isCertificateFault } from '../faults/certificate-fault.ts';
import { type ListedObject, listedPage, refusalCode } from './answers.ts';
import { BucketError, faultOfStatus, mayPass } from './bucket-error.ts';

export interface BucketPlace {
  /** The address of the service without a slash at its end; null: Amazon's own, by the region. */
  readonly endpoint: string | null;
  readonly bucket: string;
  readonly region: string;
  readonly keyId: string;
  readonly secret: string;
}

/** A file to store. `sha256` is in hexadecimal; the service compares it with what arrives. */
export interface StoredFile {
  readonly path: string;
  readonly bytes: number;
  readonly sha256: string;
}

export interface BucketClient {
  /** The address of the bucket, for messages. */
  readonly address: string;
  put(name: string, file: StoredFile): Promise<void>;
  putEmpty(name: string): Promise<void>;
  /** Null: there is no such object. */
  get(name: string): Promise<{ bytes: number; stream: Readable } | null>;
  /** A missing object counts as removed. */
  remove(name: string): Promise<void>;
  /** All objects whose names begin so; `age` is counted by the clock of the service. */
  list(prefix: string): Promise<(ListedObject & { age: number })[]>;
}

const TRIES = 4;
const FIRST_WAIT_MS = 150;
/** For all tries together: somebody may wait for the request, and a network that is silent tells nobody. */
const ANSWER_MS = 4_000;
/** A list is for work in the background, and a service may have to look for it. */
const LIST_MS = 30_000;
/** The slowest transfer that is waited for. */
const SLOWEST_BYTES_A_MS = 50;
/** A transfer that brings nothing for so long has ended. */
const STALLED_MS = 15_000;
const EMPTY_SHA256 = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

interface Ask {
  readonly method: 'GET' | 'PUT' | 'DELETE';
  readonly url: string;
  readonly body?: StoredFile;
  /** The time limit of the answer, without the time for its body. */
  readonly limitMs?: number;
}

const addressOf = ({ endpoint, bucket, region }: BucketPlace): string =>
  endpoint === null ? `https://${bucket}.s3.${region}.amazonaws.com` : `${endpoint}/${bucket}`;

const objectUrl = (address: string, name: string): string =>
  `${address}/${name.split('/').map(encodeURIComponent).join('/')}`;

const sendOnce = async (
  { keyId, secret, region }: BucketPlace,
  { method, url, body }: Ask,
  leftMs: number,
): Promise<Response> => {
  const signed = await new AwsV4Signer({
    ...{ method, url, region, service: 's3', accessKeyId: keyId, secretAccessKey: secret },
    headers: {
      'x-amz-content-sha256': body?.sha256 ?? EMPTY_SHA256,
      ...(method === 'PUT' ? { 'content-type': 'application/octet-stream' } : {}),
    },
  }).sign();
  const aborting = new AbortController();
  const timeout = setTimeout(() => aborting.abort(new Error('it did not answer in time')), leftMs);
  try {
    // A redirect would carry the signature to another address.
    return await fetch(signed.url, {
      ...{ method, headers: signed.headers, redirect: 'manual', signal: aborting.signal },
      ...(body === undefined ? {} : { body: await openAsBlob(body.path) }),
    });
  } finally {
    clearTimeout(timeout);
  }
};

/** The answer, also of a refusal; rejects only where none came. */
const send = async (place: BucketPlace, ask: Ask): Promise<Response> => {
  const { body, limitMs = ANSWER_MS } = ask;
  const end = performance.now() + limitMs + (body?.bytes ?? 0) / SLOWEST_BYTES_A_MS;
  const left = (): number => end - performance.now();
  for (let attempt = 1; ; attempt++) {
    try {
      const response = await sendOnce(place, ask, left());
      if (!mayPass(response.status) || attempt === TRIES) return response;
      await response.body?.cancel();
    } catch (error) {
      if (attempt === TRIES || left() <= 0)
        throw new BucketError(
          isCertificateFault(error) ? 'untrusted' : 'away',
          messageOf((error as Error).cause ?? error),
          error,
        );
    }
    await sleep(FIRST_WAIT_MS * 2 ** (attempt - 1) * (0.5 + Math.random()));
  }
};

const refusal = ({ status }: Response, code: string): BucketError =>
  new BucketError(faultOfStatus(status, code), `${status} ${code}`.trim());

const succeed = async (place: BucketPlace, ask: Ask): Promise<Response> => {
  const response = await send(place, ask);
  if (!response.ok) throw refusal(response, await refusalCode(await response.text()));
  return response;
};

/** "NoSuchKey" says that the object is missing, "NoSuchBucket" that the settings are wrong. */
const orMissing = async (response: Response): Promise<Response | null> => {
  if (response.ok) return response;
  const code = await refusalCode(await response.text());
  if (response.status === 404 && code !== 'NoSuchBucket') return null;
  throw refusal(response, code);
};

const beforeStalled = async <T>(piece: Promise<T>): Promise<T> => {
  const stalled = Promise.withResolvers<never>();
  const timeout = setTimeout(() => stalled.reject(new Error('it stopped in the middle')), STALLED_MS);
  try {
    return await Promise.race([piece, stalled.promise]);
  } finally {
    clearTimeout(timeout);
  }
};

/** The connection may break in the middle, or go silent. */
async function* piecesOf({ body }: Response): AsyncGenerator<Uint8Array> {
  if (body === null) return;
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await beforeStalled(reader.read());
      if (done) return;
      yield value;
    }
  } catch (error) {
    throw new BucketError('away', messageOf((error as Error).cause ?? error), error);
  } finally {
    // The connection is of no use any more, so its end is not awaited and its failure changes nothing.
    reader.cancel().catch(() => undefined);
  }
}

const listAll = async (place: BucketPlace, address: string, prefix: string) => {
  const found: (ListedObject & { age: number })[] = [];
  let next: string | null = null;
  do {
    const query = new URLSearchParams({ 'list-type': '2', 'encoding-type': 'url', prefix });
    if (next !== null) query.set('continuation-token', next);
    const response: Response = await succeed(place, {
      method: 'GET',
      url: `${address}/?${query}`,
      limitMs: LIST_MS,
    });
    const now = Date.parse(response.headers.get('date') ?? '') || Date.now();
    const page = await listedPage(await response.text());
    found.push(...page.objects.map((one) => ({ ...one, age: now - one.changedAt })));
    next = page.next;
  } while (next !== null);
  return found;
};

export const createBucketClient = (place: BucketPlace): BucketClient => {
  const address = addressOf(place);
  const at = (name: string): string => objectUrl(address, name);
  return {
    address,
    async put(name, file) {
      await (await succeed(place, { method: 'PUT', url: at(name), body: file })).body?.cancel();
    },
    async putEmpty(name) {
      await (await succeed(place, { method: 'PUT', url: at(name) })).body?.cancel();
    },
    async get(name) {
      const response = await orMissing(await send(place, { method: 'GET', url: at(name) }));
      if (response === null) return null;
      const bytes = Number(response.headers.get('content-length'));
      return { bytes, stream: Readable.from(piecesOf(response), { objectMode: false }) };
    },
    async remove(name) {
      await (await orMissing(await send(place, { method: 'DELETE', url: at(name) })))?.body?.cancel();
    },
    list: (prefix) => listAll(place, address, prefix),
  };
};
