import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { createExtractor, type ExtractorOptions } from '../../../server/adapters/extract/extractor.ts';
import type { ContentReader, ExtractLimits } from '../../../server/adapters/extract/port.ts';
import { timePasses } from '../../support/until.ts';
import { textOf } from './fixtures/joined.ts';
import { article, large, links, shell } from './fixtures/pages.ts';
import { eventually, extractionChildren, isAlive } from './fixtures/processes.ts';

const LIMITS: ExtractLimits = { timeoutMs: 15_000, heapMb: 768, residentMb: 1_200 };
/** Keeps a parser busy for longer than any of these tests. */
const ENDLESS = links(300_000);
const onLinux = it.skipIf(process.platform !== 'linux');

const opened: ContentReader[] = [];
let logged: string[] = [];

function extractor(
  limits: Partial<ExtractLimits> = {},
  options: Partial<ExtractorOptions> = {},
): ContentReader {
  const log = { warn: (_details: object, message: string) => void logged.push(message) };
  const one = createExtractor({ limits: { ...LIMITS, ...limits }, children: 1, log, ...options });
  opened.push(one);
  return one;
}

const html = async (one: ContentReader, text: string, signal?: AbortSignal) => {
  const { parts, title, metadata } = await one.read({ kind: 'html', text }, { signal });
  return { text: textOf(parts), title, metadata };
};
const refusal = (code: string, retryable: boolean) =>
  expect.objectContaining({
    name: 'IngestError',
    code,
    retryable,
    message: expect.stringMatching(/^[A-Z].*\.$/),
  });

afterEach(async () => {
  await Promise.all(opened.splice(0).map((one) => one.close()));
  logged = [];
});

describe('the extractor', () => {
  it('reads a page in a child process', async () => {
    const { text, title, metadata } = await html(extractor(), article);
    expect(text).toContain('The harbour museum opened in 1924');
    expect([title, metadata?.site]).toEqual(['The Harbour Museum', 'City News']);
  });

  it('reads the links of a page in a child process', async () => {
    const one = extractor();
    const url = 'https://example.com/docs/';
    const page = '<title> A  page </title><a href="a">A</a><p>Some text to be read.</p>';
    const read = await one.readLinks({ html: page, url });
    expect(read).toMatchObject({ links: ['https://example.com/docs/a'], title: 'A page', canonical: null });
    // The same process reads content afterwards.
    expect((await html(one, article)).title).toBe('The Harbour Museum');
  });

  it('refuses content without text with the sentence of the reader, and writes nothing to the log', async () => {
    const one = extractor();
    await expect(html(one, shell)).rejects.toEqual(refusal('no_text_found', false));
    await expect(html(one, ' ')).rejects.toEqual(refusal('empty_file', false));
    expect(logged).toEqual([]);
  });

  onLinux('reuses its child for a limited number of jobs', async () => {
    const one = extractor({}, { jobsPerChild: 3 });
    const afterReading = async () => {
      await html(one, '<p>Hello</p>');
      return extractionChildren()[0];
    };
    const first = await afterReading();
    expect(first).toBeGreaterThan(0);
    expect(await afterReading()).toBe(first);
    await afterReading();
    await eventually(() => extractionChildren().length === 0, 5_000);
    const second = await afterReading();
    expect(second).not.toBe(first);
    expect(await afterReading()).toBe(second);
  });

  onLinux('ends an idle child', async () => {
    await html(extractor({}, { idleMs: 50 }), '<p>Hello</p>');
    await eventually(() => extractionChildren().length === 0, 5_000);
  });

  it('runs jobs in their order, two at a time when it has three children', async () => {
    const one = extractor({}, { children: 3 });
    const read = await Promise.all(Array.from({ length: 6 }, (_, i) => html(one, `<p>Page ${i}</p>`)));
    expect(read.map(({ text }) => text)).toEqual([
      'Page 0',
      'Page 1',
      'Page 2',
      'Page 3',
      'Page 4',
      'Page 5',
    ]);
  });
});

describe('a job that goes wrong', () => {
  it('is stopped at the time limit and not tried again, and the next one is read', async () => {
    const one = extractor({ timeoutMs: 1_000 });
    await expect(html(one, ENDLESS)).rejects.toEqual(refusal('extraction_timeout', false));
    expect(logged).toHaveLength(1);
    expect((await html(extractor(), '<p>Hello</p>')).text).toBe('Hello');
  });

  it('has a shorter time limit when its content is small', async () => {
    const one = extractor({ timeoutMs: 60_000, smallMs: 100 });
    const page = large(500_000);
    await expect(html(one, page)).rejects.toEqual(refusal('extraction_timeout', false));
  });

  onLinux('leaves its child to no other job, whatever the failure was', async () => {
    const one = extractor();
    const childAfter = async (text: string) => {
      await html(one, text).catch(() => undefined);
      return extractionChildren()[0];
    };
    const first = await childAfter('<p>Hello</p>');
    expect(await childAfter('<p>Hello</p>')).toBe(first);
    await childAfter(shell);
    await eventually(() => extractionChildren().length === 0, 5_000);
    expect(await childAfter('<p>Hello</p>')).not.toBe(first);
  });

  onLinux('is stopped at the limit of resident memory', async () => {
    const one = extractor({ residentMb: 200 });
    await expect(html(one, large(1_500_000))).rejects.toEqual(refusal('file_too_complex', false));
    await eventually(() => extractionChildren().length === 0, 5_000);
    expect((await html(one, '<p>Hello</p>')).text).toBe('Hello');
  });

  it('is stopped at the limit of the heap', async () => {
    const one = extractor({ heapMb: 60 });
    await expect(html(one, large(1_500_000))).rejects.toEqual(refusal('file_too_complex', false));
    expect((await html(one, '<p>Hello</p>')).text).toBe('Hello');
  }, 120_000);

  onLinux('can be retried when its child was killed', async () => {
    const one = extractor();
    const job = html(one, ENDLESS);
    await eventually(() => extractionChildren().length === 1, 5_000);
    process.kill(extractionChildren()[0] ?? 0, 'SIGKILL');
    await expect(job).rejects.toEqual(refusal('extraction_failed', true));
    expect((await html(one, '<p>Hello</p>')).text).toBe('Hello');
  });

  onLinux('ends with its child when the caller aborts', async () => {
    const one = extractor();
    const giveUp = new AbortController();
    const job = html(one, ENDLESS, giveUp.signal);
    const waiting = html(one, '<p>Hello</p>', giveUp.signal).catch((error: unknown) => error);
    await eventually(() => extractionChildren().length === 1, 5_000);
    giveUp.abort(new Error('enough'));
    await expect(job).rejects.toEqual(refusal('extraction_failed', true));
    expect(await waiting).toMatchObject({ cause: { message: 'enough' } });
    await expect(html(one, '<p>Hello</p>', giveUp.signal)).rejects.toEqual(
      refusal('extraction_failed', true),
    );
    await eventually(() => extractionChildren().length === 0, 5_000);
  });

  onLinux('ends when the extractor is closed, which accepts no job after that', async () => {
    const one = extractor();
    const jobs = [html(one, ENDLESS), html(one, '<p>Hello</p>')].map((job) =>
      job.catch((error: unknown) => error),
    );
    await eventually(() => extractionChildren().length === 1, 5_000);
    await one.close();
    expect(extractionChildren()).toEqual([]);
    for (const error of await Promise.all(jobs)) expect(error).toEqual(refusal('extraction_failed', true));
    await expect(html(one, '<p>Hello</p>')).rejects.toEqual(refusal('extraction_failed', true));
  });

  it('reads a page of 1 MB within its limits, and does not block the process that started it', async () => {
    const one = extractor();
    let beats = 0;
    const beat = setInterval(() => {
      beats += 1;
    }, 5);
    const { text } = await html(one, large(1_000_000));
    clearInterval(beat);
    expect(text.length).toBeGreaterThan(600_000);
    // A process that reads a million characters itself has no turn in between.
    expect(beats).toBeGreaterThan(20);
  }, 120_000);
});

describe('a child process', () => {
  onLinux('ends with its parent, even while a parser blocks it', async () => {
    const parent = fork(fileURLToPath(new URL('./fixtures/parent.ts', import.meta.url)), { execArgv: [] });
    await new Promise((resolve) => parent.once('message', resolve));
    await eventually(() => extractionChildren(parent.pid).length === 1, 5_000);
    const [child = 0] = extractionChildren(parent.pid);
    await timePasses(1_500, 'the child is inside the parser by then');
    expect(isAlive(child)).toBe(true);
    parent.kill('SIGKILL');
    await eventually(() => !isAlive(child), 5_000);
  });

  onLinux('gets no environment variables of the service', async () => {
    process.env.SECRET_OF_THE_SERVICE = 'x';
    await html(extractor(), '<p>Hello</p>');
    const { readFileSync } = await import('node:fs');
    const names = readFileSync(`/proc/${extractionChildren()[0]}/environ`, 'latin1')
      .split('\0')
      .map((line) => line.split('=')[0]);
    expect(names.filter((name) => name !== '').sort()).toEqual([
      'LANG',
      'NODE_CHANNEL_FD',
      'NODE_CHANNEL_SERIALIZATION_MODE',
      'PATH',
    ]);
    delete process.env.SECRET_OF_THE_SERVICE;
  });
});
