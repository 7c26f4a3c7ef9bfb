import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { greyPng } from '../../../bench/support/grey-png.ts';
import { describeKind } from '../fixtures/contract.ts';
import { characterErrorRate } from '../fixtures/error-rate.ts';
import { readBytes } from '../fixtures/in-process.ts';
import { pdf } from '../fixtures/pdf.ts';
import { scanOf } from '../fixtures/scan.ts';

describeKind('pdf', { sample: 'pdf/twocol.pdf', type: 'pdf', mimeType: /^application\/pdf$/ });

const samples = join(import.meta.dirname, '../../../fixtures/samples');

const lineOf = (words: string, count: number): string[] =>
  Array.from({ length: count }, (_, i) => `${words} on the ${i + 10}th of May.`);

describe('a PDF', () => {
  it('returns each page under its chapter, with the values of its fields', async () => {
    const { head, parts, progress } = await readBytes(
      pdf(
        [
          { lines: ['The preface.'] },
          { lines: ['First page.'], chapter: 'Tides', fields: [['name', 'Ana Lima']] },
          { lines: ['Second page.'] },
          { lines: ['Third page.'], chapter: 'Winds' },
        ],
        { Title: 'Of the sea', Author: 'Jo', CreationDate: "D:20260501100000+02'00'" },
      ),
    );
    expect(head).toMatchObject({
      ...{ kind: 'pdf', type: 'pdf', form: 'prose', title: 'Of the sea' },
      metadata: { author: 'Jo', created: '2026-05-01', pages: 4 },
    });
    expect(parts).toEqual([
      { page: 1, text: 'The preface.' },
      { page: 2, heading: 'Tides', text: 'First page.\nname: Ana Lima' },
      { page: 3, heading: 'Tides', text: 'Second page.' },
      { page: 4, heading: 'Winds', text: 'Third page.' },
    ]);
    expect(progress.at(-1)).toEqual({ done: 4, total: 4, unit: 'pages' });
  });

  it('joins a word that is divided at the end of a line', async () => {
    const { parts } = await readBytes(pdf([{ lines: ['The light-', 'house stands.'] }]));
    expect(parts[0]?.text).toBe('The lighthouse stands.');
  });

  it('is detected behind the lines that some programs write first, and not in a text about PDF', async () => {
    const bytes = Buffer.concat([Buffer.from('HTTP/1.1 200 OK\r\n\r\n'), pdf([{ lines: ['Page.'] }])]);
    expect((await readBytes(bytes)).head?.kind).toBe('pdf');
    const about = await readBytes(Buffer.from('A file that begins with %PDF-1.7 is a PDF.'));
    expect(about.head?.kind).toBe('text');
  });

  it('is handed over in batches when it has a hundred pages', async () => {
    const lines = Array.from(
      { length: 50 },
      (_, i) => `Line ${i} of many, all of them of about this length.`,
    );
    const { parts, batches } = await readBytes(pdf(Array.from({ length: 200 }, () => ({ lines }))));
    expect(parts).toHaveLength(200);
    expect(batches).toBeGreaterThan(1);
  });

  it('is read by OCR on a page that shows a picture and has no text', async () => {
    const picture = readFileSync(join(samples, 'img/label16px.png'));
    const { parts, paces } = await readBytes(pdf([{ lines: ['A page of text.'] }, { lines: [], picture }]));
    expect(parts.map(({ page }) => page)).toEqual([1, 2]);
    expect(
      characterErrorRate(parts[1]?.text ?? '', readFileSync(join(samples, 'truth/label.txt'), 'utf8')),
    ).toBeLessThan(0.02);
    expect(paces).toEqual(['document', 'ocr']);
  }, 60_000);

  it('keeps the order of its pages when several are recognised at once', async () => {
    const picture = readFileSync(join(samples, 'img/label16px.png'));
    const scan = { lines: [], picture };
    const { parts, progress } = await readBytes(
      pdf([scan, { lines: ['A page of plain text.'] }, scan, scan]),
      {},
      { ocrWorkers: 2 },
    );
    expect(parts.map(({ page }) => page)).toEqual([1, 2, 3, 4]);
    expect(progress.map(({ done }) => done)).toEqual([1, 2, 3, 4]);
    const label = readFileSync(join(samples, 'truth/label.txt'), 'utf8');
    for (const page of [0, 2, 3])
      expect(characterErrorRate(parts[page]?.text ?? '', label)).toBeLessThan(0.02);
  }, 60_000);

  it('is recognised column by column', async () => {
    const lines = [...lineOf('Boats leave at dawn', 8), ...lineOf('Trains arrive at noon', 8)];
    const scan = await scanOf({ lines, print: { font: 'Times-Roman', points: 11, columns: 2 } });
    const { parts } = await readBytes(scan);
    expect(characterErrorRate(parts[0]?.text ?? '', lines.join(' '))).toBeLessThan(0.02);
  }, 60_000);

  it('is read by the program of the machine, in each rotation while that is unsure', async () => {
    const picture = readFileSync(join(samples, 'img/label16px.png'));
    const asked: number[] = [];
    const { parts } = await readBytes(
      pdf([{ lines: [], picture }]),
      {},
      {
        async recognise({ width, height }) {
          asked.push(Math.sign(height - width));
          return { text: `Turn ${asked.length}`, confidence: asked.length === 3 ? 90 : 20 };
        },
      },
    );
    expect(asked).toEqual([1, -1, -1]);
    expect(parts).toEqual([{ page: 1, text: 'Turn 3' }]);
  });

  it('is not recognised on a page without anything on it', async () => {
    const blank = greyPng({ width: 400, height: 500, pixels: Buffer.alloc(200_000, 240) });
    const recognise = () => Promise.reject(new Error('A blank page was recognised.'));
    const pages = [{ lines: ['A page of plain text.'] }, { lines: [], picture: blank, fills: true as const }];
    const { parts, done } = await readBytes(pdf(pages), {}, { recognise });
    expect(parts.map(({ page }) => page)).toEqual([1]);
    expect(done.note).toBeUndefined();
  });

  it('keeps its other pages when one takes longer than a page may', async () => {
    const picture = readFileSync(join(samples, 'img/label16px.png'));
    const pages = [{ lines: ['A page of text.'] }, { lines: [], picture }];
    const { parts, done } = await readBytes(pdf(pages), {}, { ocrPageMs: 1 });
    expect(parts.map(({ page }) => page)).toEqual([1]);
    expect(done.note).toMatch(/^The scans of page 2 could not be recognised within the time limit/);
    await expect(readBytes(pdf([{ lines: [], picture }]), {}, { ocrPageMs: 1 })).rejects.toMatchObject({
      code: 'extraction_timeout',
    });
  }, 60_000);

  it('has a note on the pages that were not recognised within the time limit', async () => {
    const picture = readFileSync(join(samples, 'img/label16px.png'));
    const pages = [{ lines: [], picture }, { lines: ['A page of text.'] }, { lines: [], picture }];
    const { parts, done } = await readBytes(pdf(pages), {}, { ocrMs: 0 });
    expect(parts.map(({ page }) => page)).toEqual([1, 2]);
    expect(done.note).toMatch(/^The scans of page 3 could not be recognised within the time limit/);
  }, 60_000);
});
