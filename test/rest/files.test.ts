// Every kind of file over REST: read, and found with the place where it stands.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { pdf } from '../adapters/extract/fixtures/pdf.ts';
import { scanOf } from '../adapters/extract/fixtures/scan.ts';
import { verifies } from '../spec/verifies.ts';
import { upload } from './support/upload.ts';
import { useMemoir } from './support/use-memoir.ts';

const api = useMemoir();

const sample = (path: string): Buffer =>
  readFileSync(join(import.meta.dirname, '..', 'fixtures', 'samples', path));

interface Placed {
  content: string;
  metadata?: Record<string, unknown>;
}

/** The passages that hold these words, each with its place, as both searches tell it. */
const placesOf = async (words: string, tag: string): Promise<unknown[]> => {
  const asked = { q: words, containerTag: tag, searchMode: 'keyword', limit: 5, threshold: 0 };
  const old = await api.ask<{ results: { chunks: Placed[] }[] }>('POST', '/v3/search', asked);
  const places = old.body.results.flatMap(({ chunks }) => chunks.map(({ metadata }) => metadata));
  const documents = { ...asked, searchMode: 'documents' };
  const now = await api.ask<{ results: { metadata: Record<string, unknown> }[] }>(
    'POST',
    '/v4/search',
    documents,
  );
  const [first] = now.body.results;
  expect(first?.metadata).toMatchObject(places[0] ?? {});
  return places;
};

describe('a PDF', () => {
  verifies(
    ['content:documents:pdf', 'content:place:named', 'content:bytes:decide'],
    'a PDF is found with its page, whatever it is called',
    async () => {
      const tag = api.newTag();
      const file = pdf([
        { lines: ['The harbour opens at dawn.'], chapter: 'Harbour' },
        { lines: ['The lighthouse keeper is called Mara.'], chapter: 'Lighthouse' },
      ]);
      const document = await upload(api, file, 'harbour.docx', { containerTag: tag });
      expect(document).toMatchObject({
        ...{ status: 'done', type: 'pdf', title: 'harbour', metadata: { pages: 2 } },
        raw: { fileName: 'harbour.docx', mimeType: 'application/pdf' },
      });
      expect(document.content).toContain('The harbour opens at dawn.\n\n');
      expect(await placesOf('lighthouse keeper', tag)).toEqual([{ page: 2, heading: 'Lighthouse' }]);
      expect(await placesOf('opens at dawn', tag)).toEqual([{ page: 1, heading: 'Harbour' }]);
    },
  );

  verifies(
    'content:documents:pdf',
    'a PDF without a text is read by OCR',
    async () => {
      const tag = api.newTag();
      const picture = sample('img/label16px.png');
      const scan = pdf([{ lines: ['A page of text.'] }, { lines: [], picture }]);
      const document = await upload(api, scan, 'scan.pdf', { containerTag: tag });
      expect(document).toMatchObject({ type: 'pdf', status: 'done' });
      expect(await placesOf('invoice 83921', tag)).toEqual([{ page: 2 }]);
    },
    { timeoutMs: 60_000 },
  );

  verifies(
    'content:pdf:columns',
    'the columns of a scan are read one after the other',
    async () => {
      const tag = api.newTag();
      const boats = [
        'Boats leave the',
        'harbour at dawn',
        'and carry fish,',
        'salt and letters',
        'to the islands.',
      ];
      const trains = [
        'Trains reach the',
        'station at noon',
        'and bring bread,',
        'coal and guests',
        'from the hills.',
      ];
      const lines = [...boats, ...trains];
      const scan = await scanOf({ lines, print: { font: 'Helvetica', points: 16, columns: 2 } });
      const { content } = await upload(api, scan, 'columns.pdf', { containerTag: tag });
      expect(String(content).replace(/\s+/g, ' ')).toContain(
        'Boats leave the harbour at dawn and carry fish, salt and letters to the islands.',
      );
    },
    { timeoutMs: 60_000 },
  );

  verifies(
    ['content:note:left-out', 'processing:failed:reason'],
    'a PDF that is locked, broken or empty says so',
    async () => {
      for (const [path, code] of [
        ['bad/enc-user.pdf', 'encrypted_file'],
        ['bad/pageloop.pdf', 'corrupt_file'],
        ['bad/blank.pdf', 'no_text_found'],
      ] as const) {
        const { status, failure, content } = await upload(api, sample(path), 'file.pdf');
        expect([status, failure?.code, content], path).toEqual(['failed', code, null]);
        expect(failure?.message).toMatch(/^[A-Z].*\. [A-Z].*\.$/);
      }
    },
  );
});

verifies(
  ['content:documents:office', 'content:place:named'],
  'a deck is found with its slide, a text with its heading, an old document by its words',
  async () => {
    const tag = api.newTag();
    const deck = await upload(api, sample('office/slides.pptx'), 'deck', { containerTag: tag });
    expect(deck).toMatchObject({ status: 'done', title: 'Quarterly Review', metadata: { slides: 4 } });
    expect(await placesOf('revenue grew', tag)).toEqual([expect.objectContaining({ slide: 2 })]);
    const text = await upload(api, sample('office/rich.docx'), 'museum.docx', { containerTag: tag });
    expect(text).toMatchObject({ status: 'done', title: 'Harbour Museum' });
    const old = await upload(api, sample('office/table.doc'), 'old.doc', { containerTag: tag });
    expect(old).toMatchObject({ status: 'done', type: 'text' });
    expect(old.content?.length).toBeGreaterThan(50);
    const twice = await upload(api, sample('bad/docx-named.pdf'), 'really.pdf', { containerTag: tag });
    expect(twice.raw).toMatchObject({ mimeType: expect.stringContaining('wordprocessingml') });
  },
  { timeoutMs: 60_000 },
);

verifies(
  ['content:spreadsheets:csv', 'content:place:named'],
  'a table is found with its sheet and row, its cells under their headers',
  async () => {
    const tag = api.newTag();
    const book = await upload(api, sample('office/book.xlsx'), 'book.xlsx', { containerTag: tag });
    expect(book).toMatchObject({ status: 'done', metadata: { sheets: 2 } });
    expect(await placesOf('South East 3400', tag)).toEqual([
      expect.objectContaining({ sheet: 'Sales', row: 3 }),
    ]);
    const csv = 'room,price\nblue,40\n"green, large",55\n';
    await upload(api, csv, 'rooms.csv', { containerTag: tag });
    expect(await api.found('green', tag)).toEqual(['room: green, large; price: 55']);
    expect(await placesOf('green large', tag)).toEqual([{ row: 3 }]);
  },
  { timeoutMs: 60_000 },
);

verifies(
  'content:images:ocr',
  'a picture is found by what is written on it',
  async () => {
    const tag = api.newTag();
    for (const path of ['img/label16px.png', 'img/transparent.png']) {
      const document = await upload(api, sample(path), 'picture', { containerTag: tag });
      expect(document, path).toMatchObject({ status: 'done', type: 'image' });
      expect(document.content, path).toContain('invoice #83921');
    }
    expect(await api.found('invoice 83921', tag)).not.toEqual([]);
    const animated = await upload(api, sample('img/anim.gif'), 'animated');
    expect(animated.failure?.code).toBe('no_text_found');
    const lie = await upload(api, sample('bad/giant-lie.png'), 'giant.png');
    expect(lie.failure?.code).toMatch(/^(?:image_too_large|corrupt_file)$/);
  },
  { timeoutMs: 120_000 },
);

verifies(
  ['content:place:named', 'content:documents:text-files'],
  'subtitles are found with their time, a chat that was saved as a file turn by turn, a text in its own charset',
  async () => {
    const tag = api.newTag();
    const lines = Array.from(
      { length: 40 },
      (_, n) =>
        `00:0${Math.floor(n / 10)}:${10 + n}.000 --> 00:0${Math.floor(n / 10)}:${11 + n}.000\nLine ${n} of the talk about ${n === 35 ? 'the zeppelin' : 'harbours and their museums'}.`,
    );
    await upload(api, `WEBVTT\n\n${lines.join('\n\n')}\n`, 'talk.vtt', { containerTag: tag });
    const [place] = (await placesOf('zeppelin', tag)) as { startTime: number; endTime: number }[];
    expect(place?.startTime).toBeLessThanOrEqual(225);
    expect(place?.endTime).toBeGreaterThanOrEqual(226);
    await upload(api, sample('conv/messages.json'), 'chat.json', { containerTag: tag });
    const [turn] = await api.found('trip to Lisbon', tag);
    expect(turn).toMatch(/^user: Hi, I'm planning a trip to Lisbon/);
    const japanese = await upload(api, sample('text/enc-ja-shift_jis.txt'), 'ja.txt', { containerTag: tag });
    expect(japanese.content).toContain('港の博物館');
  },
  { timeoutMs: 60_000 },
);

verifies(
  ['content:long:slices', 'content:progress:reading'],
  'a long PDF is indexed to its last page, tells how far it is, and lets others through meanwhile',
  async () => {
    const tag = api.newTag();
    const filler = Array.from(
      { length: 30 },
      (_, n) => `Line ${n} speaks of the harbour, the museum and the town.`,
    );
    const pages = Array.from({ length: 400 }, (_, n) => ({
      lines: [`Page ${n + 1} of the report.`, ...filler],
    }));
    pages.push({ lines: ['The last heron is called Zebulon.'] });
    const form = new FormData();
    form.append('file', new Blob([new Uint8Array(pdf(pages))]), 'report.pdf');
    form.append('containerTag', tag);
    form.append('taskType', 'superrag');
    const { url, key } = api.memoir;
    const answer = await fetch(`${url}/v3/documents/file`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}` },
      body: form,
    });
    const { id } = (await answer.json()) as { id: string };
    const seen = new Set<string>();
    for (let step = 'queued'; step !== 'done'; ) {
      const [document] = (await api.list({ containerTags: [tag] })).memories;
      step = document?.step ?? '';
      if (step === 'failed') throw new Error(document?.failure?.message);
      if (document?.progress) seen.add(`${step} ${document.progress.unit} of ${document.progress.total}`);
      await api.post({ content: 'A small note.', containerTag: api.newTag(), taskType: 'superrag' });
    }
    expect([...seen]).toContain('extracting pages of 401');
    expect(await placesOf('heron Zebulon', tag)).toEqual([{ page: 401 }]);
    const { total } = (await api.ask<{ total: number }>('GET', `/v3/documents/${id}/chunks`)).body;
    expect(total).toBeGreaterThan(800);
  },
  { timeoutMs: 120_000 },
);
