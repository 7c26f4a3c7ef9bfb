// Uploads one file or the files of a folder for `memoir add`, and shows the progress.

import type { z } from 'zod';
import type { SimilarMemories } from '../../../tools/documents/schemas/facts.ts';
import { uploadFile } from '../../../tools/documents/upload.ts';
import { mapBounded } from '../../lib/async/bounded.ts';
import { messageOf } from '../../lib/failures.ts';
import type { CommandWork } from '../command.ts';
import { type FolderFile, fileRefusal, type LocalFile } from '../connection/local-files.ts';
import { bytesText, progressBar } from '../output/progress-bar.ts';

export type UploadFields = Omit<z.input<typeof uploadFile.input>, 'file'>;

export interface Uploaded {
  id: string;
  status: string;
  /** Memories that a stated fact seems to change. */
  similar?: SimilarMemories | undefined;
}

export const uploadOne = async (
  { client, print }: CommandWork,
  fields: UploadFields,
  file: LocalFile,
): Promise<Uploaded> => {
  return client.upload(uploadFile, fields, file, (bytes) =>
    print.progress(progressBar(bytes, file.bytes, file.name)),
  );
};

/** The outcome for one file of a folder: the document, or the error. */
export type FolderOutcome = { filepath: string } & (Uploaded | { error: string });

/** Parallel uploads, few enough for a small server. */
const AT_ONCE = 3;

export interface FolderFields {
  /** The path inside the folder becomes the `filepath` of the document. */
  of(filepath: string): UploadFields;
}

const documentPath = ({ inFolder }: FolderFile): string => `/${inFolder}`;

export const uploadFolder = async (
  work: CommandWork,
  files: readonly FolderFile[],
  fields: FolderFields,
): Promise<FolderOutcome[]> => {
  const { client, print } = work;
  const total = files.reduce((sum, { bytes }) => sum + bytes, 0);
  const sent = new Map<FolderFile, number>();
  let finished = 0;
  const show = (file: FolderFile) => {
    const done = [...sent.values()].reduce((sum, bytes) => sum + bytes, 0);
    print.progress(progressBar(done, total, `${finished} of ${files.length} files  ${file.inFolder}`));
  };

  const upload = async (file: FolderFile): Promise<FolderOutcome> => {
    const filepath = documentPath(file);
    const refusal = fileRefusal(file);
    if (refusal !== null) return { filepath, error: refusal };
    try {
      const answer = await client.upload(uploadFile, fields.of(filepath), file, (bytes) => {
        sent.set(file, bytes);
        show(file);
      });
      return { filepath, ...answer };
    } catch (error) {
      return { filepath, error: messageOf(error) };
    }
  };

  return mapBounded(files, AT_ONCE, async (file) => {
    const outcome = await upload(file);
    finished += 1;
    sent.set(file, file.bytes);
    print.step(
      'error' in outcome
        ? `${outcome.filepath}: ${outcome.error}`
        : `${outcome.filepath} (${bytesText(file.bytes)}) as ${outcome.id}`,
    );
    return outcome;
  });
};
