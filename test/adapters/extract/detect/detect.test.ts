import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it, test } from 'vitest';
import { detect } from '../../../../server/adapters/extract/detect/detect.ts';
import type { ContentHints } from '../../../../server/adapters/extract/port.ts';
import { zip } from '../fixtures/zip.ts';

const folder = mkdtempSync(join(tmpdir(), 'memoir-detect-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const kindOf = async (content: string | Buffer, hints: ContentHints = {}): Promise<string> => {
  const file = join(folder, 'content');
  writeFileSync(file, content);
  try {
    return (await detect({ file, ...hints })).kind;
  } catch (error) {
    return String((error as { code?: unknown }).code);
  }
};

describe('the kind of a text', () => {
  test.each<[string, string, ContentHints, string]>([
    ['a page', '<!doctype html><p>x', { fileName: 'notes.md' }, 'html'],
    ['a page behind a comment', '<!-- hi --><?xml version="1.0"?><html><p>x', {}, 'html'],
    ['a fragment', '<p>Hello</p>', {}, 'html'],
    [
      'Markdown that opens with a tag',
      '<div align="center">\n\n# Title',
      { fileName: 'README.md' },
      'markdown',
    ],
    ['code that opens with a tag', '<template>\n<p>x</p></template>', { fileName: 'a.vue' }, 'code'],
    ['a feed', '<?xml version="1.0"?><rss><channel/></rss>', {}, 'code'],
    ['subtitles', 'WEBVTT\n\n00:01.000 --> 00:02.000\nHi', { fileName: 'a.txt' }, 'subtitles'],
    ['other subtitles', '1\n00:00:01,000 --> 00:00:02,000\nHi', {}, 'subtitles'],
    ['JSON', '{"a": [1, 2]}', { fileName: 'a.txt' }, 'json'],
    ['lines of JSON', '{"a": 1}\n{"a": 2}\n', {}, 'json'],
    ['a text in brackets', '[Enter the harbour master.]', {}, 'text'],
    ['what is called JSON and is not', 'not at all', { fileName: 'a.json' }, 'text'],
    ['a table by its name', 'a,b\n1,2', { fileName: 'a.csv' }, 'csv'],
    ['a table by its declared type', 'a,b\n1,2', { mimeType: 'text/csv; charset=utf-8' }, 'csv'],
    ['a table by the end of its address', 'a\tb', { url: 'https://x.example/data.tsv?x=1' }, 'tsv'],
    ['code by its name', 'def f(): pass', { fileName: 'a.py' }, 'code'],
    ['a text on a domain that looks like an ending', 'Hello', { url: 'https://notes.md' }, 'text'],
    ['what the caller knows', '<p>x', { kind: 'text' }, 'text'],
    ['a sentence about GIFs', 'GIF89a was a format of pictures.', {}, 'text'],
    ['a sentence that begins like a bitmap', 'BMW makes cars.', {}, 'text'],
  ])('is detected of %s', async (_name, text, hints, kind) => expect(await kindOf(text, hints)).toBe(kind));
});

describe('a text with a few zero bytes', () => {
  it('is still detected as text', async () => {
    expect(await kindOf(`${'A line of a log.\n'.repeat(200)}\0\0`)).toBe('text');
    expect(await kindOf('short\0', { fileName: 'server.log' })).toBe('text');
    expect(
      await kindOf('./src/main/index.ts\0./src/main/open.ts\0./src/main/close.ts\0./src/main/read.ts\0'),
    ).toBe('text');
  });
});

describe('a file that is not text', () => {
  /** Sound so quiet that every other byte is zero, as in UTF-16. */
  const quiet = Buffer.alloc(4_096);
  for (let at = 44; at < quiet.length; at += 2) quiet.writeInt16LE(1 + (at % 97), at);
  quiet.write('RIFF\0\x10\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0', 'latin1');

  const random = Buffer.from(Array.from({ length: 5_000 }, (_, i) => (i * 7919) % 256));

  test.each<[string, Buffer, string]>([
    ['nothing', Buffer.alloc(0), 'empty_file'],
    ['white space', Buffer.from(' \n\n '), 'empty_file'],
    ['random bytes', random, 'unsupported_type'],
    ['an archive', zip({ 'a.txt': 'x' }), 'unsupported_type'],
    ['a DOCX', zip({ 'word/document.xml': '<a/>' }), 'docx'],
    ['quiet sound', quiet, 'audio'],
    ['half of an archive', zip({ 'word/document.xml': '<a/>' }).subarray(0, 60), 'corrupt_file'],
    ['an RTF', Buffer.from('{\\rtf1\\ansi Hello}'), 'rtf'],
    ['the head of an old Office file', Buffer.from('d0cf11e0a1b11ae1', 'hex'), 'corrupt_file'],
    ['an archive with a name that leads out of it', zip({ '../x': 'x' }), 'unsafe_archive'],
  ])('is detected or refused: %s', async (_name, bytes, kind) => {
    expect(await kindOf(bytes, { fileName: 'a.pdf', mimeType: 'application/pdf', kind: 'html' })).toBe(kind);
  });

  it('is refused by its format, with advice', async () => {
    writeFileSync(join(folder, 'a'), zip({ 'a.txt': 'Hello' }));
    await expect(detect({ file: join(folder, 'a') })).rejects.toThrow(
      'Archives are not read. Unpack it and send the files in it.',
    );
  });

  it('is refused when it has more entries than the limit', async () => {
    const many = Object.fromEntries(Array.from({ length: 5_001 }, (_, i) => [`word/${i}`, '']));
    expect(await kindOf(zip(many))).toBe('archive_too_many_entries');
  });
});
