// Reads sitemaps piece by piece: lists of pages, lists of sitemaps, each plain or packed.
import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { Parser } from 'htmlparser2';
import { codeOf } from '../../../lib/failures.ts';

export interface SitemapEntry {
  readonly address: string;
  readonly kind: 'page' | 'sitemap';
  readonly changedAt: number | null;
}

const MOST_ENTRIES = 50_000;
const MOST_BYTES = 50 * 1024 * 1024;
const LONGEST_TEXT = 4_096;

interface EntryReader {
  write(piece: string): void;
  end(): void;
}

const changedAtOf = (date: string): number | null => {
  const time = Date.parse(date.trim());
  return Number.isNaN(time) ? null : time;
};

const createEntryReader = (add: (entry: SitemapEntry) => void): EntryReader => {
  let [text, address, changed] = ['', '', ''];
  const parser = new Parser(
    {
      onopentag(name) {
        text = '';
        if (/^(?:url|sitemap)$/i.test(name)) [address, changed] = ['', ''];
      },
      ontext(piece) {
        if (text.length < LONGEST_TEXT) text += piece;
      },
      onclosetag(full) {
        const name = full.toLowerCase();
        // A picture of a page has an address too, with a prefix.
        if (name === 'loc') address = text.trim();
        if (name === 'lastmod') changed = text;
        if ((name === 'url' || name === 'sitemap') && address !== '')
          add({ address, kind: name === 'url' ? 'page' : 'sitemap', changedAt: changedAtOf(changed) });
        text = '';
      },
    },
    { xmlMode: true, decodeEntities: true },
  );
  return { write: (piece) => parser.write(piece), end: () => parser.end() };
};

/** Packed files are named `.gz` and often have no header that says so. */
async function* unpacked(stream: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  const first = await stream.next();
  if (first.done === true) return;
  const whole = async function* () {
    yield first.value;
    yield* stream;
  };
  if (first.value[0] !== 0x1f || first.value[1] !== 0x8b) return yield* whole();
  const packed = Readable.from(whole());
  const gunzip = createGunzip();
  packed.on('error', (error) => gunzip.destroy(error));
  try {
    for await (const piece of packed.pipe(gunzip)) yield piece as Buffer;
  } catch (error) {
    if (!codeOf(error)?.startsWith('Z_')) throw error;
  } finally {
    packed.destroy();
  }
}

/** The rest behind a limit or damage is left out: a sitemap is a hint, and links lead to the same pages. */
export async function* readSitemap(stream: AsyncGenerator<Buffer>): AsyncGenerator<SitemapEntry> {
  let found: SitemapEntry[] = [];
  const reader = createEntryReader((entry) => found.push(entry));
  const decoder = new TextDecoder();
  let [bytes, entries] = [0, 0];
  for await (const piece of unpacked(stream)) {
    bytes += piece.length;
    if (bytes > MOST_BYTES) return;
    reader.write(decoder.decode(piece, { stream: true }));
    for (const entry of found) {
      entries += 1;
      if (entries > MOST_ENTRIES) return;
      yield entry;
    }
    found = [];
  }
  reader.end();
  yield* found;
}
