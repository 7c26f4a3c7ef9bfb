// Detection of files that are not text: by their first bytes, and by the names in them where they are archives.
import { readFile } from 'node:fs/promises';
import { fileTypeFromFile } from 'file-type';
import { markOf, utf16Of } from '../../../lib/text/charset.ts';
import { isOle, oleKind } from '../containers/ole.ts';
import type { ExtractedKind } from '../content-kinds.generated.ts';
import type { Detection } from '../contract.ts';
import { declarationOf, declaredKinds } from '../extractor-list.ts';
import { failure } from '../failures.ts';
import { archiveKind } from './archive.ts';
import { unsupported } from './unsupported.ts';

interface DetectedFile {
  readonly kind: ExtractedKind;
  readonly mimeType: string;
}

/** Text has at most this share of control characters. */
const UNPRINTABLE_SHARE = 0.02;
const ZERO_SHARE = 0.1;

/** Null: the file is text. */
export const detectBinary = async (file: string, head: Buffer): Promise<DetectedFile | null> => {
  if (isOle(head)) return detected(detectOle(await readFile(file)));
  const byFirstBytes = kindWith(({ firstBytes }) => firstBytes?.(head));
  if (byFirstBytes !== undefined) return detected(byFirstBytes);
  const signature = await signatureOf(file);
  const bySignature = signature === null ? null : await detectSigned(file, head, signature);
  if (bySignature !== null) return bySignature;
  const text =
    markOf(head) !== null ||
    utf16Of(head) !== null ||
    isPrintable(head, Math.max(1, head.length * ZERO_SHARE));
  if (!text) throw unsupported(signature);
  return null;
};

/** Null: the signature stands for text, or for letters that only look like one. */
const detectSigned = async (file: string, head: Buffer, mimeType: string): Promise<DetectedFile | null> => {
  if (ARCHIVES.test(mimeType)) return detected(await archiveKind(file, mimeType));
  if (TEXTS.test(mimeType)) return null;
  // "GIF89a was a format" is a sentence: real pictures are not made of letters alone.
  const letters = isPrintable(head, 0);
  const kind = kindWith(({ signature }) => signature?.test(mimeType));
  if (kind !== undefined) return letters ? null : { kind, mimeType };
  if (!letters || ASCII_FORMATS.test(mimeType)) throw unsupported(mimeType);
  return null;
};

const kindWith = (matches: (detection: Detection) => boolean | undefined): ExtractedKind | undefined =>
  declaredKinds.find(([, { detect }]) => matches(detect) === true)?.[0];

const detected = (kind: ExtractedKind): DetectedFile => {
  const { mimeType } = declarationOf(kind);
  return { kind, mimeType: typeof mimeType === 'string' ? mimeType : mimeType('') };
};

const ARCHIVES = /^application\/(?:zip|vnd\.(?:openxmlformats|oasis)|epub|java-archive|x-zip)/;
const TEXTS = /^(?:application\/xml|text\/)/;
/** Formats that consist of letters and are not text. */
const ASCII_FORMATS = /postscript|pgp/;

const signatureOf = async (file: string): Promise<string | null> => {
  try {
    return (await fileTypeFromFile(file))?.mime ?? null;
  } catch {
    // The library fails on some damaged files; the other checks decide then.
    return null;
  }
};

const detectOle = (bytes: Buffer): ExtractedKind => {
  const found = oleKind(bytes);
  if (found === 'encrypted') throw failure('encrypted_file');
  if (found === 'corrupt') throw failure('corrupt_file');
  const kind = kindWith(({ ole }) => ole === found);
  if (kind === undefined) throw unsupported(`ole/${found}`);
  return kind;
};

/** Logs and the output of tools hold single zeros; `mostZeros` of them are accepted. */
const isPrintable = (head: Buffer, mostZeros: number): boolean => {
  let unprintable = 0;
  let found = 0;
  for (const byte of head) {
    if (byte === 0) found++;
    else if (byte < 9 || (byte > 13 && byte < 32 && byte !== 27)) unprintable++;
  }
  return found <= mostZeros && unprintable <= head.length * UNPRINTABLE_SHARE;
};
