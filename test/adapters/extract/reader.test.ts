// Reading files through the child process: batches, progress, limits, what is left behind.
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { ContentHead, ContentPart, ReadProgress } from '../../../server/adapters/extract/port.ts';
import { createTranscriber } from '../../../server/adapters/transcribe/transcriber.ts';
import { timePasses, turns } from '../../support/until.ts';
import { startTranscriber } from '../transcribe/fixtures/transcription-service.ts';
import { links } from './fixtures/pages.ts';
import { pdf } from './fixtures/pdf.ts';
import { eventually, extractionChildren } from './fixtures/processes.ts';
import { openReader } from './fixtures/reader.ts';

const folder = mkdtempSync(join(tmpdir(), 'memoir-reader-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const fileOf = (name: string, content: string | Buffer): string => {
  const file = join(folder, name);
  writeFileSync(file, content);
  return file;
};
/** Everything in the folder but folders. */
const filesIn = (path: string): string[] =>
  readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map(({ name }) => name);
const line = 'A line of about fifty characters stands on this page.';
const book = fileOf(
  'book',
  pdf(Array.from({ length: 300 }, () => ({ lines: Array.from({ length: 50 }, () => line) }))),
);
const sound = join(import.meta.dirname, '../../fixtures/samples/av/talk.mp4');

describe('the reading of a file', () => {
  const reader = openReader();

  it('returns all parts at once to a caller that takes no batches', async () => {
    const read = await reader.read({ file: fileOf('note', 'Hello.') });
    expect(read).toEqual({
      ...{ kind: 'text', type: 'text', mimeType: 'text/plain', form: 'prose' },
      ...{ parts: [{ text: 'Hello.' }], characters: 6 },
    });
  });

  it('hands over the head, then one batch after the other', async () => {
    const heads: ContentHead[] = [];
    const taken: (readonly ContentPart[])[] = [];
    const progress: ReadProgress[] = [];
    let busy = 0;
    const read = await reader.read(
      { file: book },
      {
        begin: (head) => heads.push(head),
        progress: (told) => progress.push(told),
        async batch(parts) {
          expect(heads).toHaveLength(1);
          expect(++busy).toBe(1);
          await turns(20);
          taken.push(parts);
          busy--;
        },
      },
    );
    expect(taken.length).toBeGreaterThan(1);
    expect(taken.flat().map(({ page }) => page)).toEqual(Array.from({ length: 300 }, (_, i) => i + 1));
    expect(read).toMatchObject({ kind: 'pdf', parts: [], characters: expect.any(Number) });
    expect(progress.at(-1)).toEqual({ done: 300, total: 300, unit: 'pages' });
  });

  it('stops with the error of a caller that fails to take a batch', async () => {
    const refuse = () => Promise.reject(new Error('The disk is full.'));
    await expect(reader.read({ file: book }, { batch: refuse })).rejects.toThrow('The disk is full.');
    expect((await reader.read({ text: 'Hello.' })).characters).toBe(6);
  });

  it('fails for a file that does not exist', async () => {
    await expect(reader.read({ file: join(folder, 'nothing') })).rejects.toMatchObject({
      code: 'extraction_failed',
    });
  });

  it('accepts a string of any kind of text', async () => {
    const read = await reader.read({ text: 'a,b\n1,2', kind: 'csv' });
    expect(read.parts).toEqual([{ row: 2, text: 'a: 1; b: 2' }]);
  });
});

describe('the time limit', () => {
  const memory = { heapMb: 768, residentMb: 1_200 };

  /** The time that this machine, as busy as it is now, takes from the start of a child to the end of the book. */
  const bookMs = async (): Promise<number> => {
    const reader = openReader();
    const began = performance.now();
    await reader.read({ file: book });
    return performance.now() - began;
  };

  it('stands still while a batch is taken', async () => {
    // The limit has room for a machine that becomes busier, and taking one batch alone is longer than the limit.
    const documentMs = 2 * (await bookMs()) + 1_000;
    const reader = openReader({ limits: { timeoutMs: documentMs, documentMs, ...memory } });
    const slow = () => timePasses(documentMs + 500, 'the time limit would be over');
    let batches = 0;
    const taking = () => (batches++ === 0 ? slow() : undefined);
    const read = await reader.read({ file: book }, { batch: taking });
    expect(read.characters).toBeGreaterThan(500_000);
  }, 240_000);

  it('is longer for documents than for pages', async () => {
    // The start of the child fits into the limit of pages; the whole book does not.
    const timeoutMs = Math.max(1_000, 0.6 * (await bookMs()));
    const reader = openReader({ limits: { timeoutMs, documentMs: 120_000, ...memory } });
    expect((await reader.read({ file: book })).parts).toHaveLength(300);
    const heads: ContentHead[] = [];
    const endless = fileOf('endless', links(300_000));
    await expect(reader.read({ file: endless }, { begin: (head) => heads.push(head) })).rejects.toMatchObject(
      {
        code: 'extraction_timeout',
      },
    );
    expect(heads).toEqual([]);
  }, 240_000);
});

describe('the folder for temporary files', () => {
  const scratch = join(folder, 'scratch');

  it('is empty after a recording, after a recording that was stopped, and at the start', async () => {
    const transcriber = await startTranscriber();
    writeFileSync(fileOf('left', ''), '');
    const reader = openReader({
      scratch,
      transcriber: createTranscriber({ model: 'm', baseUrl: transcriber.baseUrl }),
    });
    await reader.read({ file: sound });
    expect(filesIn(scratch)).toEqual([]);
    const stop = new AbortController();
    const waiting = await startTranscriber(() => {
      stop.abort(new Error('enough'));
      return { status: 503, body: {} };
    });
    const stopping = openReader({
      scratch,
      transcriber: createTranscriber({ model: 'm', baseUrl: waiting.baseUrl }),
    });
    const stopped = stopping.read({ file: sound }, { signal: stop.signal });
    await expect(stopped).rejects.toMatchObject({ code: 'extraction_failed', retryable: true });
    expect(filesIn(scratch)).toEqual([]);
    writeFileSync(join(scratch, 'from-before'), '');
    openReader({ scratch });
    expect(filesIn(scratch)).toEqual([]);
    transcriber.close();
    waiting.close();
  }, 60_000);

  it('is deleted when the reader is closed', async () => {
    const reader = openReader({ scratch: join(folder, 'other') });
    await reader.close();
    expect(existsSync(join(folder, 'other'))).toBe(false);
  });
});

describe('a recording', () => {
  it('is transcribed while its child reads something else', async () => {
    let answer: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const transcriber = await startTranscriber(async () => {
      await held;
      return { status: 200, body: { text: 'Hello.', segments: [{ start: 0, end: 1, text: 'Hello.' }] } };
    });
    const settings = { model: 'm', baseUrl: transcriber.baseUrl, apiKey: 'secret-key' };
    const reader = openReader({ transcriber: createTranscriber(settings) });
    const recording = reader.read({ file: sound });
    await eventually(() => transcriber.heard.length === 1, 20_000);
    expect((await reader.read({ text: 'Meanwhile.' })).characters).toBe(10);
    if (process.platform === 'linux') expect(extractionChildren().length).toBeGreaterThan(0);
    answer();
    expect((await recording).parts).toEqual([{ text: 'Hello.', startTime: 0, endTime: 1 }]);
    transcriber.close();
  }, 60_000);

  it('fails without speech, because it has no text', async () => {
    const transcriber = await startTranscriber(() => ({ status: 200, body: { text: '' } }));
    const reader = openReader({
      transcriber: createTranscriber({ model: 'm', baseUrl: transcriber.baseUrl }),
    });
    await expect(reader.read({ file: sound })).rejects.toMatchObject({ code: 'no_text_found' });
    transcriber.close();
  }, 60_000);

  it('fails without a transcription service and names the setting', async () => {
    await expect(openReader().read({ file: sound })).rejects.toMatchObject({
      code: 'transcription_unavailable',
      retryable: false,
      message: expect.stringContaining('Set MEMOIR_TRANSCRIPTION_MODEL'),
    });
  }, 60_000);
});
