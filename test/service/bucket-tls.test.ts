// Tests of TLS to a bucket: the authorities of the process count, with those of NODE_EXTRA_CA_CERTS.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { run } from '../cli/memoir-process.ts';
import { type Server, start } from '../crash/server.ts';
import { TEST_CERTIFICATE, TEST_CERTIFICATE_KEY } from '../fakes/support/certificate.ts';
import { type BucketServer, startBucketServer } from '../support/buckets/bucket-server.ts';
import { newDataFolder } from '../support/data-folder.ts';
import { until } from '../support/until.ts';

const KEY = `sm_${'q7Zp4'.repeat(3)}x9Kd2Vb8`;
const TEXT = 'The spare key of the boat house hangs behind the blue door.';
const folder = newDataFolder('bucket-tls');
const authority = join(folder, 'authority.pem');
writeFileSync(authority, TEST_CERTIFICATE);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const settingsOf = (bucket: BucketServer): Record<string, string> => ({
  MEMOIR_BLOBS_URL: `s3://${bucket.bucket}/memoir`,
  MEMOIR_BLOBS_ENDPOINT: bucket.endpoint,
  MEMOIR_BLOBS_KEY_ID: bucket.keyId,
  MEMOIR_BLOBS_SECRET: bucket.secret,
});

const call = async ({ url }: Server, path: string, body?: FormData) => {
  const response = await fetch(url + path, {
    ...{ method: body === undefined ? 'GET' : 'POST', headers: { authorization: `Bearer ${KEY}` } },
    ...(body === undefined ? {} : { body }),
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
};

const upload = (server: Server) => {
  const form = new FormData();
  form.append('file', new Blob([TEXT], { type: 'text/plain' }), 'keys.txt');
  return call(server, '/v3/documents/file', form);
};

test('an upload reaches a bucket whose authority is named, and the start is refused with the remedy where it is not', async () => {
  const bucket = await startBucketServer({ cert: TEST_CERTIFICATE, key: TEST_CERTIFICATE_KEY });
  const trusting = await start({
    ...{ dir: mkdtempSync(join(folder, 'trusting')), key: KEY, logFile: join(folder, 'log') },
    env: { ...settingsOf(bucket), NODE_EXTRA_CA_CERTS: authority },
  }).ready;
  const stored = await upload(trusting);
  expect(stored.status).toBe(200);
  await until('the document', async () => {
    const { body } = await call(trusting, `/v3/documents/${stored.body.id}`);
    return body.status === 'done';
  });
  expect([...bucket.objects.values()].map(({ content }) => content.toString())).toContain(TEXT);
  await trusting.stop();

  const env = { ...settingsOf(bucket), PORT: '0', NODE_EXTRA_CA_CERTS: '' };
  const { code, stderr } = await run(['serve'], { cwd: mkdtempSync(join(folder, 'strange')), env });
  expect(code).toBe(1);
  expect(stderr).toContain('has a certificate that is not trusted');
  expect(stderr).toContain('NODE_EXTRA_CA_CERTS');
  await bucket.close();
}, 180_000);
