// Decodes bytes to text as browsers do: by a byte order mark, by a header or the page, as UTF-8, or by a guess.
import { isUtf8 } from 'node:buffer';
import { createRequire } from 'node:module';

export interface CharsetHints {
  /** The charset of a header; used unless the bytes contradict it. */
  readonly declared?: string;
  /** True for a page, which may name its charset itself. */
  readonly html?: boolean;
}

/** Guessing is slow, and this many bytes are enough for it. */
const GUESSED_BYTES = 64 * 1024;
const META_BYTES = 4_096;
const FALLBACK = 'windows-1252';

export const decodeText = (bytes: Uint8Array, hints: CharsetHints = {}): string =>
  new TextDecoder(detectCharset(bytes, hints)).decode(bytes);

/** A label that TextDecoder knows. */
export const detectCharset = (bytes: Uint8Array, { declared, html = false }: CharsetHints = {}): string => {
  const sure = markOf(bytes) ?? utf16Of(bytes);
  if (sure !== null) return sure;
  const said = knownEncoding(declared) ?? (html ? knownEncoding(metaCharset(bytes)) : null);
  // These two encodings use only ASCII bytes, which would also be valid UTF-8.
  const ascii = said === 'iso-2022-jp' ? said : escapeEncoding(bytes);
  if (ascii !== null) return ascii;
  if (isUtf8(bytes)) return 'utf-8';
  if (said !== null && said !== 'utf-8') return said;
  const guessed = knownEncoding(guessedCharset(bytes)) ?? FALLBACK;
  return guessed === FALLBACK && hasEuroSign(bytes) ? 'iso-8859-15' : guessed;
};

/** Most text is UTF-8 and needs no guess, so the library is loaded on first use. */
const guessedCharset = (bytes: Uint8Array): string | undefined => {
  const { detect } = createRequire(import.meta.url)('chardet') as typeof import('chardet');
  return detect(bytes.subarray(0, GUESSED_BYTES)) ?? undefined;
};

/** The sign "¤" is never used in text; ISO 8859-15 has "€" in its place, and no letters from 80 to 9F. */
const hasEuroSign = (bytes: Uint8Array): boolean => {
  const head = bytes.subarray(0, GUESSED_BYTES);
  return head.includes(0xa4) && !head.some((byte) => byte >= 0x80 && byte <= 0x9f);
};

export const markOf = (bytes: Uint8Array): 'utf-16le' | 'utf-16be' | 'utf-8' | null => {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 'utf-8' : null;
};

/** UTF-16 without a mark: one half of the bytes is full of zeros, the other has none. */
export const utf16Of = (bytes: Uint8Array): 'utf-16le' | 'utf-16be' | null => {
  const length = Math.min(bytes.length & ~1, META_BYTES);
  if (length < 8) return null;
  let even = 0;
  let odd = 0;
  for (let at = 0; at < length; at += 2) {
    if (bytes[at] === 0) even++;
    if (bytes[at + 1] === 0) odd++;
  }
  const many = length * 0.2;
  const few = length * 0.01;
  if (odd > many && even < few) return 'utf-16le';
  return even > many && odd < few ? 'utf-16be' : null;
};

/** ISO-2022-JP switches alphabets with escape sequences that occur in no other text. */
const escapeEncoding = (bytes: Uint8Array): 'iso-2022-jp' | null => {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, GUESSED_BYTES));
  return head.includes('\u001b$B') || head.includes('\u001b$@') ? 'iso-2022-jp' : null;
};

const metaCharset = (bytes: Uint8Array): string | undefined => {
  const head = Buffer.from(bytes.subarray(0, META_BYTES)).toString('latin1');
  return /<meta[^>]{0,200}charset\s{0,8}=\s{0,8}["']?\s{0,8}([\w.:-]{2,40})/i.exec(head)?.[1];
};

/** The name in TextDecoder; null if it does not know the charset. */
const knownEncoding = (label: string | undefined): string | null => {
  if (label === undefined) return null;
  try {
    return new TextDecoder(label.trim().replace(/^["']|["']$/g, '')).encoding;
  } catch {
    // An unknown name counts as no name.
    return null;
  }
};
