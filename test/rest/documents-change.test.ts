// Updating a document over REST: its content, its metadata, and what else describes it.
import { describe, expect } from 'vitest';
import { verifies } from '../spec/verifies.ts';
import { searchedOnly } from './support/searched-only.ts';
import { useEmbeddings } from './support/use-embeddings.ts';
import { useOwnMemoir } from './support/use-memoir.ts';

const embeddings = useEmbeddings();
const api = searchedOnly(useOwnMemoir(embeddings.env));

const CHAT = 'user: Where do herons nest?\nassistant: In tall trees.\nuser: And in winter?';

/** Changes the content and waits until that was processed; gives the texts that were embedded for it. */
const rewrite = (ref: string, content: string): Promise<string[]> =>
  embeddings.during(async () => {
    const { status, body } = await api.patch(ref, { content });
    expect([status, body.status]).toEqual([200, 'queued']);
    expect(await api.settled(ref)).toMatchObject({ status: 'done', content });
  });

describe('an update of the content', () => {
  verifies(
    ['documents:update:content-replaces', 'documents:update:reprocessed', 'documents:update:always-replaces'],
    'an update of the content replaces the whole text and processes the whole document again',
    async () => {
      const tag = api.newTag();
      const { id } = await api.add({ content: CHAT, containerTag: tag });
      const before = await api.chunks(id);
      const embedded = await rewrite(id, 'user: Which train goes to Lyon?\nassistant: The one at noon.');
      expect(embedded).toHaveLength(2);
      const after = await api.chunks(id);
      expect(after.map(({ content }) => content)).toEqual(['Which train goes to Lyon?', 'The one at noon.']);
      const gone = new Set(before.map((chunk) => chunk.id));
      expect(after.filter((chunk) => gone.has(chunk.id))).toEqual([]);
      expect(await api.found('herons trees winter', tag)).toEqual([]);
      expect((await api.found('train', tag))[0]).toContain('train goes to Lyon?');
    },
  );

  verifies(
    ['documents:update:always-replaces', 'documents:update:content-replaces'],
    'an update of the content never appends, though the text begins with the old one, is a part of it, or shares nothing',
    async () => {
      const { id } = await api.add({ content: CHAT, customId: `always ${api.newTag()}` });
      await rewrite(id, `${CHAT}\nassistant: They fly south.`);
      await rewrite(id, 'user: And in winter?');
      expect(await api.texts(id)).toEqual(['And in winter?']);
      await rewrite(id, 'Nothing of a conversation.');
      await rewrite(id, '<p>Nothing of a <em>text</em> either.</p>');
      expect(await api.texts(id)).toEqual([expect.stringContaining('either')]);
    },
  );

  verifies(
    'documents:update:failed',
    'an update of the content hides the former text for good, though the new one could not be read or embedded',
    async () => {
      for (const refused of ['https://pages.internal/instead', 'The service refuses this.']) {
        const tag = api.newTag();
        const { id } = await api.add({ content: '# Kettles\n\nA secret about kettles.', containerTag: tag });
        if (!refused.startsWith('http')) embeddings.refuseNext(refused);
        await api.patch(id, { content: refused });
        expect(await api.settled(id)).toMatchObject({ status: 'failed', content: refused, title: null });
        for (const searchMode of ['keyword', 'semantic'])
          expect(await api.found('kettles', tag, { searchMode })).toEqual([]);
        expect(await api.chunks(id)).toEqual([]);
        await rewrite(id, 'Kettles after all.');
        expect(await api.texts(id)).toEqual(['Kettles after all.']);
      }
    },
  );

  verifies(
    ['documents:update:failed', 'resend:file:replaced'],
    'an update of the content as a file that is sent again does; what only should have been added hides nothing',
    async () => {
      const sent = async (fields: Record<string, unknown>) => {
        const named = { customId: `failing ${api.newTag()}`, containerTag: api.newTag(), ...fields };
        const { id } = await api.add({ content: 'user: About kettles.', ...named });
        embeddings.refuseNext('About trains');
        expect((await api.add({ content: 'user: About trains.', ...named })).status).toBe('failed');
        return [await api.texts(id), (await api.found('kettles', named.containerTag)).length];
      };
      expect(await sent({ filepath: '/kettles.md' })).toEqual([[], 0]);
      expect(await sent({})).toEqual([['About kettles.'], 1]);
    },
  );

  verifies(
    'documents:update:content-replaces',
    'an update of the content takes along the title and the address',
    async () => {
      const { id } = await api.add({ content: '# Tea report\n\nGreen tea is good.\n\n- one\n- two' });
      expect((await api.read(id)).title).toBe('Tea report');
      await rewrite(id, '# Coffee report\n\nCoffee is better.\n\n- one\n- two');
      expect((await api.read(id)).title).toBe('Coffee report');
      await api.patch(id, { content: 'https://pages.internal/a' });
      expect(await api.settled(id)).toMatchObject({ type: 'webpage', url: 'https://pages.internal/a' });
      await rewrite(id, 'A text again.');
      expect(await api.read(id)).toMatchObject({ type: 'text', url: null, title: 'A text again' });
      const named = await api.add({
        content: '# Given\n\nA title.\n\n- one\n- two',
        title: 'The caller said',
      });
      await rewrite(named.id, '# Changed\n\nA title.\n\n- one\n- two');
      expect((await api.read(named.id)).title).toBe('The caller said');
    },
  );

  verifies(
    'documents:update:status',
    'an update of the content answers "done" when it is the same text',
    async () => {
      const { id } = await api.add({ content: CHAT });
      const chunks = await api.chunks(id);
      const embedded = await embeddings.during(async () => {
        const { status, body } = await api.patch(id, { content: CHAT });
        expect([status, body]).toEqual([200, { id, status: 'done' }]);
        expect(await api.read(id)).toMatchObject({ status: 'done' });
      });
      expect(embedded).toEqual([]);
      expect(await api.chunks(id)).toEqual(chunks);
    },
  );

  verifies(
    'documents:update:content-replaces',
    'an update of the content refuses what an add refuses',
    async () => {
      const { id } = await api.add({ content: CHAT });
      for (const content of ['', ' ', 5, 'x'.repeat(10 * 1024 * 1024 + 1)])
        expect((await api.patch(id, { content })).status).toBe(400);
      expect((await api.read(id)).content).toBe(CHAT);
    },
  );
});

describe('an update of metadata alone', () => {
  verifies(
    [
      'documents:update:metadata-in-place',
      'documents:update:metadata-found',
      'documents:update:metadata-merges',
      'documents:update:patch',
      'documents:update:status',
    ],
    'an update of metadata alone is searchable at once, with nothing queued and nothing embedded',
    async () => {
      const tag = api.newTag();
      const metadata = { drink: 'tea', cups: 2, hot: true };
      const { id } = await api.add({ content: CHAT, containerTag: tag, metadata });
      const chunks = await api.chunks(id);
      const where = (key: string, value: string) => ({ filters: { AND: [{ key, value }] } });
      const holders = async (key: string, value: string) => [
        (await api.holders('herons', tag, where(key, value))).length,
        (await api.list({ containerTag: tag, ...where(key, value) })).memories.length,
      ];
      expect(await holders('drink', 'tea')).toEqual([1, 1]);
      const embedded = await embeddings.during(async () => {
        const { status, body } = await api.patch(id, { metadata: { drink: 'coffee', milk: false } });
        expect([status, body]).toEqual([200, { id, status: 'done' }]);
        expect(await holders('drink', 'coffee')).toEqual([1, 1]);
        expect(await holders('drink', 'tea')).toEqual([0, 0]);
        expect(await holders('milk', 'false')).toEqual([1, 1]);
        expect(await holders('cups', '2')).toEqual([1, 1]);
        const queue = await api.ask('GET', `/v3/documents/processing?containerTag=${tag}`);
        expect(queue.body).toEqual({ documents: [], totalCount: 0 });
      });
      expect(embedded).toEqual([]);
      expect(await api.chunks(id)).toEqual(chunks);
      const merged = { drink: 'coffee', milk: false, cups: 2, hot: true };
      expect(await api.read(id)).toMatchObject({ status: 'done', content: CHAT, metadata: merged });
      const documents = await api.ask('POST', '/v3/search', { q: 'herons', containerTag: tag });
      expect(documents.body).toMatchObject({ results: [{ documentId: id, metadata: merged }] });
    },
  );

  verifies(
    'documents:update:metadata-found',
    'an update of metadata alone is found under a value of another type',
    async () => {
      const tag = api.newTag();
      const { id } = await api.add({ content: CHAT, containerTag: tag, metadata: { size: 'large' } });
      await api.patch(id, { metadata: { size: 40 } });
      const above = { key: 'size', value: '39', filterType: 'numeric', numericOperator: '>' };
      expect(await api.holders('herons', tag, { filters: { AND: [above] } })).toEqual([id]);
      const text = { AND: [{ key: 'size', value: 'large' }] };
      expect(await api.holders('herons', tag, { filters: text })).toEqual([]);
    },
  );

  verifies(
    'documents:update:metadata-flat',
    'an update of metadata alone that is nested is refused and changes nothing',
    async () => {
      const { id } = await api.add({ content: CHAT, metadata: { kind: 'flat' } });
      const before = await api.memoir.remembered(id);
      for (const wrong of [{ deep: { er: 1 } }, { list: ['x'] }]) {
        const { status, body } = await api.patch(id, { metadata: wrong, content: 'Changed as well.' });
        expect([status, body.error]).toEqual([400, expect.stringContaining('metadata')]);
      }
      expect(await api.read(id)).toEqual(before);
    },
  );
});

describe('an update', () => {
  verifies('documents:update:custom-id', 'an update is addressed by id or by customId', async () => {
    const customId = 'by its name/ü 1';
    const { id } = await api.add({ content: CHAT, customId });
    expect((await api.patch(customId, { metadata: { by: 'customId' } })).body.id).toBe(id);
    expect((await api.patch(id, { metadata: { also: 'id' } })).body.id).toBe(id);
    expect((await api.read(id)).metadata).toEqual({ by: 'customId', also: 'id' });
  });

  verifies(
    'documents:update:other-fields',
    'an update can change customId, taskType and filepath',
    async () => {
      const [old, fresh] = [`old ${api.newTag()}`, `fresh ${api.newTag()}`];
      const { id } = await api.add({ content: CHAT, customId: old });
      const changes = { customId: fresh, taskType: 'superrag', filepath: '/moved.md' };
      const embedded = await embeddings.during(async () => {
        expect((await api.patch(id, changes)).body).toEqual({ id, status: 'done' });
      });
      expect(embedded).toEqual([]);
      expect(await api.read(fresh)).toMatchObject({ id, ...changes });
      expect((await api.ask('GET', `/v3/documents/${encodeURIComponent(old)}`)).status).toBe(404);
      expect((await api.list({ filepath: '/moved.md' })).memories.map((item) => item.id)).toEqual([id]);
      expect((await api.post({ content: CHAT, customId: fresh })).body).toEqual({ id, status: 'done' });
    },
  );

  verifies(
    'documents:update:other-fields',
    'an update can move a document to another container tag',
    async () => {
      const [from, to] = [api.newTag(), api.newTag()];
      const metadata = { kind: 'moved' };
      const { id } = await api.add({ content: CHAT, containerTag: from, metadata });
      const texts = await api.texts(id);
      const embedded = await embeddings.during(async () => {
        expect((await api.patch(id, { containerTag: to })).status).toBe(200);
        expect(await api.settled(id)).toMatchObject({ status: 'done', containerTags: [to], metadata });
      });
      expect(embedded, 'vectors move along').toEqual([]);
      expect(await api.texts(id)).toEqual(texts);
      const filters = { AND: [{ key: 'kind', value: 'moved' }] };
      for (const [tag, many] of [[from, 0] as const, [to, 1] as const]) {
        expect((await api.list({ containerTag: tag, filters })).memories).toHaveLength(many);
        expect(await api.holders('herons', tag, { filters })).toHaveLength(many);
        expect(await api.holders('herons', tag, { searchMode: 'semantic' })).toHaveLength(many);
      }
    },
  );

  verifies('documents:update:other-fields', 'an update does not take a customId that is taken', async () => {
    const customId = `taken ${api.newTag()}`;
    const holder = await api.add({ content: CHAT, customId });
    const other = await api.add({ content: 'Another.' });
    const { status, body } = await api.patch(other.id, { customId, metadata: { changed: true } });
    expect([status, body.error]).toEqual([409, expect.stringContaining(holder.id)]);
    expect(await api.read(other.id)).toMatchObject({ customId: null, metadata: null });
    for (const wrong of ['bulk', '', 'x'.repeat(256)])
      expect((await api.patch(other.id, { customId: wrong })).status).toBe(400);
  });

  verifies('documents:update:unknown', 'an update of an id that does not exist fails with 404', async () => {
    for (const ref of ['1ChDvHAMGsTYotPNsRQ1Zw', 'nobody']) {
      const { status, body } = await api.patch(ref, { content: 'For nobody.' });
      expect([status, body.error]).toEqual([404, expect.stringContaining(ref)]);
    }
  });
});
