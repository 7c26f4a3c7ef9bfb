// Detection of the kind of a ZIP archive: each declared kind looks at the names in it.
import { openArchive } from '../containers/zip.ts';
import type { ExtractedKind } from '../content-kinds.generated.ts';
import { declaredKinds } from '../extractor-list.ts';
import { failure } from '../failures.ts';
import { unsupported } from './unsupported.ts';

/** `mimeType`: as the first bytes of the archive say. */
export const archiveKind = async (file: string, mimeType: string): Promise<ExtractedKind> => {
  const archive = await openArchive(file);
  try {
    for (const [kind, { detect }] of declaredKinds)
      if (await detect.archive?.(archive, mimeType)) return kind;
    // The archive claims to be an office file and holds none.
    if (/officedocument/.test(mimeType)) throw failure('corrupt_file');
    throw unsupported(mimeType);
  } finally {
    archive.close();
  }
};
