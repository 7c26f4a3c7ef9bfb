// Originals in a bucket, seen by callers: an upload is read, served and erased, and a fault of the bucket loses nothing.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect } from 'vitest';
import { verifies } from '../spec/verifies.ts';
import { startBucketServer } from '../support/buckets/bucket-server.ts';
import { startMemoir } from '../support/memoir.ts';
import { until } from '../support/until.ts';
import { fileOf, postForm, upload } from './support/upload.ts';
import { pathOf, useOwnMemoir } from './support/use-memoir.ts';

const bucket = await startBucketServer();
afterAll(() => bucket.close());

const settings = {
  MEMOIR_BLOBS_URL: `s3://${bucket.bucket}/memoir`,
  MEMOIR_BLOBS_ENDPOINT: bucket.endpoint,
  MEMOIR_BLOBS_KEY_ID: bucket.keyId,
  MEMOIR_BLOBS_SECRET: bucket.secret,
};
const api = useOwnMemoir(() => settings);

const stored = (): string[] => [...bucket.objects.values()].map(({ content }) => content.toString());

verifies(
  'upload:file:bucket',
  'an upload is read from the bucket, served by its link, and gone from the bucket with its document',
  async () => {
    const text = 'The spare key of the boat house hangs behind the blue door.';
    const { id } = await upload(api, text, 'keys.txt');
    expect(stored()).toEqual([text]);
    expect([...bucket.objects.keys()]).toEqual([expect.stringMatching(/^memoir\/files\/\w\w\/\w{22}$/)]);
    expect(existsSync(join(api.memoir.dir, 'files'))).toBe(false);
    const { body } = await api.ask<{ url: string }>('GET', `${pathOf(id)}/file-url`);
    expect(await (await fetch(body.url)).text()).toBe(text);
    await api.remove(id);
    await until('an empty bucket', () => bucket.objects.size === 0);
    expect(bucket.objects.size).toBe(0);
  },
);

verifies(
  'upload:file:bucket',
  'an upload that the bucket does not take gets 503 and leaves nothing',
  async () => {
    const before = await api.ask<{ pagination: { totalItems: number } }>('POST', '/v3/documents/list', {});
    bucket.fail('PUT', 503, 503, 503, 503);
    const answer = await postForm(api.memoir, [['file', fileOf('lost?'), 'lost.txt']]);
    expect(answer.status).toBe(503);
    expect(answer.body).toMatchObject({
      error: expect.stringMatching(/^The file was not stored: .*MEMOIR_BLOBS_ENDPOINT/),
    });
    const after = await api.ask<{ pagination: { totalItems: number } }>('POST', '/v3/documents/list', {});
    expect(after.body.pagination.totalItems).toBe(before.body.pagination.totalItems);
  },
);

verifies(
  'upload:file:bucket',
  'an answer of the bucket that breaks off delays the reading of a file',
  async () => {
    bucket.fail('GET', 'truncate');
    const { id, chunks } = await upload(api, 'Ferries leave at noon. '.repeat(50), 'ferry.txt').then(
      async (document) => ({ ...document, chunks: await api.texts(document.id) }),
    );
    expect(chunks.join(' ')).toContain('Ferries leave at noon.');
    expect(await api.read(id)).toMatchObject({ status: 'done', failure: null });
  },
);

verifies('upload:file:bucket', 'a start with a wrong secret is refused and names the settings', async () => {
  await expect(startMemoir({ ...settings, MEMOIR_BLOBS_SECRET: 'wrong' })).rejects.toThrow(
    /SignatureDoesNotMatch\. Check MEMOIR_BLOBS_KEY_ID and MEMOIR_BLOBS_SECRET/,
  );
});
