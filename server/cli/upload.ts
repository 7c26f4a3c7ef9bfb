// What `memoir add` does with files: sends them, one or a folder full, and shows how far it is.
import type { z } from 'zod';
import { uploadFile } from '../../tools/documents/upload.ts';
import { mapBounded } from '../lib/bounded.ts';
import { bar, shownBytes } from './bar.ts';
import type { Work } from './command.ts';
import { textOf } from './failure.ts';
import { type FolderFile, type LocalFile, refusalOf } from './local-files.ts';

export type UploadFields = Omit<z.input<typeof uploadFile.input>, 'file'>;

export interface Uploaded {
  id: string;
  status: string;
}

export async function uploadOne(
  { client, print }: Work,
  fields: UploadFields,
  file: LocalFile,
): Promise<Uploaded> {
  return client.upload(uploadFile, fields, file, (bytes) =>
    print.progress(bar(bytes, file.bytes, file.name)),
  );
}

/** One file of a folder: taken, or why not. */
export type FolderOutcome = { filepath: string } & (Uploaded | { error: string });

/** As many as a server should be sent at once. */
const AT_ONCE = 3;

export interface FolderFields {
  /** The path from the folder on becomes the path of the document. */
  of(filepath: string): UploadFields;
}

const pathOf = ({ inFolder }: FolderFile): string => `/${inFolder}`;

export async function uploadFolder(
  work: Work,
  files: readonly FolderFile[],
  fields: FolderFields,
): Promise<FolderOutcome[]> {
  const { client, print } = work;
  const total = files.reduce((sum, { bytes }) => sum + bytes, 0);
  const sent = new Map<FolderFile, number>();
  let finished = 0;
  const show = (file: FolderFile) => {
    const done = [...sent.values()].reduce((sum, bytes) => sum + bytes, 0);
    print.progress(bar(done, total, `${finished} of ${files.length} files  ${file.inFolder}`));
  };

  const upload = async (file: FolderFile): Promise<FolderOutcome> => {
    const filepath = pathOf(file);
    const refusal = refusalOf(file);
    if (refusal !== null) return { filepath, error: refusal };
    try {
      const answer = await client.upload(uploadFile, fields.of(filepath), file, (bytes) => {
        sent.set(file, bytes);
        show(file);
      });
      return { filepath, ...answer };
    } catch (error) {
      return { filepath, error: textOf(error) };
    }
  };

  return mapBounded(files, AT_ONCE, async (file) => {
    const outcome = await upload(file);
    finished += 1;
    sent.set(file, file.bytes);
    print.step(
      'error' in outcome
        ? `${outcome.filepath}: ${outcome.error}`
        : `${outcome.filepath} (${shownBytes(file.bytes)}) as ${outcome.id}`,
    );
    return outcome;
  });
}
