// Tests of buckets as a source: over our own service, which checks signatures, and over an independent emulator.
import { startFauxqs } from 'fauxqs';
import { describe, expect, test } from 'vitest';
import { s3 } from '../../../server/adapters/connect/s3.ts';
import { type FakeBucket, startFakeBucket } from '../../fakes/s3.ts';
import { anyRequest, forRequests } from '../../fakes/support/fake-server.ts';
import { sourceContract } from './contract.ts';
import { filesOf, follow, lookOnce, openFake, readFrom, textOf } from './open-source.ts';

sourceContract(s3, () => startFakeBucket());

const { signal } = new AbortController();
const GOOD = { bucket: 'files', region: 'eu-central-1' };
const KEYS = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'planted-secret' };
const faultOf = (metadata: Record<string, string>, secrets: Record<string, string> = KEYS) =>
  s3.checkOptions({ metadata, secrets });

describe('the options of a bucket', () => {
  test('are complete, or the missing ones are named', () => {
    expect(faultOf(GOOD)).toBeNull();
    expect(faultOf({ region: 'auto' }, {})).toContain(
      'metadata.accessKeyId, metadata.secretAccessKey, metadata.bucket',
    );
  });

  test.each([
    ['bucket', 'Not A Bucket', 'not the name of a bucket'],
    ['region', 'no region!', 'must be a region'],
    ['endpoint', 'minio:9000', 'must be a web address'],
    ['endpoint', 'https://files.example.com', 'contains the name of the bucket'],
    ['containerTagRegex', 'users/(.*)/', 'needs the group (?<userId>'],
    ['containerTagRegex', '(?<userId>a(?=b))', 'cannot be used'],
    ['containerTagRegex', `(?<userId>${'a'.repeat(200)})`, 'fewer than 200 characters'],
  ])('%s: %s is refused with the reason', (name, value, reason) => {
    expect(faultOf({ ...GOOD, [name]: value })).toContain(reason);
  });

  test('a pattern of a caller that backtracks elsewhere comes to its end', async () => {
    await using fake = await startDisposable({ containerTagRegex: '(?<userId>(a+)+)$' });
    await fake.put(`${'a'.repeat(900)}b`, 'A long key.');
    const known = follow();
    await lookOnce(fake.opened, known);
    expect(filesOf(known)).toHaveLength(1);
  });
});

const startDisposable = async (more: Record<string, string> = {}) => {
  const fake = await startFakeBucket(more);
  const opened = openFake(s3, fake);
  return {
    ...fake,
    opened,
    async [Symbol.asyncDispose]() {
      await opened[Symbol.asyncDispose]();
      await fake.close();
    },
  };
};

describe('the objects of a bucket', () => {
  test('below a prefix are seen with key, path, size and time, and others are not', async () => {
    await using fake = await startDisposable({ prefix: 'docs/' });
    await fake.put('docs/über plan #1.txt', 'Seen.');
    await fake.put('private/other.txt', 'Not seen.');
    const known = follow();
    await lookOnce(fake.opened, known);
    const [only] = filesOf(known);
    expect(only?.id).toBe('s3://originals/docs/über plan #1.txt');
    expect(only?.face).toMatchObject({
      title: 'über plan #1.txt',
      path: '/docs/über plan #1.txt',
      metadata: { bucket: 'originals', key: 'docs/über plan #1.txt', size: 5 },
    });
    expect(only === undefined ? '' : await textOf(await readFrom(fake.opened, only))).toBe('Seen.');
    expect(known.items.size).toBe(1);
  });

  test('are not below a prefix with a slash before it, which is refused with the right one', async () => {
    await using fake = await startDisposable({ prefix: '/docs' });
    await fake.put('docs/plan.txt', 'Seen.');
    await expect(fake.opened.source.who(signal)).rejects.toThrow(
      'No key of the bucket originals begins with "/docs". Keys begin without a slash: set metadata.prefix to "docs".',
    );
    await fake.put('/docs/odd.txt', 'A key may begin with a slash.');
    await expect(fake.opened.source.who(signal)).resolves.toMatchObject({ account: expect.any(String) });
  });

  test('go to the tag that the pattern finds in their key', async () => {
    await using fake = await startDisposable({ containerTagRegex: '^users/(?<userId>[^/]+)/' });
    await fake.put('users/ann/notes.txt', 'Of Ann.');
    await fake.put('shared/notes.txt', 'Of all.');
    const known = follow();
    await lookOnce(fake.opened, known);
    expect(filesOf(known).map(({ tags }) => tags)).toEqual([undefined, ['ann']]);
  });

  test('that cannot be read are skipped by name: empty, archived, without an address; folders are none', async () => {
    await using fake = await startDisposable();
    await fake.put('empty.txt', '');
    await fake.put('a/./b', 'No address can name it.');
    await fake.put('folder/', '');
    fake.objects.set('cold.txt', { content: Buffer.from('x'), changedAt: 0, storageClass: 'GLACIER' });
    const known = follow();
    await lookOnce(fake.opened, known);
    const skips = [...known.items.values()].map(({ skip }) => skip);
    expect(skips.map((skip) => skip?.code)).toEqual(['name', 'storage_class', 'empty']);
    expect(skips.every((skip) => skip !== undefined && /a\/\.\/b|cold|empty/.test(skip.message))).toBe(true);
  });
});

describe('the check of a bucket', () => {
  const whoOf = async (options: Record<string, string>, prepare: (fake: FakeBucket) => void = () => {}) => {
    const fake = await startFakeBucket();
    prepare(fake);
    const grant = { ...fake.grant, metadata: { ...fake.grant.metadata, ...options } };
    await using opened = openFake(s3, { ...fake, grant });
    try {
      return await opened.source.who(signal);
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    } finally {
      await fake.close();
    }
  };

  test('answers which bucket it is', async () => {
    expect(await whoOf({})).toMatchObject({
      account: expect.stringMatching(/^s3:127.0.0.1:\d+\/originals$/),
    });
  });

  test('says what is wrong: the key, the bucket, the rights', async () => {
    expect(await whoOf({}, (fake) => fake.revoke?.())).toContain('Authentication failed');
    expect(await whoOf({ bucket: 'elsewhere' })).toContain('The bucket elsewhere was not found');
    const denied = '<Error><Code>AccessDenied</Code></Error>';
    expect(
      await whoOf({}, ({ server }) =>
        server.addFault(forRequests(anyRequest, { status: 403, body: denied })),
      ),
    ).toContain('Access denied');
    expect(
      await whoOf({}, ({ server }) => server.addFault(forRequests(anyRequest, { status: 401 }))),
    ).toContain('Give it valid secrets with memoir connections reauthorize');
  });

  test('takes the region that the service names', async () => {
    const misplaced = {
      status: 301,
      headers: { 'x-amz-bucket-region': 'eu-west-3' },
      body: '<Error><Code>PermanentRedirect</Code></Error>',
    };
    expect(
      await whoOf({}, ({ server }) => server.addFault(forRequests(anyRequest, misplaced, { times: 1 }))),
    ).toMatchObject({
      options: { region: 'eu-west-3' },
    });
  });
});

describe('a bucket of an independent emulator', () => {
  test('is listed over many pages and read, with odd keys', async () => {
    const emulator = await startFauxqs({ port: 0, logger: false });
    try {
      const host = `127.0.0.1:${emulator.port}`;
      const endpoint = `http://${host}`;
      const headers = { 'content-type': 'text/plain', authorization: 'AWS4-HMAC-SHA256 Credential=x' };
      await fetch(`${endpoint}/files`, { method: 'PUT', headers });
      const names = Array.from({ length: 1_101 }, (_, at) => `many/${String(at).padStart(4, '0')}.txt`);
      names.push('odd/a b&d=e (ü).txt');
      for (const name of names) {
        const path = name.split('/').map(encodeURIComponent).join('/');
        await fetch(`${endpoint}/files/${path}`, { method: 'PUT', headers, body: `Text of ${name}` });
      }
      const fake = await startFakeBucket();
      await fake.close();
      const metadata = { bucket: 'files', region: 'us-east-1', endpoint };
      await using opened = openFake(s3, {
        ...fake,
        privateHosts: [host],
        grant: { metadata, secrets: KEYS },
      });
      const known = follow();
      expect((await lookOnce(opened, known)).pages).toBe(2);
      expect(
        filesOf(known)
          .map(({ id }) => id)
          .sort(),
      ).toEqual(names.map((name) => `s3://files/${name}`).sort());
      const odd = filesOf(known).find(({ id }) => id.includes('odd/'));
      expect(odd === undefined ? '' : await textOf(await readFrom(opened, odd))).toBe(
        'Text of odd/a b&d=e (ü).txt',
      );
    } finally {
      await emulator.stop();
    }
  });
});
