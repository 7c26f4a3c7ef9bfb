// Buckets of Amazon S3 and of services that speak its protocol. Each look is a whole listing: a thousand objects a request.
import { AwsV4Signer } from 'aws4fetch';
import { RE2JS, RE2JSSyntaxException } from 're2js';
import type { ListedObject } from '../../lib/buckets/answers.ts';
import { listedPage, refusalCode } from '../../lib/buckets/answers.ts';
import { fieldsOf } from '../../lib/objects.ts';
import { sourceKind } from './kind.ts';
import type {
  Account,
  AskRequest,
  Face,
  Grant,
  LookPage,
  OpenSource,
  ReadItem,
  Seen,
  Skip,
  SourceAnswer,
  SourceJson,
  SourceTools,
  Taken,
} from './port.ts';
import { SourceError } from './source-error.ts';

const MOST_BYTES = 50 * 1024 * 1024;
const MOST_PATTERN = 200;
const REQUIRED = ['accessKeyId', 'secretAccessKey', 'bucket', 'region'] as const;
/** Their objects must be restored before they can be read. */
const FROZEN = new Set(['GLACIER', 'DEEP_ARCHIVE']);
const EMPTY_SHA256 = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';
const SIGNS_REFUSED = new Set([
  'InvalidAccessKeyId',
  'SignatureDoesNotMatch',
  'ExpiredToken',
  'InvalidToken',
]);
const BUCKET_NAME = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;
const REGION_NAME = /^[a-z0-9-]{2,40}$/;

interface Place {
  readonly bucket: string;
  readonly region: string;
  readonly prefix: string;
  /** The address of the bucket, without a slash at its end. */
  readonly address: string;
  readonly keyId: string;
  readonly secret: string;
}

const optionOf = ({ metadata, secrets }: Grant, name: string): string => {
  // A prefix of digits is a number where it is typed.
  return String(secrets[name] ?? metadata[name] ?? '').trim();
};

const bucketAddress = (endpoint: string, bucket: string, region: string): string => {
  // A certificate of Amazon covers one label before its domain.
  if (endpoint === '')
    return bucket.includes('.')
      ? `https://s3.${region}.amazonaws.com/${bucket}`
      : `https://${bucket}.s3.${region}.amazonaws.com`;
  return `${endpoint.replace(/\/+$/, '')}/${bucket}`;
};

const grantedPlace = (grant: Grant): Place => {
  const [bucket, region] = [optionOf(grant, 'bucket'), optionOf(grant, 'region')];
  return {
    ...{ bucket, region, prefix: optionOf(grant, 'prefix') },
    address: bucketAddress(optionOf(grant, 'endpoint'), bucket, region),
    keyId: optionOf(grant, 'accessKeyId'),
    secret: optionOf(grant, 'secretAccessKey'),
  };
};

const endpointFault = (endpoint: string, bucket: string): string | null => {
  const url = URL.parse(endpoint);
  if (url === null || !/^https?:$/.test(url.protocol))
    return 'metadata.endpoint must be a web address, as in https://minio.example.com:9000.';
  if (url.hostname.startsWith(`${bucket}.`) || url.pathname.split('/').includes(bucket))
    return 'metadata.endpoint contains the name of the bucket. Send the address of the service alone.';
  return null;
};

/** The pattern runs in linear time, whoever wrote it. */
const patternOf = (text: string): RE2JS => RE2JS.compile(text);

const patternFault = (text: string): string | null => {
  if (text.length >= MOST_PATTERN)
    return `metadata.containerTagRegex must have fewer than ${MOST_PATTERN} characters.`;
  if (!/\(\?P?<userId>/.test(text))
    return 'metadata.containerTagRegex needs the group (?<userId>…), whose match becomes the container tag.';
  try {
    patternOf(text);
    return null;
  } catch (error) {
    if (!(error instanceof RE2JSSyntaxException)) throw error;
    return `metadata.containerTagRegex cannot be used (${error.message}). Look-aheads and back references are not supported.`;
  }
};

const checkOptions = (grant: Grant): string | null => {
  const missing = REQUIRED.filter((name) => optionOf(grant, name) === '');
  if (missing.length > 0)
    return `A bucket needs metadata.${missing.join(', metadata.')}. "region" is "auto" for services without regions.`;
  const bucket = optionOf(grant, 'bucket');
  if (!BUCKET_NAME.test(bucket))
    return `metadata.bucket is not the name of a bucket: ${bucket.slice(0, 80)}.`;
  if (!REGION_NAME.test(optionOf(grant, 'region')))
    return 'metadata.region must be a region, as in eu-central-1.';
  const [endpoint, pattern] = [optionOf(grant, 'endpoint'), optionOf(grant, 'containerTagRegex')];
  const fault = endpoint === '' ? null : endpointFault(endpoint, bucket);
  return fault ?? (pattern === '' ? null : patternFault(pattern));
};

const signedHeaders = async (
  { region, keyId, secret }: Place,
  url: string,
): Promise<AskRequest['headers']> => {
  const { headers } = await new AwsV4Signer({
    ...{ method: 'GET', url, region, service: 's3', accessKeyId: keyId, secretAccessKey: secret },
    headers: { 'x-amz-content-sha256': EMPTY_SHA256 },
  }).sign();
  // The host is said by the connection.
  return Object.fromEntries([...headers].filter(([name]) => name !== 'host'));
};

/** The refusal of the service, as an error for people. */
const bucketRefusal = (place: Place, answer: SourceAnswer, code: string): SourceError => {
  const { status, headers } = answer;
  const { bucket } = place;
  const error = (kind: ConstructorParameters<typeof SourceError>[0], text: string) =>
    new SourceError(kind, text, { status });
  if (SIGNS_REFUSED.has(code))
    return error(
      'auth_expired',
      `Authentication failed: the access key of the bucket ${bucket} is not accepted (${code}). Check accessKeyId and secretAccessKey.`,
    );
  if (code === 'RequestTimeTooSkewed')
    return error(
      'bad_options',
      'The clock of this machine differs too much from that of the bucket service. Set the clock.',
    );
  if (code === 'NoSuchBucket')
    return error('bad_options', `The bucket ${bucket} was not found. Check bucket, region and endpoint.`);
  const region = headers['x-amz-bucket-region'];
  if (region !== undefined && region !== place.region)
    return error(
      'bad_options',
      `The bucket ${bucket} is in the region ${region}. Set metadata.region to it.`,
    );
  if (status === 404) return error('not_found', `The bucket ${bucket} has no such object any more.`);
  if (status === 403)
    return error(
      'forbidden',
      `Access denied: the access key may not read from the bucket ${bucket} (${code}). It needs the rights ListBucket and GetObject.`,
    );
  return error(
    'refused',
    `The bucket ${bucket} refused a request (${`status ${status} ${code}`.trim()}). Check the options of the connection, or try again later.`,
  );
};

interface BucketAnswer {
  readonly answer: SourceAnswer;
  /** The code of a refusal; null: there is none. */
  readonly code: string | null;
}

type AskBucket = (path: string, signal: AbortSignal) => Promise<BucketAnswer>;

const REFUSALS = [301, 307, 400, 403, 404];

const createAskBucket =
  (place: Place, { ask }: SourceTools): AskBucket =>
  async (path, signal) => {
    const url = `${place.address}/${path}`;
    const template = path.startsWith('?') ? '/?list' : '/{key}';
    const headers = { ...(await signedHeaders(place, url)) };
    const answer = await ask(url, { headers, accept: REFUSALS, template }, signal);
    return { answer, code: REFUSALS.includes(answer.status) ? await refusalCode(await answer.text()) : null };
  };

const granted = (place: Place, { answer, code }: BucketAnswer): SourceAnswer => {
  if (code !== null) throw bucketRefusal(place, answer, code);
  return answer;
};

const listPath = (place: Place, after: string, most: number): string => {
  const query = new URLSearchParams({ 'list-type': '2', 'encoding-type': 'url', 'max-keys': String(most) });
  if (place.prefix !== '') query.set('prefix', place.prefix);
  if (after !== '') query.set('start-after', after);
  return `?${query}`;
};

const skipOf = ({ name, bytes, storageClass }: ListedObject): Skip | null => {
  if (name.split('/').some((part) => part === '.' || part === '..'))
    return { code: 'name', message: `${name}: no address can name a key with the part "." or "..".` };
  if (bytes === 0) return { code: 'empty', message: `${name} is empty.` };
  if (bytes > MOST_BYTES)
    return {
      code: 'size',
      message: `${name} has ${Math.ceil(bytes / 1024 / 1024)} MB; files up to 50 MB are read.`,
    };
  if (FROZEN.has(storageClass))
    return {
      code: 'storage_class',
      message: `${name} is archived (${storageClass}). Restore it in the bucket first.`,
    };
  return null;
};

const objectFace = ({ bucket }: Place, { name, changedAt, bytes }: ListedObject): Face => ({
  title: name.slice(name.lastIndexOf('/') + 1),
  path: `/${name}`,
  editedAt: changedAt,
  metadata: { bucket, key: name, size: bytes },
});

const seenObject = (place: Place, pattern: RE2JS | null, object: ListedObject): Seen => {
  const skip = skipOf(object);
  const matcher = pattern?.matcher(object.name);
  const user = matcher?.find() === true ? matcher.group('userId') : null;
  return {
    id: `s3://${place.bucket}/${object.name}`,
    kind: 'file',
    // An object that was restored from an archive is read then.
    mark: `${object.etag}:${object.bytes}${FROZEN.has(object.storageClass) ? ':archived' : ''}`,
    face: objectFace(place, object),
    bytes: object.bytes,
    how: { key: object.name },
    ...(skip === null ? {} : { skip }),
    ...(user === null || user === undefined || user === '' ? {} : { tags: [user] }),
  };
};

const lastKey = (cursor: SourceJson): string => {
  const { after } = fieldsOf(cursor);
  return typeof after === 'string' ? after : '';
};

async function* lookAtBucket(
  place: Place,
  askBucket: AskBucket,
  { pattern, cursor, signal }: { pattern: RE2JS | null; cursor: SourceJson; signal: AbortSignal },
): AsyncGenerator<LookPage> {
  let after = lastKey(cursor);
  for (;;) {
    const { objects, next } = await listedPage(
      await granted(place, await askBucket(listPath(place, after, 1000), signal)).text(),
    );
    const last = objects.at(-1)?.name;
    if (next !== null && (last === undefined || (last <= after && after !== '')))
      throw new SourceError('bad_answer', `The bucket ${place.bucket} repeats a page of its list.`, {
        syncGoesOn: 'It is listed again at the next look.',
      });
    // A key that ends in a slash is a folder that a console made.
    const items = objects
      .filter(({ name }) => !name.endsWith('/'))
      .map((each) => seenObject(place, pattern, each));
    if (next === null) {
      yield { items, cursor: null, end: 'whole' };
      return;
    }
    after = last ?? after;
    yield { items, cursor: { after } };
  }
}

/** Keys seldom begin with a slash, and people write a prefix like a path: such a prefix would find nothing without a word. */
const checkPrefix = async ({ bucket, prefix }: Place, answer: SourceAnswer): Promise<void> => {
  if (!prefix.startsWith('/')) return answer.discard();
  if ((await listedPage(await answer.text())).objects.length > 0) return;
  const without = prefix.replace(/^\/+/, '');
  throw new SourceError(
    'bad_options',
    `No key of the bucket ${bucket} begins with "${prefix}". Keys begin without a slash: ${without === '' ? 'leave metadata.prefix out' : `set metadata.prefix to "${without}"`}.`,
  );
};

/** The region may differ from the given one; the service says which one is right. */
const whoseBucket = async (place: Place, tools: SourceTools, signal: AbortSignal): Promise<Account> => {
  const account = `s3:${place.address.replace(/^https?:\/\//, '')}`;
  const path = listPath(place, '', 1);
  const first = await createAskBucket(place, tools)(path, signal);
  const region = first.code === null ? undefined : first.answer.headers['x-amz-bucket-region'];
  if (region === undefined || region === place.region) {
    await checkPrefix(place, granted(place, first));
    return { account };
  }
  const address = place.address.replace(`.s3.${place.region}.`, `.s3.${region}.`);
  const right = { ...place, region, address };
  await checkPrefix(right, granted(right, await createAskBucket(right, tools)(path, signal)));
  return { account, options: { region } };
};

const readBucketObject = async (
  place: Place,
  tools: SourceTools,
  item: ReadItem,
  signal: AbortSignal,
): Promise<Taken> => {
  const { key } = fieldsOf(item.how);
  const path = String(key).split('/').map(encodeURIComponent).join('/');
  const answered = await createAskBucket(place, tools)(path, signal);
  if (answered.code === 'InvalidObjectState') {
    const message = `${item.face.title} is archived. Restore it in the bucket first.`;
    return { content: 'nothing', skip: { code: 'storage_class', message } };
  }
  const answer = granted(place, answered);
  const mediaType = answer.headers['content-type'];
  return {
    content: 'file',
    name: item.face.title,
    ...(mediaType === undefined ? {} : { mediaType }),
    bytes: answer.stream,
  };
};

const openBucket = (grant: Grant, tools: SourceTools): OpenSource => {
  const place = grantedPlace(grant);
  const askBucket = createAskBucket(place, tools);
  const text = optionOf(grant, 'containerTagRegex');
  const pattern = text === '' ? null : patternOf(text);
  return {
    who: (signal) => whoseBucket(place, tools, signal),
    look: (cursor, _choice, signal) => lookAtBucket(place, askBucket, { pattern, cursor, signal }),
    read: (item, signal) => readBucketObject(place, tools, item, signal),
  };
};

export const s3 = sourceKind({
  provider: 's3',
  title: 'S3',
  signIn: null,
  secrets: ['secretAccessKey', 'accessKeyId'],
  masked: ['accessKeyId'],
  options: ['accessKeyId', 'secretAccessKey', 'bucket', 'region', 'endpoint', 'prefix', 'containerTagRegex'],
  choosing: 'never',
  whole: false,
  pace: { perSecond: 50, parallel: 8, lookEveryMs: 4 * 60 * 60_000 },
  folders: false,
  checkOptions,
  credentials: () => ({ kind: 'none' }),
  open: openBucket,
});
