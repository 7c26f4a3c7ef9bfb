// Detection of the kind of a content, by its bytes. Its name and declared type only decide between kinds of text.
import { open, readFile, stat } from 'node:fs/promises';
import { decodeText } from '../../../lib/text/charset.ts';
import type { ExtractedKind } from '../content-kinds.generated.ts';
import { declarationOf } from '../extractor-list.ts';
import { failure } from '../failures.ts';
import type { ChildJob } from '../protocol.ts';
import { declaredKind } from './declared-kind.ts';
import { textKind } from './text.ts';

export interface Detected {
  readonly kind: ExtractedKind;
  readonly mimeType: string;
  /** Only of text: decoded already. */
  readonly text?: string;
}

const HEAD_BYTES = 64 * 1024;
const META_BYTES = 4_096;
/** Larger than every upload limit; it bounds the memory of this process. */
const LARGEST_FILE = 512 * 1024 * 1024;

export const detect = async (job: ChildJob): Promise<Detected> => {
  if (job.text !== undefined) return detectText(job.text, job);
  const { size } = await stat(job.file);
  if (size === 0) throw failure('empty_file');
  if (size > LARGEST_FILE) throw failure('text_too_large', { what: 'The file is larger than 512 MB.' });
  const head = await firstBytesOf(job.file);
  const { detectBinary } = await import('./binary.ts');
  const found = await detectBinary(job.file, head);
  return found ?? detectText(await decodedFile(job.file, head, job.charset), job);
};

/** `job.kind` is known by the caller and wins. */
const detectText = (text: string, job: ChildJob): Detected => {
  if (text.trim() === '') throw failure('empty_file');
  const kind = job.kind ?? textKind(text, declaredKind(job));
  const { mimeType } = declarationOf(kind);
  return { kind, mimeType: typeof mimeType === 'string' ? mimeType : mimeType(text), text };
};

const firstBytesOf = async (file: string): Promise<Buffer> => {
  const handle = await open(file);
  try {
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
};

const decodedFile = async (file: string, head: Buffer, charset: string | undefined): Promise<string> => {
  const bytes = head.length < HEAD_BYTES ? head : await readFile(file);
  const html = /<(?:!doctype|html|head|meta)[\s>]/i.test(head.toString('latin1', 0, META_BYTES));
  return decodeText(bytes, { html, ...(charset === undefined ? {} : { declared: charset }) });
};
