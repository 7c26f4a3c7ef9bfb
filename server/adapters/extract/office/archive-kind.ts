// Which kind of office file an archive is: the names in it tell, whatever its own name says.

import { unsupported } from '../detect/unsupported.ts';
import { failure } from '../failures.ts';
import type { ContentKind } from '../port.ts';
import { type Archive, openArchive } from './archive.ts';

const FOLDERS: readonly (readonly [folder: string, kind: ContentKind])[] = [
  ['word/', 'docx'],
  ['ppt/', 'pptx'],
  ['xl/', 'xlsx'],
];
const OPEN_DOCUMENT: readonly (readonly [RegExp, ContentKind])[] = [
  [/opendocument\.text/, 'odt'],
  [/opendocument\.presentation/, 'odp'],
  [/opendocument\.spreadsheet/, 'ods'],
];
const LONGEST_MIME_TYPE = 200;

/** `mimeType`: as far as its first bytes told. */
export async function archiveKind(file: string, mimeType: string): Promise<ContentKind> {
  const archive = await openArchive(file);
  try {
    const kind = await kindOf(archive, mimeType);
    if (kind !== undefined) return kind;
    // It says that it is an office file, and holds none.
    if (/officedocument/.test(mimeType)) throw failure('corrupt_file');
    throw unsupported(mimeType);
  } finally {
    archive.close();
  }
}

async function kindOf(archive: Archive, mimeType: string): Promise<ContentKind | undefined> {
  const office = FOLDERS.find(([folder]) => archive.names.some((name) => name.startsWith(folder)));
  if (office !== undefined) return office[1];
  if (!archive.has('content.xml')) return undefined;
  const declared = archive.has('mimetype') ? await startOf(archive, 'mimetype') : mimeType;
  return OPEN_DOCUMENT.find(([pattern]) => pattern.test(declared))?.[1];
}

async function startOf(archive: Archive, name: string): Promise<string> {
  for await (const bytes of await archive.open(name)) return bytes.toString('latin1', 0, LONGEST_MIME_TYPE);
  return '';
}
