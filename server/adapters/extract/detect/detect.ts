// What content is, by its bytes. Its name and declared type are only asked between kinds of plain text.
import { open, readFile, stat } from 'node:fs/promises';
import { failure } from '../failures.ts';
import type { ChildJob } from '../protocol.ts';
import { decodeText } from './charset.ts';
import { type Detected, detected } from './detected.ts';
import { kindByName } from './endings.ts';
import { textKind } from './text-kind.ts';

/** Of text so much is looked at: also the charset shows in it. */
const HEAD_BYTES = 64 * 1024;
const META_BYTES = 4_096;
/** Nothing that is sent may be this large; it guards the memory of this process. */
const LARGEST_FILE = 512 * 1024 * 1024;

export async function detect(job: ChildJob): Promise<Detected> {
  if (job.text !== undefined) return ofText(job.text, job);
  const { size } = await stat(job.file);
  if (size === 0) throw failure('empty_file');
  if (size > LARGEST_FILE) throw failure('text_too_large', { what: 'The file is larger than 512 MB.' });
  const head = await headOf(job.file);
  const { detectBinary } = await import('./binary.ts');
  return (await detectBinary(job.file, head)) ?? ofText(await decoded(job.file, head, job.charset), job);
}

/** `kind` is what the caller knows. */
function ofText(text: string, job: ChildJob): Detected {
  if (text.trim() === '') throw failure('empty_file');
  const kind = job.kind ?? textKind(text, kindByName(job));
  return { ...(kind === 'subtitles' ? detected(kind, subtitlesType(text)) : detected(kind)), text };
}

const subtitlesType = (text: string): string =>
  /^\s{0,20}WEBVTT/.test(text) ? 'text/vtt' : 'application/x-subrip';

async function headOf(file: string): Promise<Buffer> {
  const handle = await open(file);
  try {
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

async function decoded(file: string, head: Buffer, charset: string | undefined): Promise<string> {
  const bytes = head.length < HEAD_BYTES ? head : await readFile(file);
  const html = /<(?:!doctype|html|head|meta)[\s>]/i.test(head.toString('latin1', 0, META_BYTES));
  return decodeText(bytes, { html, ...(charset === undefined ? {} : { declared: charset }) });
}
