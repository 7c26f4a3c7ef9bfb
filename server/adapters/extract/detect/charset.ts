// From bytes to text, as browsers read them: a mark at the start, what a header or the page says, UTF-8, else a guess.
import { isUtf8 } from 'node:buffer';
import { detect as guess } from 'chardet';

export interface CharsetHints {
  /** By a header; believed where the bytes do not say otherwise. */
  readonly declared?: string;
  /** A page may name its charset itself. */
  readonly html?: boolean;
}

/** The guess costs time, and as much is enough for it. */
const GUESSED_BYTES = 64 * 1024;
const META_BYTES = 4_096;
const FALLBACK = 'windows-1252';

export function decodeText(bytes: Uint8Array, hints: CharsetHints = {}): string {
  return new TextDecoder(charsetOf(bytes, hints)).decode(bytes);
}

/** A label that TextDecoder knows. */
export function charsetOf(bytes: Uint8Array, { declared, html = false }: CharsetHints = {}): string {
  const sure = markOf(bytes) ?? utf16Of(bytes);
  if (sure !== null) return sure;
  const said = known(declared) ?? (html ? known(metaCharset(bytes)) : null);
  // These two write everything in ASCII, so the bytes alone would pass for UTF-8.
  const ascii = said === 'iso-2022-jp' ? said : escaped(bytes);
  if (ascii !== null) return ascii;
  if (isUtf8(bytes)) return 'utf-8';
  if (said !== null && said !== 'utf-8') return said;
  const guessed = known(guess(bytes.subarray(0, GUESSED_BYTES)) ?? undefined) ?? FALLBACK;
  return guessed === FALLBACK && hasEuroSign(bytes) ? 'iso-8859-15' : guessed;
}

/** Nobody writes the sign "¤", which stands where ISO 8859-15 has "€"; and that one has nothing from 80 to 9F. */
function hasEuroSign(bytes: Uint8Array): boolean {
  const head = bytes.subarray(0, GUESSED_BYTES);
  return head.includes(0xa4) && !head.some((byte) => byte >= 0x80 && byte <= 0x9f);
}

export function markOf(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | 'utf-8' | null {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 'utf-8' : null;
}

/** UTF-16 without a mark: one half of the bytes is full of zeros, the other has none. */
export function utf16Of(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | null {
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
}

/** ISO-2022-JP switches alphabets with escape sequences that no other text holds. */
function escaped(bytes: Uint8Array): 'iso-2022-jp' | null {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, GUESSED_BYTES));
  return head.includes('\u001b$B') || head.includes('\u001b$@') ? 'iso-2022-jp' : null;
}

function metaCharset(bytes: Uint8Array): string | undefined {
  const head = Buffer.from(bytes.subarray(0, META_BYTES)).toString('latin1');
  return /<meta[^>]{0,200}charset\s{0,8}=\s{0,8}["']?\s{0,8}([\w.:-]{2,40})/i.exec(head)?.[1];
}

/** As TextDecoder names it; null where it knows no such charset. */
function known(label: string | undefined): string | null {
  if (label === undefined) return null;
  try {
    return new TextDecoder(label.trim().replace(/^["']|["']$/g, '')).encoding;
  } catch {
    // A name that means nothing is as good as none.
    return null;
  }
}
