// Tests of reading files, pages, addresses and plain text, and of unreadable content.
import { describe, expect, test } from 'vitest';
import type { ReadContent, ReadJob, ReadOptions } from '../../../../server/adapters/extract/port.ts';
import type { WebFile, WebVideo } from '../../../../server/adapters/fetch/port.ts';
import type { ClaimedFile } from '../../../../server/adapters/store/ports/ingestion/claims.ts';
import { IngestError } from '../../../../server/core/errors.ts';
import { partOfFile, toPart } from '../../../../server/domain/ingestion/content/content-parts.ts';
import { createPartReader, type Readers } from '../../../../server/domain/ingestion/content/part-reader.ts';

const FILE: ClaimedFile = { key: 'k1', name: 'the plan.v2.pdf', mimeType: 'text/plain', fileType: null };
const WEB_FILE: WebFile = { what: 'file', file: '/tmp/page', bytes: 3, url: 'https://example.org/end' };

const content: ReadContent = {
  ...{ type: 'pdf', kind: 'pdf', mimeType: 'application/pdf', form: 'prose', parts: [], characters: 5 },
  title: 'The plan',
};

interface Script {
  found?: WebFile | WebVideo;
  fail?: Error;
  lastTry?: boolean;
}

const open = ({ found = WEB_FILE, fail, lastTry = false }: Script = {}) => {
  const jobs: ReadJob[] = [];
  const owners: ReadOptions['owner'][] = [];
  const discarded: WebFile[] = [];
  const asked: string[] = [];
  const stop = new AbortController();
  const readers: Readers = {
    lend: (key, use) => use(`/files/${key}`),
    content: {
      async read(job, options: ReadOptions = {}) {
        jobs.push(job);
        owners.push(options.owner);
        if (fail) throw fail;
        options.begin?.(content);
        await options.batch?.([{ text: 'Oaks.', page: 1 }]);
        await options.batch?.([{ text: 'Jays.', page: 2 }]);
        return content;
      },
    },
    web: {
      async open(address) {
        asked.push(address);
        if (fail && found.what === 'video') throw fail;
        return found;
      },
      async discard(file) {
        discarded.push(file);
      },
    },
  };
  const reader = createPartReader({
    ...{ readers, signal: stop.signal, lastTry, progress: () => undefined },
    owner: { tag: '7', key: 'k1' },
  });
  return { reader, jobs, owners, discarded, asked, stop };
};

describe('a file', () => {
  test('is read by an extractor in its place, with its known facts, and becomes a part', async () => {
    const { reader, jobs, owners } = open();
    const { text, title, becomes } = await reader.read(partOfFile(FILE), null);
    expect(jobs).toEqual([{ file: '/files/k1', fileName: FILE.name, mimeType: 'text/plain' }]);
    expect(owners).toEqual([{ tag: '7', key: 'k1' }]);
    expect([text, title]).toEqual(['Oaks.\n\nJays.', 'The plan']);
    expect(becomes).toMatchObject({
      kind: 'read',
      reading: { from: 'file', type: 'pdf', name: 'the plan.v2' },
    });
  });

  test('is read as text when its sender calls it text; no other stated type decides', async () => {
    for (const [fileType, kind] of [
      ['text', 'text'],
      ['image', undefined],
      ['notion_doc', undefined],
    ] as const) {
      const { reader, jobs } = open();
      await reader.read(partOfFile({ ...FILE, fileType }), null);
      expect([fileType, jobs[0]?.kind]).toEqual([fileType, kind]);
    }
  });

  test('is read once, however often it is requested', async () => {
    const { reader, jobs } = open();
    const part = partOfFile(FILE);
    const [first, second] = await Promise.all([reader.read(part, null), reader.read(part, null)]);
    expect(first).toBe(second);
    expect(await reader.trouble(part, null)).toBeNull();
    expect(jobs).toHaveLength(1);
  });
});

describe('an address', () => {
  const address = toPart(' https://example.org/start ');

  test('is fetched and read by its bytes, and the fetched file is removed', async () => {
    const { reader, asked, jobs, discarded } = open({
      found: { ...WEB_FILE, fileName: 'a.pdf', charset: 'x' },
    });
    const { becomes } = await reader.read(address, null);
    expect(asked).toEqual(['https://example.org/start']);
    expect(jobs).toEqual([
      { file: '/tmp/page', url: 'https://example.org/end', fileName: 'a.pdf', charset: 'x' },
    ]);
    expect(becomes).toMatchObject({ reading: { from: 'web', name: 'a' } });
    expect(discarded).toHaveLength(1);
  });

  test('leaves no file behind when it cannot be read', async () => {
    const fail = new IngestError('encrypted', 'It is encrypted.');
    const { reader, discarded } = open({ fail });
    await expect(reader.read(address, null)).rejects.toBe(fail);
    expect(discarded).toHaveLength(1);
  });

  test('of a spreadsheet is a table under the name of the spreadsheet', async () => {
    const { reader, jobs } = open({ found: { ...WEB_FILE, sheet: true, title: 'Harvest' } });
    const { becomes } = await reader.read(address, null);
    expect(jobs[0]?.kind).toBe('csv');
    expect(becomes?.reading).toMatchObject({ type: 'google_sheet', name: 'Harvest' });
  });

  test('of a video is its transcript', async () => {
    const lines = [{ text: 'Jays forget.', startTime: 3, endTime: 5 }];
    const found: WebVideo = { what: 'video', url: 'https://v.example/', title: 'Jays', metadata: {}, lines };
    const { reader, jobs } = open({ found });
    expect(await reader.read(address, null)).toMatchObject({ text: 'Jays forget.', title: 'Jays' });
    expect(jobs).toEqual([]);
  });
});

test('a page is read with its address, and plain text is read unchanged', async () => {
  const { reader, jobs } = open();
  const html = '<!doctype html><html><body><p>A page.</p></body></html>';
  expect(await reader.read(toPart(html), 'https://example.org/')).toEqual({
    text: 'Oaks.Jays.',
    title: 'The plan',
  });
  expect(jobs).toEqual([{ kind: 'html', text: html, url: 'https://example.org/' }]);
  expect(await reader.read(toPart('Text.'), null)).toEqual({ text: 'Text.' });
});

describe('a failure', () => {
  const passing = new IngestError('fetch_timeout', 'It took too long.', { retryable: true });
  const lasting = new IngestError('encrypted', 'It is encrypted.');

  test('is reported when it is permanent, and thrown until the last attempt when it is temporary', async () => {
    const trouble = (script: Script) => open(script).reader.trouble(partOfFile(FILE), null);
    expect(await trouble({})).toBeNull();
    expect(await trouble({ fail: lasting })).toBe(lasting);
    await expect(trouble({ fail: passing })).rejects.toBe(passing);
    expect(await trouble({ fail: passing, lastTry: true })).toBe(passing);
  });

  test('is always thrown when it is unexpected or the process stops', async () => {
    const unknown = new Error('A bug.');
    const { reader } = open({ fail: unknown, lastTry: true });
    await expect(reader.trouble(partOfFile(FILE), null)).rejects.toBe(unknown);
    const stopping = open({ fail: lasting });
    stopping.stop.abort();
    await expect(stopping.reader.trouble(partOfFile(FILE), null)).rejects.toBe(lasting);
  });
});
