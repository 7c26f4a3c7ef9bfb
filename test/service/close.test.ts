// What a closed Memoir leaves behind, and what it answers to those who are still sending.
import { existsSync, readdirSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { startMemoir } from '../support/memoir.ts';
import { until } from '../support/until.ts';

test('a folder that was closed holds the database in one file', async () => {
  const memoir = await startMemoir();
  onTestFinished(memoir.close);
  await memoir.add({ content: 'A heron waits by the lake.' });
  for (const searchMode of ['keyword', 'semantic'])
    await memoir.ask('POST', '/v4/search', { q: 'heron', searchMode });
  const files = () =>
    readdirSync(memoir.dir)
      .filter((name) => name.startsWith('memoir.db'))
      .sort();
  expect(files()).toEqual(['memoir.db', 'memoir.db-shm', 'memoir.db-wal']);
  let left: string[] = [];
  await memoir.restart({}, () => {
    left = files();
  });
  expect(left).toEqual(['memoir.db']);
});

test('an upload that is still arriving when the server has to end is refused with a time to come again, and nothing of it is kept', async () => {
  const memoir = await startMemoir();
  onTestFinished(memoir.close);
  const { status } = await memoir.ask('POST', '/v3/documents', { content: 'Before.' });
  expect(status).toBe(200);
  const boundary = 'the-end-of-a-part';
  const sending = request(`${memoir.url}/v3/documents/file`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${memoir.key}`,
      'content-type': `multipart/form-data; boundary=${boundary}`,
    },
  });
  const answered = new Promise<{ status: number | undefined; after: string | undefined; body: unknown }>(
    (resolve, reject) => {
      sending.once('error', reject);
      sending.once('response', async (response) => {
        const after = response.headers['retry-after'];
        resolve({ status: response.statusCode, after, body: await json(response) });
      });
    },
  );
  const name = 'content-disposition: form-data; name="file"; filename="notes.txt"';
  sending.write(`--${boundary}\r\n${name}\r\ncontent-type: text/plain\r\n\r\nThe first half`);
  const incoming = join(memoir.dir, 'files', 'incoming');
  const parts = () => (existsSync(incoming) ? readdirSync(incoming) : []);
  await until('the beginning of the upload', () => parts().length > 0);
  await memoir.restart();
  expect(await answered).toEqual({
    status: 503,
    after: '1',
    body: { error: 'Memoir is stopping. Try again after its restart.' },
  });
  const { body } = await memoir.ask<{ memories: unknown[] }>('POST', '/v3/documents/list', {});
  expect(body.memories).toHaveLength(1);
  expect(parts()).toEqual([]);
});
