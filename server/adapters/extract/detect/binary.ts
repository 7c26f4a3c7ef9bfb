// What a file is when it is no text: by its first bytes, and by the names in it where it is an archive.
import { readFile } from 'node:fs/promises';
import { fileTypeFromFile } from 'file-type';
import { failure } from '../failures.ts';
import { archiveKind } from '../office/archive-kind.ts';
import type { ContentKind } from '../port.ts';
import { markOf, utf16Of } from './charset.ts';
import { type Detected, detected } from './detected.ts';
import { isOle, oleKind } from './ole.ts';
import { unsupported } from './unsupported.ts';

/** More control characters than this share is not text. */
const UNPRINTABLE_SHARE = 0.02;
const ZERO_SHARE = 0.002;

/** Null: it is text. */
export async function detectBinary(file: string, head: Buffer): Promise<Detected | null> {
  if (isOle(head)) return ofOle(await readFile(file));
  if (isPdf(head)) return detected('pdf', 'application/pdf');
  const mimeType = await signatureOf(file);
  if (mimeType !== null) {
    const known = KNOWN.find(([pattern]) => pattern.test(mimeType))?.[1];
    if (known === 'archive') return detected(await archiveKind(file, mimeType));
    // "GIF89a was a format" is a sentence: real pictures are not made of letters alone.
    const letters = isWritten(head, 0);
    if (known !== undefined && known !== 'text' && !letters) return detected(known, mimeType);
    if (known === undefined && (!letters || ASCII_FORMATS.test(mimeType))) throw unsupported(mimeType);
  }
  const text = markOf(head) !== null || utf16Of(head) !== null || isWritten(head, ZERO_SHARE);
  if (!text) throw unsupported(mimeType);
  return null;
}

const KNOWN: readonly (readonly [RegExp, ContentKind | 'archive'])[] = [
  [/^application\/(?:zip|vnd\.(?:openxmlformats|oasis)|epub|java-archive|x-zip)/, 'archive'],
  [/^image\/(?:png|apng|jpeg|gif|webp)$/, 'image'],
  [
    /^audio\/(?:mpeg|mp4|x-m4[ab]|aac|ogg|opus|flac|x-flac|wav|vnd\.wave|x-wav|webm|matroska|x-matroska)/,
    'audio',
  ],
  [/^video\/(?:mp4|quicktime|webm|matroska|x-matroska|x-m4v|3gpp2?|ogg)/, 'video'],
  [/^application\/(?:ogg|mp4)/, 'audio'],
  [/^(?:application\/xml|text\/)/, 'text'],
];

/** Formats that are written in letters and still are no text. */
const ASCII_FORMATS = /rtf|postscript|pgp/;

const signatureOf = async (file: string): Promise<string | null> => {
  try {
    return (await fileTypeFromFile(file))?.mime ?? null;
  } catch {
    // It stumbles over some damaged files; what they are is then told by the rest.
    return null;
  }
};

function ofOle(bytes: Buffer): Detected {
  const kind = oleKind(bytes);
  if (kind === 'encrypted') throw failure('encrypted_file');
  if (kind === 'corrupt') throw failure('corrupt_file');
  if (kind === 'doc') return detected('doc');
  throw unsupported(`ole/${kind}`);
}

/** Some programs write a line or two before the header. A text about PDF has no objects. */
function isPdf(head: Buffer): boolean {
  const at = head.subarray(0, 1_029).indexOf('%PDF-');
  if (at === 0) return true;
  return at > 0 && /^%PDF-\d\.\d/.test(head.toString('latin1', at, at + 8)) && head.includes(' obj', at);
}

/** A text may have lost a few bytes to zeros; one that begins like a picture may not. */
function isWritten(head: Buffer, zeros: number): boolean {
  let unprintable = 0;
  let found = 0;
  for (const byte of head) {
    if (byte === 0) found++;
    else if (byte < 9 || (byte > 13 && byte < 32 && byte !== 27)) unprintable++;
  }
  return found <= head.length * zeros && unprintable <= head.length * UNPRINTABLE_SHARE;
}
