// Who reads what: files and pages elsewhere, addresses on the web, text as it stands; and what cannot be read.
import { describe, expect, test } from 'vitest';
import type { ReadContent, ReadJob, ReadOptions } from '../../../server/adapters/extract/port.ts';
import type { WebFile, WebVideo } from '../../../server/adapters/fetch/port.ts';
import type { ClaimedFile } from '../../../server/adapters/store/ingest-port.ts';
import { filePart, partOf } from '../../../server/domain/pipeline/parts.ts';
import { createPartReader, type Readers } from '../../../server/domain/pipeline/reading.ts';
import { IngestError } from '../../../server/errors.ts';

const FILE: ClaimedFile = { key: 'k1', name: 'the plan.v2.pdf', mimeType: 'text/plain', fileType: null };
const WEB_FILE: WebFile = { what: 'file', file: '/tmp/page', bytes: 3, url: 'https://example.org/end' };

const content: ReadContent = {
  ...{ type: 'pdf', kind: 'pdf', mimeType: 'application/pdf', form: 'prose', parts: [], characters: 5 },
  title: 'The plan',
};

interface Script {
  found?: WebFile | WebVideo;
  fail?: Error;
  /** What a child says before it dies and another one starts over. */
  lost?: string;
  lastTry?: boolean;
}

const open = ({ found = WEB_FILE, fail, lost, lastTry = false }: Script = {}) => {
  const jobs: ReadJob[] = [];
  const discarded: WebFile[] = [];
  const asked: string[] = [];
  const stop = new AbortController();
  const readers: Readers = {
    pathOf: (key) => `/files/${key}`,
    content: {
      async read(job, options: ReadOptions = {}) {
        jobs.push(job);
        if (fail) throw fail;
        options.begin?.(content);
        if (lost !== undefined) {
          await options.batch?.([{ text: lost }]);
          options.begin?.(content);
        }
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
  const reader = createPartReader({ readers, signal: stop.signal, lastTry, progress: () => undefined });
  return { reader, jobs, discarded, asked, stop };
};

describe('a file', () => {
  test('is read where it lies, with what is known of it, and becomes what it says', async () => {
    const { reader, jobs } = open();
    const { text, title, becomes } = await reader.read(filePart(FILE), null);
    expect(jobs).toEqual([{ file: '/files/k1', fileName: FILE.name, mimeType: 'text/plain' }]);
    expect([text, title]).toEqual(['Oaks.\n\nJays.', 'The plan']);
    expect(becomes).toMatchObject({
      kind: 'read',
      reading: { from: 'file', type: 'pdf', name: 'the plan.v2' },
    });
  });

  test('that is called a text is read as one, and no other word of its sender counts', async () => {
    for (const [fileType, kind] of [
      ['text', 'text'],
      ['image', undefined],
      ['notion_doc', undefined],
    ] as const) {
      const { reader, jobs } = open();
      await reader.read(filePart({ ...FILE, fileType }), null);
      expect([fileType, jobs[0]?.kind]).toEqual([fileType, kind]);
    }
  });

  test('is read once, however often it is asked for', async () => {
    const { reader, jobs } = open();
    const part = filePart(FILE);
    const [first, second] = await Promise.all([reader.read(part, null), reader.read(part, null)]);
    expect(first).toBe(second);
    expect(await reader.trouble(part, null)).toBeNull();
    expect(jobs).toHaveLength(1);
  });

  test('does not keep what a reader said that had to start over', async () => {
    const { reader } = open({ lost: 'Half of an oak' });
    expect((await reader.read(filePart(FILE), null)).text).toBe('Oaks.\n\nJays.');
  });
});

describe('an address', () => {
  const address = partOf(' https://example.org/start ');

  test('is fetched and read by its bytes; what was fetched is not kept', async () => {
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

  test('that cannot be read leaves nothing behind either', async () => {
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

  test('of a video is what is said in it', async () => {
    const lines = [{ text: 'Jays forget.', startTime: 3, endTime: 5 }];
    const found: WebVideo = { what: 'video', url: 'https://v.example/', title: 'Jays', metadata: {}, lines };
    const { reader, jobs } = open({ found });
    expect(await reader.read(address, null)).toMatchObject({ text: 'Jays forget.', title: 'Jays' });
    expect(jobs).toEqual([]);
  });
});

test('a page is read with the address it is from, text as it stands, and what is no text not at all', async () => {
  const { reader, jobs } = open();
  const html = '<!doctype html><html><body><p>A page.</p></body></html>';
  expect(await reader.read(partOf(html), 'https://example.org/')).toEqual({
    text: 'Oaks.Jays.',
    title: 'The plan',
  });
  expect(jobs).toEqual([{ kind: 'html', text: html, url: 'https://example.org/' }]);
  expect(await reader.read(partOf('Text.'), null)).toEqual({ text: 'Text.' });
  const binary = String.fromCharCode(...Array.from({ length: 200 }, (_, at) => at % 32));
  await expect(reader.read(partOf(binary), null)).rejects.toMatchObject({ code: 'unsupported_type' });
});

describe('trouble', () => {
  const passing = new IngestError('fetch_timeout', 'It took too long.', { retryable: true });
  const lasting = new IngestError('encrypted', 'It is encrypted.');

  test('that will not pass is told; that may pass is thrown, until the last try', async () => {
    const trouble = (script: Script) => open(script).reader.trouble(filePart(FILE), null);
    expect(await trouble({})).toBeNull();
    expect(await trouble({ fail: lasting })).toBe(lasting);
    await expect(trouble({ fail: passing })).rejects.toBe(passing);
    expect(await trouble({ fail: passing, lastTry: true })).toBe(passing);
  });

  test('that nobody expected is always thrown, and so is everything while the process stops', async () => {
    const unknown = new Error('A bug.');
    const { reader } = open({ fail: unknown, lastTry: true });
    await expect(reader.trouble(filePart(FILE), null)).rejects.toBe(unknown);
    const stopping = open({ fail: lasting });
    stopping.stop.abort();
    await expect(stopping.reader.trouble(filePart(FILE), null)).rejects.toBe(lasting);
  });
});
