// Deleting documents over REST: one or many, for good.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { verifies } from '../spec/verifies.ts';
import { databaseRows } from '../support/stored-rows.ts';
import { until } from '../support/until.ts';
import { beside } from './support/beside.ts';
import { pathOf, type Refusal, useOwnMemoir } from './support/use-memoir.ts';

const api = useOwnMemoir();

interface BulkBody extends Refusal {
  success: boolean;
  deletedCount: number;
  errors?: { id: string; error: string }[];
  containerTags?: string[];
}

const NOBODY = '1ChDvHAMGsTYotPNsRQ1Zw';

const bulk = (body: unknown, as?: { key: string }) =>
  api.ask<BulkBody>('DELETE', '/v3/documents/bulk', body, as);

const several = async (tag: string, many: number, more: Record<string, unknown> = {}): Promise<string[]> => {
  const documents = Array.from({ length: many }, (_, index) => ({
    content: `Heron ${index} of ${tag}.`,
    ...more,
  }));
  const { body } = await api.ask<{ results: { id: string }[] }>('POST', '/v3/documents/batch', {
    documents,
    containerTag: tag,
  });
  await api.memoir.idle();
  return body.results.map(({ id }) => id);
};

const left = async (tag: string): Promise<string[]> =>
  (await api.list({ containerTag: tag, order: 'asc', limit: 100 })).memories.map(({ id }) => id);

describe('deleting one document', () => {
  verifies(
    ['documents:delete:by-id', 'documents:delete:no-content', 'documents:delete:permanent'],
    'deleting one document by its id answers 204 without a body, and it is gone from reads, lists, chunks and both searches',
    async () => {
      const tag = api.newTag();
      const [id = '', stays = ''] = await several(tag, 2);
      const answer = await api.remove(id);
      expect([answer.status, answer.body]).toEqual([204, '']);
      for (const path of [pathOf(id), `${pathOf(id)}/chunks`])
        expect((await api.ask('GET', path)).status).toBe(404);
      expect(await left(tag)).toEqual([stays]);
      expect(await api.found('heron', tag)).toEqual([`Heron 1 of ${tag}.`]);
      for (const searchMode of ['semantic', 'hybrid', 'memories', 'documents'])
        expect(await api.found('heron', tag, { searchMode })).toEqual([`Heron 1 of ${tag}.`]);
      const documents = await api.ask('POST', '/v3/search', { q: 'heron', containerTag: tag });
      expect(documents.body).toMatchObject({ total: 1, results: [{ documentId: stays }] });
      expect((await api.patch(id, { metadata: { back: true } })).status).toBe(404);
    },
  );

  verifies(
    'documents:delete:by-custom-id',
    'deleting one document by its customId, percent-encoded, deletes that one',
    async () => {
      const names = ['a/b c:d', 'a%2Fb%20c:d', '日本語', '?x=1&y#z', '😀'];
      for (const customId of names) await api.add({ content: `Named ${customId}.`, customId });
      for (const [index, customId] of names.entries()) {
        expect((await api.remove(customId)).status, customId).toBe(204);
        for (const [other, name] of names.entries())
          expect((await api.ask('GET', pathOf(name))).status, name).toBe(other <= index ? 404 : 200);
      }
    },
  );

  verifies(
    'documents:delete:custom-id-free',
    'deleting one document frees its customId for a new document',
    async () => {
      const named = { customId: `free ${api.newTag()}`, containerTag: api.newTag() };
      const first = await api.add({ content: 'The first text.', metadata: { kind: 'old' }, ...named });
      await api.remove(first.id);
      const second = await api.add({ content: 'The second text.', ...named });
      expect(second.id).not.toBe(first.id);
      expect(second).toMatchObject({ content: 'The second text.', metadata: null, status: 'done' });
      expect(await api.texts(named.customId)).toEqual(['The second text.']);
    },
  );

  verifies(
    'documents:delete:unknown',
    'deleting a document that does not exist fails with 404, and so does a second time',
    async () => {
      for (const ref of [NOBODY, 'nobody']) {
        const { status, body } = await api.remove(ref);
        expect([status, body.error]).toEqual([404, expect.stringContaining(ref)]);
      }
      const { id } = await api.add({ content: 'Once only.' });
      expect((await api.remove(id)).status).toBe(204);
      expect((await api.remove(id)).status).toBe(404);
      const other = await api.add({ content: 'Once only, however many ask.' });
      const answers = await Promise.all(Array.from({ length: 5 }, () => api.remove(other.id)));
      expect(answers.map(({ status }) => status).sort()).toEqual([204, 404, 404, 404, 404]);
    },
  );
});

describe('deleting many documents', () => {
  verifies(
    ['documents:bulk-delete:ids', 'documents:bulk-delete:counts', 'documents:bulk-delete:body'],
    'deleting many documents by ids removes those and answers with their number alone',
    async () => {
      const tag = api.newTag();
      const ids = await several(tag, 5);
      const { status, body } = await bulk({ ids: ids.slice(0, 3) });
      expect([status, body]).toEqual([200, { success: true, deletedCount: 3 }]);
      expect(await left(tag)).toEqual(ids.slice(3));
      expect((await bulk({ ids: [ids[3]] })).body).toEqual({ success: true, deletedCount: 1 });
      expect((await bulk({ ids: [ids[4], ids[4]] })).body.deletedCount).toBe(1);
    },
  );

  verifies(
    'documents:bulk-delete:missing-id',
    'deleting many documents names ids that are missing and deletes the others',
    async () => {
      const tag = api.newTag();
      const [id] = await several(tag, 1);
      const { status, body } = await bulk({ ids: [NOBODY, id, 'nobody'] });
      expect(status).toBe(200);
      expect(body).toEqual({
        success: true,
        deletedCount: 1,
        errors: [
          { id: NOBODY, error: 'Memory not found' },
          { id: 'nobody', error: 'Memory not found' },
        ],
      });
      expect(await left(tag)).toEqual([]);
      expect((await bulk({ ids: [id] })).body).toMatchObject({ success: true, deletedCount: 0 });
    },
  );

  verifies(
    'documents:bulk-delete:limit',
    'deleting many documents takes 1 to 100 ids; with more it deletes nothing',
    async () => {
      const tag = api.newTag();
      const ids = await several(tag, 101);
      for (const wrong of [ids, [], Array.from({ length: 100_001 }, () => NOBODY), ids[0], [5], ['']]) {
        const { status, body } = await bulk({ ids: wrong });
        expect([status, body.error]).toEqual([400, expect.stringContaining('ids')]);
      }
      expect((await api.list({ containerTag: tag })).pagination.totalItems).toBe(101);
      expect((await bulk({ ids: ids.slice(0, 100) })).body.deletedCount).toBe(100);
      expect(await left(tag)).toEqual(ids.slice(100));
    },
  );

  verifies(
    ['documents:bulk-delete:tags', 'documents:bulk-delete:counts'],
    'deleting many documents by containerTags removes all content of those tags and no other',
    async () => {
      const [a, b, c] = [api.newTag(), api.newTag(), api.newTag()];
      for (const tag of [a, b, c]) await several(tag, 3);
      const shared = await api.add({ content: 'In two.', containerTags: [c, a] });
      const { status, body } = await bulk({ containerTags: [a, b] });
      expect([status, body]).toEqual([200, { success: true, deletedCount: 7, containerTags: [a, b] }]);
      expect([await left(a), await left(b)]).toEqual([[], []]);
      expect(await left(c)).toHaveLength(3);
      expect(await left(c)).not.toContain(shared.id);
      for (const [tag, many] of [[a, 0] as const, [c, 3] as const])
        expect(await api.found('heron', tag)).toHaveLength(many);
      expect((await bulk({ containerTags: [a] })).body).toMatchObject({ success: true, deletedCount: 0 });
    },
  );

  verifies(
    'documents:bulk-delete:tags',
    'deleting many documents by a tag removes thousands in one call',
    async () => {
      const tag = api.newTag();
      const documents = Array.from({ length: 600 }, (_, index) => `Leaf ${index}.`);
      for (let round = 0; round < 4; round++)
        await api.ask('POST', '/v3/documents/batch', { documents, containerTag: tag });
      expect((await bulk({ containerTags: [tag] })).body.deletedCount).toBe(2400);
      expect(await left(tag)).toEqual([]);
    },
  );

  verifies(
    'documents:bulk-delete:filepath',
    'deleting many documents by a path is exact, or takes all below a folder',
    async () => {
      const tag = api.newTag();
      const root = `/${tag}`;
      const paths = ['/a.md', '/deep/b.md', '/deep/er/c.md', '/deeper/d.md', '/deep'];
      const ids: string[] = [];
      for (const path of paths)
        ids.push((await api.add({ content: `At ${path}`, filepath: root + path, containerTag: tag })).id);
      const [, , , d, deep] = ids;
      expect((await bulk({ filepath: `${root}/nowhere/` })).body.deletedCount).toBe(0);
      expect((await bulk({ filepath: root })).body.deletedCount).toBe(0);
      expect((await bulk({ filepath: `${root}/a.md` })).body).toEqual({ success: true, deletedCount: 1 });
      expect((await bulk({ filepath: `${root}/deep/` })).body.deletedCount).toBe(2);
      expect(await left(tag)).toEqual([d, deep]);
    },
  );

  verifies(
    'documents:bulk-delete:nothing-named',
    'deleting many documents has to name what, in one way',
    async () => {
      const tag = api.newTag();
      const ids = await several(tag, 2);
      const wrong = [undefined, {}, { containerTags: [] }, { filepath: '' }, { everything: true }];
      const mixed = [
        { ids, containerTags: [tag] },
        { ids, filepath: '/' },
        { containerTags: [tag], filepath: '/' },
      ];
      for (const body of [...wrong, ...mixed])
        expect((await bulk(body)).status, JSON.stringify(body)).toBe(400);
      expect(await left(tag)).toEqual(ids);
    },
  );
});

/** True when any file of the data folder holds these bytes. */
const isOnDisk = (text: string): boolean => {
  const files = readdirSync(api.memoir.dir, { recursive: true, withFileTypes: true });
  return files.some((file) => file.isFile() && readFileSync(join(file.parentPath, file.name)).includes(text));
};

const TABLES = "select table_name from information_schema.tables where table_schema = 'public'";

/** True when any row in the tables of a PostgreSQL, whose files are elsewhere, holds these bytes. */
const isInTables = async (database: string, text: string): Promise<boolean> => {
  const hex = Buffer.from(text).toString('hex');
  const isIn = async (table: unknown) => {
    const query = `select 1 from "${table}" as kept where position(? in kept::text) + position(? in kept::text) > 0 limit 1`;
    return (await databaseRows(database, query, [text, hex])).length > 0;
  };
  for (const { table_name } of await databaseRows(database, TABLES)) if (await isIn(table_name)) return true;
  return false;
};

const isKept = async (text: string): Promise<boolean> =>
  isOnDisk(text) || (api.memoir.database !== null && (await isInTables(api.memoir.database, text)));

const stored = async (query: string) => Number((await beside(api.memoir, query))[0]);
const deletedRows = () => stored('select count(*) from documents where deleted = 1');
const unread = () => stored(`select count(*) from documents where deleted = 0 and memory_state = 'waiting'`);
const vectors = () => stored('select sum(vectors) from spaces');

verifies(
  ['documents:delete:erased', 'documents:delete:permanent'],
  'what was deleted is in no file of the data folder, nor in a table of a PostgreSQL, a few seconds later, and its vectors are gone',
  async () => {
    const tag = api.newTag();
    const secrets = ['Quetzalcoatlus', 'xylophonist', 'zanzibarite'];
    const [text, value, earlier] = secrets;
    const whichAreKept = () => Promise.all(secrets.map(isKept));
    const customId = `erased ${tag}`;
    await api.add({ content: 'This one stays.', containerTag: tag, taskType: 'superrag' });
    await until('earlier deletions to be erased', async () => (await deletedRows()) === 0);
    await until('the memories of earlier documents', async () => (await unread()) === 0);
    const before = await vectors();
    const searched = { customId, containerTag: tag, taskType: 'superrag' };
    await api.add({ content: `user: The word is ${earlier}.`, ...searched });
    await api.add({ content: `user: No, it is ${text}.`, ...searched, metadata: { value } });
    expect(await vectors()).toBe(before + 2);
    expect(await whichAreKept(), 'before').toEqual([true, true, true]);
    expect((await api.remove(customId)).status).toBe(204);
    await until('the secrets to be erased', async () => !(await whichAreKept()).includes(true));
    expect(await whichAreKept(), 'after').toEqual([false, false, false]);
    expect([await deletedRows(), await vectors()]).toEqual([0, before]);
  },
);
