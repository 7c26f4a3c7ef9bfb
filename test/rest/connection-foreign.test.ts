// A key of another container tag, at every operation of connections, with the id and the tag of one that exists.
import { expect, test } from 'vitest';
import { useSyncedBucket } from './support/synced-bucket.ts';

const { ask, bucket, connect, memoir, ran, read } = useSyncedBucket();

const NOWHERE = '0000000000000000000000';

const operations = (id: string, tag: string): (readonly [method: string, path: string, body?: unknown])[] => [
  ['GET', `/v3/connections/${id}`],
  ['DELETE', `/v3/connections/${id}`],
  ['DELETE', '/v3/connections/s3', { containerTags: [tag] }],
  ['POST', '/v3/connections/s3/connection', { containerTags: [tag] }],
  ['POST', '/v3/connections/s3/documents', { containerTags: [tag] }],
  ['POST', '/v3/connections/s3/import', { containerTags: [tag] }],
  ['POST', '/v3/connections/s3', { containerTag: tag, metadata: bucket().grant.metadata }],
  ['POST', '/v3/connections/list', { containerTags: [tag] }],
  ['GET', `/v3/connections/${id}/resources`],
  ['POST', `/v3/connections/${id}/configure`, { resources: [] }],
  ['POST', `/v3/connections/${id}/preview-choice`, { resources: [] }],
  ['POST', `/v3/connections/${id}/picker`],
  ['POST', `/v3/connections/${id}/google-drive/hosted-picker`],
  ['GET', `/v3/connections/${id}/sync-runs`],
  ['GET', `/v3/connections/${id}/items?state=taken`],
  ['POST', `/v3/connections/${id}/pause`],
  ['POST', `/v3/connections/${id}/resume`],
  ['POST', `/v3/connections/${id}/accept-removals`],
  ['POST', `/v3/connections/${id}/include`, { items: ['s3://originals/secret-name.txt'] }],
  ['POST', `/v3/connections/${id}/reauthorize`, {}],
];

test('gets nothing of a connection, and the same refusal as for one that does not exist', async () => {
  await bucket().put('secret-name.txt', 'What nobody else may read.');
  const id = await connect('foreign-a', { metadata: { department: 'hidden-department' } });
  await ran(id, 1);
  const before = await read(id);
  const key = await memoir().scopedKey(['foreign-b']);
  const known = operations(id, 'foreign-a');
  const unknown = operations(NOWHERE, 'foreign-nowhere');
  for (const [at, [method, path, body]] of known.entries()) {
    const [, otherPath = '', otherBody] = unknown[at] ?? [];
    const answer = await ask(method, path, body, key);
    const other = await ask(method, otherPath, otherBody, key);
    const text = JSON.stringify(answer.body);
    const place = `${method} ${path}: ${answer.status} ${text}`;
    expect([403, 404], place).toContain(answer.status);
    expect(other.status, place).toBe(answer.status);
    const withoutNames = (body: unknown, names: readonly string[]): string =>
      names.reduce((rest, name) => rest.replaceAll(name, '…'), JSON.stringify(body));
    expect(withoutNames(answer.body, [id, 'foreign-a'])).toBe(
      withoutNames(other.body, [NOWHERE, 'foreign-nowhere']),
    );
    for (const word of ['secret-name', 'originals', 'hidden-department'])
      expect(text, place).not.toContain(word);
  }
  expect((await ask('POST', '/v3/connections/list', {}, key)).body).toEqual([]);
  expect((await ask('GET', '/v3/connections', undefined, key)).status).toBe(403);
  expect(await read(id)).toEqual(before);
});
