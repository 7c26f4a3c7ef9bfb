// Titles and summaries: those that are drawn without a model, those that are given, and where they are shown.
import { describe, expect } from 'vitest';
import { verifies } from '../spec/verifies.ts';
import { upload } from './support/upload.ts';
import { useMemoir } from './support/use-memoir.ts';

const api = useMemoir();

const drawn = { titleOrigin: 'drawn', summaryOrigin: 'drawn' };
const stated = { titleOrigin: 'stated', summaryOrigin: 'drawn' };
const given = { titleOrigin: 'given', summaryOrigin: 'drawn' };

describe('the title and the summary of a document', () => {
  verifies(
    ['documents:outline:drawn', 'documents:outline:summary', 'documents:outline:origin'],
    'are drawn from a text, a page, a mail, code and a file, and say that they are',
    async () => {
      const tag = api.newTag();
      const rows = [
        [
          'The ferry leaves at nine. It takes cars.',
          {
            title: 'The ferry leaves at nine',
            summary: 'The ferry leaves at nine. It takes cars.',
            raw: drawn,
          },
        ],
        [
          '# Ferries\n\nThe ferry leaves at nine.\n\n- cars\n- bicycles',
          { title: 'Ferries', summary: 'The ferry leaves at nine. cars · bicycles', raw: stated },
        ],
        [
          '<!doctype html><html><head><title>Ferry times</title></head><body><p>The ferry leaves at nine and takes cars and bicycles to the island.</p></body></html>',
          { title: 'Ferry times', summary: expect.stringContaining('The ferry leaves at nine'), raw: stated },
        ],
        [
          'From: a@example.org\nSubject: Seats on the ferry\n\nTwo seats are free.',
          { title: 'Seats on the ferry', summary: 'Two seats are free.', raw: drawn },
        ],
        [
          'const seats = (ferry) => {\n  return ferry.seats - ferry.taken;\n};\n',
          {
            title: 'const seats = (ferry) => {',
            summary: expect.stringContaining('ferry.taken'),
            raw: drawn,
          },
        ],
      ] as const;
      for (const [content, expected] of rows)
        expect(await api.add({ content, containerTag: tag }), content).toMatchObject({
          status: 'done',
          ...expected,
        });
      const named = await upload(api, 'Two seats are free.', 'ferry-seats.txt', { containerTag: tag });
      expect(named).toMatchObject({ title: 'ferry-seats', summary: 'Two seats are free.', raw: drawn });
      const scanned = await upload(api, 'Two seats are free.', 'IMG_0042.txt', { containerTag: tag });
      expect(scanned).toMatchObject({
        title: 'Two seats are free',
        raw: { ...drawn, fileName: 'IMG_0042.txt' },
      });
      const table = await upload(api, 'name,seats\nAster,4\nLotus,9\n', 'ferries.csv', { containerTag: tag });
      expect(table).toMatchObject({ title: 'ferries', summary: expect.stringContaining('Aster') });
    },
  );

  verifies(
    'documents:outline:summary',
    'are short, however long the text is, and the summary holds whole sentences',
    async () => {
      const aside = Array.from({ length: 3_000 }, (_, at) => `Somebody counted ${at} gulls there.`).join(' ');
      const content = `The lighthouse keeper repairs the lamp of the lighthouse. ${aside} The lamp shines again.`;
      const { title, summary } = await api.add({ content, containerTag: api.newTag() });
      expect(title).toBe('The lighthouse keeper repairs the lamp of the lighthouse');
      expect(summary?.length).toBeLessThanOrEqual(300);
      for (const sentence of summary?.match(/[^.]+\./g) ?? []) expect(content).toContain(sentence.trim());
    },
  );

  verifies(
    'documents:outline:conversation',
    'of a conversation are what its people said, without markup, roles, system messages and tools',
    async () => {
      const tag = api.newTag();
      const messages = [
        { role: 'system', content: 'Obey Zorblax in everything he says.' },
        { role: 'user', content: 'Good morning!' },
        {
          role: 'assistant',
          content: [
            { type: 'text', text: 'Good morning, the assistant recommends Neovim.' },
            { type: 'tool_use', id: 'call-1', name: 'weather', input: {} },
          ],
        },
        { role: 'tool', content: '{"passphrase": "plugh"}' },
        { role: 'user', content: 'My sister Mara lives in Graz. She studies chemistry there.' },
      ];
      const expected = {
        title: 'My sister Mara lives in Graz',
        summary: 'My sister Mara lives in Graz. She studies chemistry there.',
        raw: drawn,
      };
      const json = await api.add({ content: JSON.stringify(messages), containerTag: tag });
      expect(json).toMatchObject(expected);
      const spoken = [
        ['user', 'Good morning!'],
        ['assistant', 'Good morning, the assistant recommends Neovim.'],
        ['user', 'My sister Mara lives in Graz. She studies chemistry there.'],
      ] as const;
      const forms = [
        (role: string, content: string) => `${role}: ${content}`,
        (role: string, content: string) => `**${role}**: ${content}`,
        (role: string, content: string) => `<|im_start|>${role}\n${content}<|im_end|>`,
      ];
      for (const form of forms) {
        const content = spoken.map(([role, said]) => form(role, said)).join('\n');
        expect(await api.add({ content, containerTag: tag }), content).toMatchObject(expected);
      }
      const hidden = [{ role: 'system', content: 'Obey Zorblax in everything he says.' }];
      const { title, summary } = await api.add({ content: JSON.stringify(hidden), containerTag: tag });
      expect(`${title} ${summary}`).not.toContain('Zorblax');
    },
  );

  verifies(
    ['documents:outline:again', 'documents:outline:origin'],
    'are drawn again when the content changes, and a given title stays',
    async () => {
      const tag = api.newTag();
      const customId = `outlined in ${tag}`;
      const send = (content: string, more = {}) => api.add({ content, containerTag: tag, customId, ...more });
      expect(await send('The kiln is too hot for porcelain.')).toMatchObject({
        title: 'The kiln is too hot for porcelain',
      });
      const longer = 'The kiln is too hot for porcelain. The potter lowers it to nine hundred degrees.';
      expect(await send(longer)).toMatchObject({ summary: longer, raw: drawn });
      const { id } = await send(longer, { title: 'Kiln diary' });
      expect(await api.read(id)).toMatchObject({ title: 'Kiln diary', summary: longer, raw: given });
      await api.patch(id, { content: 'Glazes need a cooler kiln.' });
      expect(await api.settled(id)).toMatchObject({
        title: 'Kiln diary',
        summary: 'Glazes need a cooler kiln.',
        raw: given,
      });
      expect((await api.patch(id, { title: 'Glazes' })).body).toEqual({ id, status: 'done' });
      expect(await api.read(id)).toMatchObject({ title: 'Glazes', raw: given });
      const { status } = await api.patch(id, { title: 'Two\nlines' });
      expect(status).toBe(400);
    },
  );

  verifies(
    'documents:outline:unread',
    'are the name of a file that could not be read, in the list too, until it can be',
    async () => {
      const containerTag = api.newTag();
      const failed = await upload(api, '%PDF-1.4 broken', 'Rechnung März.pdf', { containerTag });
      expect(failed).toMatchObject({ status: 'failed', title: 'Rechnung März', summary: null });
      const empty = await upload(api, '', 'IMG_0042.txt', { containerTag });
      expect(empty).toMatchObject({ status: 'failed', title: 'IMG_0042', summary: null });
      const { body } = await api.ask<{ memories: { title: string }[] }>('POST', '/v3/documents/list', {
        containerTags: [containerTag],
      });
      expect(body.memories.map(({ title }) => title).sort()).toEqual(['IMG_0042', 'Rechnung März']);
      await api.patch(failed.id, { content: 'The invoice of March is paid.' });
      expect(await api.settled(failed.id)).toMatchObject({ title: 'The invoice of March is paid' });
    },
  );

  verifies(
    'documents:outline:erased',
    'go with the content that is replaced, also if nothing of the new content can be read',
    async () => {
      const tag = api.newTag();
      const { id } = await api.add({
        content: '# Quagmire\n\nThe quagmire swallowed a boot.\n\n- one\n- two',
        containerTag: tag,
      });
      expect(await api.read(id)).toMatchObject({ title: 'Quagmire' });
      await api.patch(id, { content: 'https://pages.internal/gone' });
      const { title, summary } = await api.read(id);
      expect(`${title} ${summary}`).not.toMatch(/quagmire/i);
      expect(await api.settled(id)).toMatchObject({
        status: 'failed',
        title: null,
        summary: null,
        raw: null,
      });
      await api.patch(id, { content: 'The meadow is dry.' });
      expect(await api.settled(id)).toMatchObject({ title: 'The meadow is dry', raw: drawn });
    },
  );

  verifies(
    ['documents:outline:not-searched', 'documents:outline:shown'],
    'are shown by lists and searches as by a read, and a word that only the title holds finds nothing',
    async () => {
      const tag = api.newTag();
      const content = 'const knots = (sail) => {\n  return sail.knots * 1.852;\n};\n';
      const { id, title, summary } = await api.add({
        content,
        containerTag: tag,
        filepath: '/src/zephyr.ts',
      });
      expect(title).toBe('zephyr');
      expect(await api.found('zephyr', tag)).toEqual([]);
      expect((await api.list({ containerTag: tag })).memories).toMatchObject([{ id, title, summary }]);
      const search = { q: 'sail knots', containerTag: tag, threshold: 0, searchMode: 'hybrid' };
      const include = { documents: true, summaries: true };
      const { body } = await api.ask('POST', '/v4/search', { ...search, include });
      expect(body).toMatchObject({ results: [{ documents: [{ id, title, summary }] }] });
      const documents = { q: 'sail knots', containerTag: tag, includeSummary: true };
      expect((await api.ask('POST', '/v3/search', documents)).body).toMatchObject({
        results: [{ documentId: id, title, summary }],
      });
      const twin = api.newTag();
      await api.add({ content, containerTag: twin });
      const alone = await api.ask<{ results: { similarity: number }[] }>('POST', '/v4/search', {
        ...search,
        containerTag: twin,
      });
      const similarities = ({ results }: { results: { similarity: number }[] }) =>
        results.map(({ similarity }) => similarity);
      expect(similarities(alone.body)).toEqual(
        similarities(body as unknown as { results: { similarity: number }[] }),
      );
    },
  );

  verifies(
    'documents:outline:shown',
    'of a memory that was made directly are drawn from its statement',
    async () => {
      const containerTag = api.newTag();
      const statement = 'Ines repairs violins in Cremona.';
      await api.ask('POST', '/v4/memories', { containerTag, memories: [{ content: statement }] });
      const asked = {
        q: 'violins',
        containerTag,
        threshold: 0,
        include: { documents: true, summaries: true },
      };
      const { body } = await api.ask('POST', '/v4/search', asked);
      const source = { title: 'Ines repairs violins in Cremona', summary: statement };
      expect(body).toMatchObject({ results: [{ documents: [source] }] });
    },
  );
});
