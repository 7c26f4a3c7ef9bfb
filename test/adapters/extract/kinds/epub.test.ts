import { describe, expect, it } from 'vitest';
import { describeKind } from '../fixtures/contract.ts';
import { readBytes } from '../fixtures/in-process.ts';
import { zip } from '../fixtures/zip.ts';

const CONTAINER =
  '<container><rootfiles><rootfile full-path="OPS/book.opf" media-type="application/oebps-package+xml"/></rootfiles></container>';

interface Chapter {
  readonly name: string;
  readonly body: string;
}

const page = (body: string): string =>
  `<?xml version="1.0"?><!DOCTYPE html><html xmlns="http://www.w3.org/1999/xhtml"><head><title/></head><body>${body}</body></html>`;

/** A book whose archive lists its chapters in the reverse of their reading order. */
const book = (chapters: readonly Chapter[], files: Record<string, string | Buffer> = {}): Buffer => {
  const items = chapters.map(
    ({ name }, i) => `<item id="c${i}" href="text/${name}.xhtml" media-type="application/xhtml+xml"/>`,
  );
  const spine = chapters.map((_, i) => `<itemref idref="c${i}"/>`);
  const opf = `<package xmlns:dc="http://purl.org/dc/elements/1.1/"><metadata><dc:title>Of Tides</dc:title><dc:creator>Ana Lund</dc:creator><dc:creator>Ben Ody</dc:creator><dc:language>en</dc:language></metadata><manifest><item id="nav" href="nav.xhtml" properties="nav" media-type="application/xhtml+xml"/>${items.reverse().join('')}</manifest><spine><itemref idref="nav"/>${spine.join('')}</spine></package>`;
  const pages = chapters.map(({ name, body }) => [`OPS/text/${name}.xhtml`, page(body)] as const).reverse();
  return zip({
    mimetype: 'application/epub+zip',
    'META-INF/container.xml': CONTAINER,
    'OPS/book.opf': opf,
    'OPS/nav.xhtml': page('<nav><ol><li>Ebb</li></ol></nav>'),
    ...Object.fromEntries(pages),
    ...files,
  });
};

const EBB: Chapter = { name: 'ebb', body: '<h1 id="a">Ebb</h1><a id="x"/><p>It <b>falls</b>.</p>' };
const FLOOD: Chapter = { name: 'flood', body: '<h2>Flood</h2><p>It rises.</p><p hidden="">Not shown.</p>' };

const codeOf = async (bytes: Buffer): Promise<string> =>
  readBytes(bytes).then(
    () => 'read',
    (error: { code?: string }) => String(error.code),
  );

const encrypted = (algorithm: string): Record<string, string> => ({
  'META-INF/encryption.xml': `<encryption><enc:EncryptedData xmlns:enc="x"><enc:EncryptionMethod Algorithm="${algorithm}"/></enc:EncryptedData></encryption>`,
});

describeKind('epub', { sample: book([EBB, FLOOD]), type: 'text', mimeType: /epub\+zip$/ });

describe('an EPUB', () => {
  it('returns its chapters in reading order, each under its heading', async () => {
    const { head, parts } = await readBytes(book([EBB, FLOOD]));
    expect(head).toMatchObject({
      form: 'markdown',
      title: 'Of Tides',
      metadata: { author: 'Ana Lund, Ben Ody', language: 'en' },
    });
    expect(parts).toEqual([
      { heading: 'Ebb', text: '# Ebb\n\nIt **falls**.' },
      { heading: 'Flood', text: '## Flood\n\nIt rises.' },
    ]);
  });

  it('is read without a missing chapter, and a note says so', async () => {
    const whole = book([EBB, FLOOD]);
    const missing = Buffer.from(
      whole.toString('latin1').replaceAll('OPS/text/ebb', 'OPS/text/xbb'),
      'latin1',
    );
    // The names in the archive changed, the list of chapters did not.
    const { parts, done } = await readBytes(missing);
    expect(parts).toHaveLength(1);
    expect(done.note).toContain('1 chapter was missing');
  });

  it('is refused when DRM protects it, and read when only its fonts are scrambled', async () => {
    const protectedBook = book([EBB], encrypted('http://www.w3.org/2001/04/xmlenc#aes128-cbc'));
    await expect(readBytes(protectedBook)).rejects.toThrow(
      'This book is protected by DRM. Send a copy without protection, or its text.',
    );
    expect(await codeOf(protectedBook)).toBe('encrypted_file');
    expect(await codeOf(book([EBB], encrypted('http://www.idpf.org/2008/embedding')))).toBe('read');
  });

  it('is read under another name, and an archive that only claims to be an EPUB is refused', async () => {
    expect((await readBytes(book([EBB]), { fileName: 'book.docx' })).head?.kind).toBe('epub');
    expect(await codeOf(zip({ mimetype: 'application/epub+zip', 'a.txt': 'x' }))).toBe('corrupt_file');
    expect(await codeOf(book([]))).toBe('corrupt_file');
  });

  it('is refused with names that lead out of it, with too many files or with a huge chapter', async () => {
    expect(await codeOf(book([EBB], { '../x': 'x' }))).toBe('unsafe_archive');
    const many = Object.fromEntries(Array.from({ length: 5_001 }, (_, i) => [`OPS/${i}`, '']));
    expect(await codeOf(book([EBB], many))).toBe('archive_too_many_entries');
    const huge = { name: 'huge', body: `<p>${'x'.repeat(11 * 1024 * 1024)}</p>` };
    expect(await codeOf(book([huge]))).toBe('text_too_large');
  });

  it('keeps its text when it is nested 10,000 deep, and is refused when it declares entities', async () => {
    const deep = { name: 'deep', body: `${'<div>'.repeat(10_000)}The end of it.${'</div>'.repeat(10_000)}` };
    const { parts } = await readBytes(book([deep]));
    expect(parts.map(({ text }) => text)).toEqual(['The end of it.']);
    const entities = '<!DOCTYPE x [<!ENTITY a "b">]><container/>';
    expect(await codeOf(book([EBB], { 'META-INF/container.xml': entities }))).toBe('unsafe_xml');
  }, 60_000);

  it('is read in linear time when its metadata have 200,000 titles', async () => {
    const opf = `<package xmlns:dc="x"><metadata>${'<dc:title>Tides</dc:title>'.repeat(200_000)}</metadata><manifest><item id="c0" href="text/ebb.xhtml" media-type="application/xhtml+xml"/></manifest><spine><itemref idref="c0"/></spine></package>`;
    const { head, parts } = await readBytes(book([EBB], { 'OPS/book.opf': opf }));
    expect(head?.title).toBe('Tides');
    expect(parts).toHaveLength(1);
  });
});
