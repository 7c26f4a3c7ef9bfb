// Reading files through the child process: batches, progress, limits, what is left behind.
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, it } from 'vitest';
import type { ContentHead, ContentPart, ReadProgress } from '../../../server/adapters/extract/port.ts';
import { links } from './fixtures/pages.ts';
import { pdf } from './fixtures/pdf.ts';
import { eventually, extractionChildren } from './fixtures/processes.ts';
import { openReader } from './fixtures/reader.ts';
import { startTranscriber } from './fixtures/transcriber.ts';

const folder = mkdtempSync(join(tmpdir(), 'memoir-reader-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const fileOf = (name: string, content: string | Buffer): string => {
  const file = join(folder, name);
  writeFileSync(file, content);
  return file;
};
const line = 'A line of about fifty characters stands on this page.';
const book = fileOf(
  'book',
  pdf(Array.from({ length: 300 }, () => ({ lines: Array.from({ length: 50 }, () => line) }))),
);
const sound = join(import.meta.dirname, '../../fixtures/samples/av/talk.mp4');

describe('a file', () => {
  const reader = openReader();

  it('is read in one go where nobody takes batches', async () => {
    const read = await reader.read({ file: fileOf('note', 'Hello.') });
    expect(read).toEqual({
      ...{ kind: 'text', type: 'text', mimeType: 'text/plain', form: 'prose' },
      ...{ parts: [{ text: 'Hello.' }], characters: 6 },
    });
  });

  it('is handed over in batches, one after the other, behind its head', async () => {
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
          await sleep(20);
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

  it('is given up where its batches are not taken', async () => {
    const refuse = () => Promise.reject(new Error('The disk is full.'));
    await expect(reader.read({ file: book }, { batch: refuse })).rejects.toThrow('The disk is full.');
    expect((await reader.read({ text: 'Hello.' })).characters).toBe(6);
  });

  it('that is not there fails', async () => {
    await expect(reader.read({ file: join(folder, 'nothing') })).rejects.toMatchObject({
      code: 'extraction_failed',
    });
  });

  it('that is a string may be of any kind of text', async () => {
    const read = await reader.read({ text: 'a,b\n1,2', kind: 'csv' });
    expect(read.parts).toEqual([{ row: 2, text: 'a: 1; b: 2' }]);
  });
});

describe('the limit of time', () => {
  it('stands still while a batch is taken', async () => {
    const reader = openReader({
      limits: { timeoutMs: 1_500, documentMs: 6_000, heapMb: 768, residentMb: 1_200 },
    });
    const slow = () => sleep(4_000);
    let batches = 0;
    const taking = () => (batches++ === 0 ? slow() : undefined);
    const read = await reader.read({ file: book }, { batch: taking });
    expect(read.characters).toBeGreaterThan(500_000);
  }, 60_000);

  it('is another for documents than for pages, and a second try begins anew', async () => {
    const reader = openReader({
      limits: { timeoutMs: 1_000, documentMs: 60_000, heapMb: 768, residentMb: 1_200 },
    });
    expect((await reader.read({ file: book })).parts).toHaveLength(300);
    const heads: ContentHead[] = [];
    const endless = fileOf('endless', links(60_000));
    await expect(reader.read({ file: endless }, { begin: (head) => heads.push(head) })).rejects.toMatchObject(
      {
        code: 'extraction_timeout',
      },
    );
    expect(heads).toEqual([]);
  }, 60_000);
});

describe('what is left behind', () => {
  const scratch = join(folder, 'scratch');

  it('is nothing: neither after a recording nor after one that was given up, nor of an earlier start', async () => {
    const transcriber = await startTranscriber();
    writeFileSync(fileOf('left', ''), '');
    const reader = openReader({ scratch });
    const transcription = { model: 'm', baseUrl: transcriber.baseUrl };
    await reader.read({ file: sound, transcription });
    expect(readdirSync(scratch)).toEqual([]);
    const stop = new AbortController();
    const waiting = await startTranscriber(() => {
      stop.abort(new Error('enough'));
      return { status: 503, body: {} };
    });
    const given = reader.read(
      { file: sound, transcription: { model: 'm', baseUrl: waiting.baseUrl } },
      { signal: stop.signal },
    );
    await expect(given).rejects.toMatchObject({ code: 'extraction_failed', retryable: true });
    expect(readdirSync(scratch)).toEqual([]);
    writeFileSync(join(scratch, 'from-before'), '');
    openReader({ scratch });
    expect(readdirSync(scratch)).toEqual([]);
    transcriber.close();
    waiting.close();
  }, 60_000);

  it('is not even the folder, once it is closed', async () => {
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
    const reader = openReader();
    const transcription = { model: 'm', baseUrl: transcriber.baseUrl, apiKey: 'secret-key' };
    const recording = reader.read({ file: sound, transcription });
    await eventually(() => transcriber.heard.length === 1, 20_000);
    expect((await reader.read({ text: 'Meanwhile.' })).characters).toBe(10);
    if (process.platform === 'linux') expect(extractionChildren().length).toBeGreaterThan(0);
    answer();
    expect((await recording).parts).toEqual([{ text: 'Hello.', startTime: 0, endTime: 1 }]);
    transcriber.close();
  }, 60_000);
});
