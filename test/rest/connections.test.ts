import { describe, expect, test } from 'vitest';
import { run } from '../cli/memoir-process.ts';
import { forRequests } from '../fakes/support/fake-server.ts';
import { verifies } from '../spec/verifies.ts';
import { onPostgres } from '../support/on-postgres.ts';
import { type Connection, useSyncedBucket } from './support/synced-bucket.ts';

const { ask, bucket, connect, documentsUnder, hitsIn, memoir, namesUnder, ran, read, runsOf, sync } =
  useSyncedBucket();

describe('a connected bucket', () => {
  verifies(
    'connections:sync:sources',
    'becomes documents with the facts of its source, which search finds',
    async () => {
      await bucket().put('plans/ferry.txt', 'The ferry to the island leaves at noon.');
      await bucket().put('plans/empty.txt', '');
      const id = await connect('sync-facts', { metadata: { department: 'travel' } });
      await ran(id, 1);
      const [document] = await documentsUnder('sync-facts');
      expect(document).toMatchObject({
        customId: 's3://originals/plans/ferry.txt',
        title: 'ferry.txt',
        filepath: '/plans/ferry.txt',
        source: 's3',
        connectionId: id,
        status: 'done',
        metadata: { bucket: 'originals', key: 'plans/ferry.txt', department: 'travel' },
      });
      expect(document?.metadata).not.toHaveProperty('secretAccessKey');
      expect(await hitsIn('sync-facts', 'when does the ferry leave')).toBe(1);
      expect(await read(id)).toMatchObject({
        status: 'active',
        progress: { found: 2, done: 1, waiting: 0, skipped: 1, failed: 0 },
        lastSyncRun: { status: 'completed', errorCode: null, error: null },
        nextSyncAt: expect.any(String),
      });
      const skipped = await ask<{ error: string }[]>('GET', `/v3/connections/${id}/items?state=skipped`);
      expect(skipped.body).toMatchObject([{ error: 'plans/empty.txt is empty.' }]);
    },
  );

  verifies(
    'connections:sync:follow',
    'follows edits and removals, and reads nothing that is unchanged',
    async () => {
      for (const name of ['a', 'b', 'c']) await bucket().put(`${name}.txt`, `Text ${name}, first version.`);
      const id = await connect('sync-follow');
      expect(await ran(id, 1)).toMatchObject({ itemsAdded: 3 });
      bucket().server.requests.length = 0;
      expect(await sync(id)).toMatchObject({
        itemsAdded: 0,
        itemsUpdated: 0,
        itemsUnchanged: 0,
        triggerType: 'manual',
      });
      expect(bucket().server.requests).toHaveLength(1);
      await bucket().put('b.txt', 'The harbour master keeps the only key.');
      await bucket().remove('c.txt');
      expect(await sync(id)).toMatchObject({ itemsUpdated: 1, itemsRemoved: 1 });
      expect(await namesUnder('sync-follow')).toEqual(['s3://originals/a.txt', 's3://originals/b.txt']);
      expect(await hitsIn('sync-follow', 'harbour master key')).toBeGreaterThan(0);
      expect(await hitsIn('sync-follow', 'Text c')).toBeLessThan(3);
      await bucket().put('c.txt', 'Text c, first version.');
      expect(await sync(id)).toMatchObject({ itemsAdded: 1 });
    },
  );

  verifies('connections:sync:address', 'keeps a note that is a lone address as a note', async () => {
    await bucket().put('link.txt', `${bucket().endpoint}/never-fetched`);
    const id = await connect('sync-address');
    await ran(id, 1);
    expect(bucket().server.requests.some(({ url }) => url.pathname === '/never-fetched')).toBe(false);
    expect(await documentsUnder('sync-address')).toMatchObject([{ status: 'done', title: 'link.txt' }]);
  });

  verifies(
    'connections:items:failed',
    'names the item that could not be read, and takes the others',
    async () => {
      for (const name of ['good', 'bad']) await bucket().put(`${name}.txt`, `Text ${name}.`);
      bucket().server.addFault(
        forRequests(({ url }) => url.pathname.endsWith('bad.txt'), {
          status: 403,
          body: '<Error><Code>AccessDenied</Code></Error>',
        }),
      );
      const id = await connect('sync-failed');
      expect(await ran(id, 1)).toMatchObject({ status: 'completed', itemsAdded: 1, itemsFailed: 1 });
      const { body } = await ask<{ error: string; id: string }[]>('GET', `/v3/connections/${id}/items`);
      expect(body).toMatchObject([{ error: expect.stringMatching(/^bad\.txt: Access denied/) }]);
      bucket().server.clearFaults();
      const included = await ask('POST', `/v3/connections/${id}/include`, { items: [body[0]?.id] });
      expect(included.body).toEqual({ included: 1 });
      await ran(id, 2);
      expect(await namesUnder('sync-failed')).toHaveLength(2);
    },
  );

  verifies(
    'connections:limit:places',
    'brings as many documents as its limit, and fills a place that becomes free',
    async () => {
      for (const name of ['a', 'b', 'c']) await bucket().put(`${name}.txt`, `Text ${name}.`);
      const id = await connect('sync-limit', { documentLimit: 2 });
      await ran(id, 1);
      expect(await namesUnder('sync-limit')).toEqual(['s3://originals/a.txt', 's3://originals/b.txt']);
      await bucket().remove('a.txt');
      await sync(id);
      await sync(id);
      expect(await namesUnder('sync-limit')).toEqual(['s3://originals/b.txt', 's3://originals/c.txt']);
    },
  );
});

describe('removals', () => {
  verifies(
    'connections:removals:whole',
    'a listing that fails removes nothing; an empty one is held until a person agrees',
    async () => {
      const names = Array.from({ length: 25 }, (_, at) => `n${String(at).padStart(2, '0')}.txt`);
      for (const name of names) await bucket().put(name, `Text ${name}.`);
      const id = await connect('sync-held');
      await ran(id, 1);
      const third = bucket().server.addFault(
        forRequests(({ url }) => (url.searchParams.get('start-after') ?? '') > 'n1', {
          status: 404,
          body: '<Error><Code>NoSuchBucket</Code></Error>',
        }),
      );
      expect(await sync(id)).toMatchObject({ status: 'failed', itemsRemoved: 0 });
      expect(await namesUnder('sync-held')).toHaveLength(25);
      third();
      const kept = new Map(bucket().objects);
      bucket().objects.clear();
      await sync(id);
      expect(await read(id)).toMatchObject({
        status: 'held',
        held: { removals: 25 },
        problem: expect.stringContaining('Nothing was removed'),
      });
      expect(await namesUnder('sync-held')).toHaveLength(25);
      for (const [name, stored] of [...kept].slice(0, 2)) bucket().objects.set(name, stored);
      const accepted = await ask<Connection>('POST', `/v3/connections/${id}/accept-removals`);
      expect(accepted.body.status).toBe('active');
      await ran(id, 4);
      expect(await namesUnder('sync-held')).toHaveLength(2);
      expect((await ask('POST', `/v3/connections/${id}/accept-removals`)).status).toBe(400);
    },
  );

  verifies(
    'connections:exclude:deleted',
    'a document that a person deletes does not come back, until it is included',
    async () => {
      for (const name of ['a', 'b']) await bucket().put(`${name}.txt`, `Text ${name}.`);
      const id = await connect('sync-excluded');
      await ran(id, 1);
      const doomed = (await documentsUnder('sync-excluded')).find(({ title }) => title === 'a.txt');
      await ask('DELETE', `/v3/documents/${doomed?.id}`);
      await bucket().put('a.txt', 'Text a, changed.');
      await sync(id);
      expect(await namesUnder('sync-excluded')).toEqual(['s3://originals/b.txt']);
      await ask('POST', `/v3/connections/${id}/include`, { items: ['s3://originals/a.txt'] });
      await ran(id, 3);
      expect(await namesUnder('sync-excluded')).toEqual(['s3://originals/a.txt', 's3://originals/b.txt']);
    },
  );

  verifies(
    'connections:remove:keep-documents',
    'a connection can leave its documents, and a new one takes them over',
    async () => {
      for (const name of ['a', 'b']) await bucket().put(`${name}.txt`, `Text ${name}.`);
      const id = await connect('sync-keep');
      await ran(id, 1);
      const before = await documentsUnder('sync-keep');
      const removed = await ask('DELETE', `/v3/connections/${id}?deleteDocuments=false`);
      expect([removed.status, removed.body]).toEqual([200, { id, provider: 's3' }]);
      expect((await ask('GET', `/v3/connections/${id}`)).status).toBe(404);
      const kept = await documentsUnder('sync-keep');
      expect(kept.map(({ connectionId }) => connectionId)).toEqual([null, null]);
      const again = await connect('sync-keep');
      expect(await ran(again, 1)).toMatchObject({ itemsAdded: 0, itemsUnchanged: 2 });
      const after = await documentsUnder('sync-keep');
      expect(after.map((one) => one.id).sort()).toEqual(before.map((one) => one.id).sort());
      expect(after.map(({ connectionId }) => connectionId)).toEqual([again, again]);
    },
  );

  verifies(
    'connections:remove:documents',
    'removing hides the documents, but not one that another connection brings too',
    async () => {
      for (const name of ['shared/a', 'b']) await bucket().put(`${name}.txt`, `Text ${name}.`);
      const id = await connect('sync-shared');
      await ran(id, 1);
      const other = await connect('sync-shared', { metadata: { prefix: 'shared/' } });
      await ran(other, 1);
      const several = await ask<{ error: string }>('DELETE', '/v3/connections/s3', {
        containerTags: ['sync-shared'],
      });
      expect([several.status, several.body.error]).toEqual([400, expect.stringContaining(id)]);
      await ask('DELETE', `/v3/connections/${id}`);
      expect(await documentsUnder('sync-shared')).toMatchObject([
        { customId: 's3://originals/shared/a.txt', connectionId: other },
      ]);
      const last = await ask('DELETE', '/v3/connections/s3', { containerTags: ['sync-shared'] });
      expect(last.body).toEqual({ id: other, provider: 's3' });
      expect(await documentsUnder('sync-shared')).toEqual([]);
    },
  );
});

describe('a connection', () => {
  verifies('connections:create:checked', 'is checked with its source before anything is stored', async () => {
    const refusal = async (metadata: object) => {
      const { status, body } = await ask<{ error: string }>('POST', '/v3/connections/s3', {
        containerTag: 'sync-checked',
        metadata: { ...bucket().grant.metadata, ...bucket().grant.secrets, ...metadata },
      });
      return `${status} ${body.error}`;
    };
    expect(await refusal({ bucket: 'elsewhere' })).toContain('400 The bucket elsewhere was not found');
    expect(await refusal({ secretAccessKey: 'wrong' })).toContain('400 Authentication failed');
    expect(await refusal({ endpoint: 'http://10.0.0.9:9000' })).toMatch(/^400 .*MEMOIR_PRIVATE_SOURCES/);
    expect(await refusal({ region: '' })).toContain('metadata.region');
    for (const [provider, status] of [
      ['granola', 501],
      ['dropbox', 400],
    ] as const)
      expect((await ask('POST', `/v3/connections/${provider}`, {})).status).toBe(status);
    const listed = await ask<Connection[]>('POST', '/v3/connections/list', {
      containerTags: ['sync-checked'],
    });
    expect(listed.body).toEqual([]);
  });

  verifies(
    'connections:create:misspelled',
    'refuses a misspelled option and keeps other metadata',
    async () => {
      await bucket().put('2024/a.txt', 'Text a.');
      await bucket().put('b.txt', 'Text b.');
      const keys = { ...bucket().grant.metadata, ...bucket().grant.secrets };
      const preview = async (given: object) => {
        const { status, body } = await ask<{ error: string; found: number }>(
          'POST',
          '/v3/connections/s3/preview',
          { metadata: keys, ...given },
        );
        return status === 200 ? body.found : `${status} ${body.error}`;
      };
      expect(await preview({ metadata: { ...keys, prefix: '2024/' } })).toBe(1);
      // Digits alone are typed as a number.
      expect(await preview({ metadata: { ...keys, prefix: 2024 } })).toBe(1);
      for (const name of ['prefx', 'Prefix', 'perfix', 'PREFIX_', 'container-tag-regex']) {
        const refusal = await preview({ metadata: { ...keys, [name]: '2024/' } });
        if (name === 'prefixes') expect(refusal).toBe(2);
        else
          expect(refusal).toMatch(
            new RegExp(
              `^400 s3 has no option ${name}\\. Did you mean (prefix|containerTagRegex)\\? .*accessKeyId`,
            ),
          );
      }
      expect(await preview({ metadata: { ...keys, prefix: '/2024' } })).toMatch(
        /^400 No key of the bucket originals begins with "\/2024"\. .* set metadata\.prefix to "2024"\.$/,
      );
      expect(await preview({ options: { folder: '2024/' } })).toMatch(
        /^400 s3 has no option folder\. Its options are accessKeyId.*prefix/,
      );
      expect(
        await preview({ metadata: { department: 'travel' }, options: { ...keys, prefix: '2024/' } }),
      ).toBe(1);
      const id = await connect('sync-misspelled', { metadata: { department: 'travel' } });
      await ran(id, 1);
      const [document] = await documentsUnder('sync-misspelled');
      expect(document?.metadata).toMatchObject({ department: 'travel' });
      const again = await ask<{ error: string }>('POST', `/v3/connections/${id}/reauthorize`, {
        metadata: { secretAccesKey: 'abc' },
      });
      expect([again.status, again.body.error]).toEqual([400, expect.stringContaining('secretAccessKey?')]);
      expect(JSON.stringify(await read(id))).not.toContain('secretAccesKey');
    },
  );

  verifies('connections:preview:counts', 'says before its first sync what it would bring', async () => {
    for (const name of ['a', 'b', 'c']) await bucket().put(`${name}.txt`, `Text ${name}.`);
    await bucket().put('none.txt', '');
    const metadata = { ...bucket().grant.metadata, ...bucket().grant.secrets };
    const { body } = await ask('POST', '/v3/connections/s3/preview', { metadata });
    expect(body).toEqual({ found: 3, bytes: 21, skipped: 1, complete: true });
  });

  verifies('connections:pause:resume', 'can be paused and resumed', async () => {
    await bucket().put('a.txt', 'Text a.');
    const id = await connect('sync-paused');
    await ran(id, 1);
    expect((await ask<Connection>('POST', `/v3/connections/${id}/pause`)).body.status).toBe('paused');
    await ask('POST', '/v3/connections/s3/import', { containerTags: ['sync-paused'] });
    expect(await runsOf(id)).toHaveLength(1);
    expect((await ask<Connection>('POST', `/v3/connections/${id}/resume`)).body.status).toBe('active');
    await ran(id, 2);
    expect((await ask('POST', `/v3/connections/${id}/resume`)).status).toBe(400);
  });

  verifies('connections:read:forms', 'is found by its tags, its provider and its end user', async () => {
    const id = await connect('sync-found', { metadata: { endUserId: 'ann' } });
    const at = { containerTags: ['sync-found'] };
    expect((await ask<Connection>('POST', '/v3/connections/s3/connection', at)).body.id).toBe(id);
    const listed = await ask<Connection[]>('POST', '/v3/connections/list', { ...at, provider: 's3' });
    expect(listed.body.map((one) => one.id)).toEqual([id]);
    expect(JSON.stringify(listed.body)).not.toContain(bucket().grant.secrets.secretAccessKey);
    const { accessKeyId = '' } = bucket().grant.secrets;
    expect(JSON.stringify(listed.body)).not.toContain(accessKeyId);
    expect(listed.body[0]?.metadata.accessKeyId).toBe(`…${accessKeyId.slice(-4)}`);
    const old = await ask<Connection[]>('GET', '/v3/connections?endUserId=ann');
    expect(old.body.map((one) => one.id)).toEqual([id]);
    expect((await ask('POST', '/v3/connections/notion/connection', at)).status).toBe(404);
    expect((await ask('GET', `/v3/connections/${id}/resources`)).status).toBe(501);
    const own = await memoir().scopedKey(['sync-found']);
    const other = await memoir().scopedKey(['another']);
    expect(
      (await ask<Connection[]>('POST', '/v3/connections/list', {}, own)).body.map((one) => one.id),
    ).toEqual([id]);
    expect((await ask<Connection[]>('POST', '/v3/connections/list', {}, other)).body).toEqual([]);
  });

  verifies(
    'connections:documents:listed',
    'lists the documents that it brought, in the published form',
    async () => {
      await bucket().put('a.txt', 'Text a.');
      const id = await connect('sync-listed');
      await ran(id, 1);
      const { body } = await ask<Record<string, unknown>[]>('POST', '/v3/connections/s3/documents', {
        containerTags: ['sync-listed'],
      });
      expect(body).toMatchObject([{ status: 'done', title: 'a.txt', type: 'text', url: null }]);
    },
  );
});

test('a connection goes on after a restart, and one whose secrets cannot be opened says what to do', async () => {
  await bucket().put('a.txt', 'Text a.');
  const id = await connect('sync-restart');
  await ran(id, 1);
  await memoir().restart();
  await bucket().put('b.txt', 'Text b.');
  expect(await sync(id)).toMatchObject({ itemsAdded: 1 });
  const { dir, database } = memoir();
  const other = {
    ...(database === null ? {} : onPostgres(database)),
    MEMOIR_SECRET_KEY: 'another key of this server, long enough',
  };
  await memoir().restart(other, async () => {
    const env = { ...other, MEMOIR_DATA_DIR: dir };
    expect((await run(['secrets', 'forget'], { cwd: dir, env })).stdout).toContain(`connection ${id}`);
  });
  await sync(id);
  expect(await read(id)).toMatchObject({
    status: 'signed_out',
    lastSyncRun: { status: 'failed', errorCode: 'auth_expired' },
    problem: expect.stringContaining('because their key was lost. Sign in again.'),
  });
  const { parts } = await memoir().memoir.service.health();
  expect(parts.connections).toMatchObject({ status: 'degraded', detail: expect.stringContaining(id) });
  expect(await namesUnder('sync-restart')).toHaveLength(2);
  const answer = await ask('POST', `/v3/connections/${id}/reauthorize`, { metadata: bucket().grant.secrets });
  expect(answer.body).toEqual({ id });
  await ran(id, 4);
  expect(await read(id)).toMatchObject({ status: 'active', lastSyncRun: { status: 'completed' } });
});
