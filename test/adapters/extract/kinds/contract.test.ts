// What holds for the extractor of every kind of content.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { extractors } from '../../../../server/adapters/extract/extractors.ts';
import { FAILURES } from '../../../../server/adapters/extract/failures.ts';
import type { ContentKind } from '../../../../server/adapters/extract/port.ts';
import { IngestError } from '../../../../server/errors.ts';
import { readBytes } from '../fixtures/in-process.ts';

interface Sample {
  readonly file: string;
  /** Of plain text only a name tells the kind. */
  readonly fileName?: string;
  readonly type: string;
  readonly mimeType: RegExp;
}

const SAMPLES: Readonly<Record<ContentKind, Sample>> = {
  text: { file: 'text/utf16le-nobom.txt', type: 'text', mimeType: /^text\/plain$/ },
  markdown: {
    file: 'text/utf16le-nobom.txt',
    fileName: 'a.md',
    type: 'text',
    mimeType: /^text\/markdown$/,
  },
  html: { file: 'html/article.html', type: 'webpage', mimeType: /^text\/html$/ },
  csv: { file: 'csv/plain.csv', fileName: 'a.csv', type: 'text', mimeType: /^text\/csv$/ },
  tsv: { file: 'csv/tab.tsv', fileName: 'a.tsv', type: 'text', mimeType: /tab-separated/ },
  json: { file: 'conv/messages.json', type: 'text', mimeType: /json$/ },
  subtitles: { file: 'conv/meeting.vtt', type: 'text', mimeType: /vtt$/ },
  code: { file: 'text/code.py', fileName: 'a.py', type: 'text', mimeType: /^text\/plain$/ },
  pdf: { file: 'pdf/twocol.pdf', type: 'pdf', mimeType: /^application\/pdf$/ },
  doc: { file: 'office/table.doc', type: 'text', mimeType: /msword/ },
  docx: { file: 'office/rich.docx', type: 'text', mimeType: /wordprocessingml/ },
  pptx: { file: 'office/slides.pptx', type: 'text', mimeType: /presentationml/ },
  xlsx: { file: 'office/book.xlsx', type: 'text', mimeType: /spreadsheetml/ },
  odt: { file: 'office/base.odt', type: 'text', mimeType: /opendocument\.text/ },
  odp: { file: 'office/slides.odp', type: 'text', mimeType: /opendocument\.presentation/ },
  ods: { file: 'office/book.ods', type: 'text', mimeType: /opendocument\.spreadsheet/ },
  image: { file: 'img/label16px.png', type: 'image', mimeType: /^image\/png$/ },
  audio: { file: 'av/flite.webm', type: 'audio', mimeType: /webm$/ },
  video: { file: 'av/talk.mp4', type: 'video', mimeType: /mp4$/ },
};

const folder = join(import.meta.dirname, '..', '..', '..', 'fixtures', 'samples');
const bytesOf = (file: string): Buffer => readFileSync(join(folder, file));
const samples = Object.entries(SAMPLES) as [ContentKind, Sample][];

/** Anything but a failure from the list is a fault of ours. */
async function codeOf(reading: Promise<unknown>): Promise<string> {
  try {
    await reading;
    return 'read';
  } catch (error) {
    if (!(error instanceof IngestError) || !Object.hasOwn(FAILURES, error.code)) throw error;
    expect(error.message).toMatch(/^[A-Z"„0-9].*\.$/);
    return error.code;
  }
}

describe.each(samples)('an extractor of %s', (kind, { file, fileName, type, mimeType }) => {
  const hints = fileName === undefined ? {} : { fileName };

  it('tells what it is before it gives what it holds', async () => {
    const { head, parts, done } = await readBytes(bytesOf(file), hints);
    expect(head).toMatchObject({ kind, type, mimeType: expect.stringMatching(mimeType) });
    expect(parts.length + (done.audio?.length ?? 0)).toBeGreaterThan(0);
    for (const { text, continues } of parts) expect(continues === true || text.trim() !== '').toBe(true);
    expect(parts[0]?.continues).toBeUndefined();
  }, 30_000);

  if (fileName === undefined)
    it('reads it under a wrong name and type all the same', async () => {
      const wrong = { fileName: 'report.exe', mimeType: 'application/x-msdownload' };
      const { head } = await readBytes(bytesOf(file), wrong);
      expect(head?.kind).toBe(kind);
    }, 30_000);

  it('reads what is cut off in the middle as far as that goes, or refuses it by name', async () => {
    const whole = bytesOf(file);
    for (const share of [0.2, 0.5, 0.9])
      await codeOf(readBytes(whole.subarray(0, Math.ceil(whole.length * share)), hints));
  }, 60_000);

  it('refuses a file without a byte', async () => {
    expect(await codeOf(readBytes(Buffer.alloc(0), hints))).toBe('empty_file');
  });
});

describe('the extractors', () => {
  it('are there for every kind, and each file of them is used', async () => {
    const source = join(import.meta.dirname, '../../../../server/adapters/extract');
    const files = readdirSync(join(source, 'kinds')).filter((name) => name !== 'contract.ts');
    const table = readFileSync(join(source, 'extractors.ts'), 'utf8');
    expect(files.filter((name) => !table.includes(`./kinds/${name}`))).toEqual([]);
    for (const load of Object.values(extractors)) expect(typeof (await load())).toBe('function');
  }, 30_000);
});
