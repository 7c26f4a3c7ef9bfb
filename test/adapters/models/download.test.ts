// Tests of downloads that are interrupted, against a hub on loopback.
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { downloadFile, type FileDownload, sha256OfFile } from '../../../server/adapters/models/download.ts';
import { type Hub, startHub } from '../../support/models/hub.ts';

const FILE = '/memoir/tiny/resolve/main/weights';
const CONTENT = Buffer.from(Array.from({ length: 300_000 }, (_, at) => (at * 31) % 251));
const OTHER = Buffer.from(Array.from({ length: 300_000 }, (_, at) => (at * 17) % 249));

let hub: Hub;
let folder: string;
beforeEach(async () => {
  hub = await startHub();
  folder = mkdtempSync(join(tmpdir(), 'memoir-download-'));
});
afterEach(async () => {
  await hub.close();
  rmSync(folder, { recursive: true, force: true });
});

const target = () => join(folder, 'onnx', 'weights');
const progress: number[] = [];

const download = (
  signal: AbortSignal = AbortSignal.timeout(30_000),
  more: Pick<FileDownload, 'retries'> = {},
): Promise<void> =>
  downloadFile({
    url: `${hub.url}${FILE}`,
    path: target(),
    signal,
    ...more,
    progress: (bytes) => void progress.push(bytes),
  });

const ranges = () => hub.requests.map(({ range }) => range);

describe('a download', () => {
  it('brings the whole file, and reports its progress', async () => {
    hub.put(FILE, { content: CONTENT, etag: '"a"' });
    await download();
    expect(readFileSync(target()).equals(CONTENT)).toBe(true);
    expect(progress.at(-1)).toBe(CONTENT.length);
    expect(await sha256OfFile(target())).toMatch(/^[0-9a-f]{64}$/);
  });

  it('asks for the bytes of the file and for no compressed form, so that lengths and ranges fit', async () => {
    hub.put(FILE, { content: CONTENT, etag: '"a"' });
    await download();
    expect(hub.encodings).toEqual(['identity']);
  });

  it('goes on where it broke off, twice', async () => {
    hub.put(FILE, { content: CONTENT, etag: '"a"' });
    hub.breakOff(100_000, 50_000);
    await download();
    expect(readFileSync(target()).equals(CONTENT)).toBe(true);
    expect(ranges()).toEqual([undefined, 'bytes=100000-', 'bytes=150000-']);
  });

  it('goes on in a later attempt, after it was stopped', async () => {
    hub.put(FILE, { content: CONTENT, etag: '"a"' });
    hub.breakOff(120_000);
    hub.answer();
    const stop = new AbortController();
    const first = download(stop.signal);
    await expect.poll(() => existsSync(`${target()}.part`) && progress.at(-1) === 120_000).toBe(true);
    stop.abort(new Error('stopped'));
    await expect(first).rejects.toThrow('stopped');
    await download();
    expect(readFileSync(target()).equals(CONTENT)).toBe(true);
    expect(ranges().at(-1)).toBe('bytes=120000-');
  });

  it('begins again when the file on the hub is another one, so that no halves are joined', async () => {
    hub.put(FILE, { content: CONTENT, etag: '"a"' });
    hub.breakOff(100_000);
    const first = download();
    await expect.poll(() => hub.requests.length).toBe(1);
    hub.put(FILE, { content: OTHER, etag: '"b"' });
    await first;
    expect(readFileSync(target()).equals(OTHER)).toBe(true);
  });

  it('begins again where the hub marks no version', async () => {
    hub.put(FILE, { content: CONTENT, etag: null });
    hub.breakOff(100_000);
    await download();
    expect(ranges()).toEqual([undefined, undefined]);
    expect(readFileSync(target()).equals(CONTENT)).toBe(true);
  });

  it('is repeated after an answer of 503 or 429', async () => {
    hub.put(FILE, { content: CONTENT, etag: '"a"' });
    hub.answer(503, 429);
    await download();
    expect(readFileSync(target()).equals(CONTENT)).toBe(true);
  });

  it('ends with a sentence where the hub has no such file', async () => {
    await expect(download()).rejects.toThrow(/answered 404\. The hub has no such file: check the name/);
    expect(hub.requests).toHaveLength(1);
  });

  it('ends with a sentence where nobody answers', async () => {
    await hub.close();
    const retries = { attempts: 6, firstWaitMs: 5, longestWaitMs: 50 };
    await expect(download(AbortSignal.timeout(60_000), { retries })).rejects.toThrow(
      /127\.0\.0\.1:\d+ could not be reached\. Run the command again to go on, name a mirror/,
    );
    hub = await startHub();
  });

  it.skipIf(process.platform !== 'linux')('says that the disk is full, and keeps what is there', async () => {
    hub.put(FILE, { content: CONTENT, etag: '"a"' });
    const path = join(folder, 'weights');
    symlinkSync('/dev/full', `${path}.part`);
    const full = downloadFile({
      url: `${hub.url}${FILE}`,
      path,
      signal: AbortSignal.timeout(30_000),
      progress: () => {},
    });
    await expect(full).rejects.toThrow(
      /is full\. Free some space and run the command again: it goes on from here/,
    );
    expect(existsSync(path)).toBe(false);
  });
});
