// Uploads one file or the files of a folder for `memoir add`, and shows the progress.

import type { z } from 'zod';
import type { SimilarMemories } from '../../../tools/documents/schemas/facts.ts';
import { uploadFile } from '../../../tools/documents/upload.ts';
import { mapBounded } from '../../lib/async/bounded.ts';
import { messageOf } from '../../lib/failures.ts';
import type { CommandWork } from '../command.ts';
import { type FolderFile, fileRefusal, type LocalFile, localFile } from '../connection/local-files.ts';
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
  let done = 0;
  let finished = 0;
  const show = (file: FolderFile) => {
    print.progress(progressBar(done, total, `${finished} of ${files.length} files  ${file.inFolder}`));
  };

  const upload = async (file: FolderFile): Promise<FolderOutcome> => {
    const filepath = documentPath(file);
    if (file.fault !== null) return { filepath, error: file.fault };
    try {
      // Another size than when the folder was read is no fault.
      const now = localFile(file.path);
      const refusal = fileRefusal(now);
      if (refusal !== null) return { filepath, error: refusal };
      let sent = 0;
      const answer = await client.upload(uploadFile, fields.of(filepath), now, (bytes) => {
        done += bytes - sent;
        sent = bytes;
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
    print.step(
      'error' in outcome
        ? `${outcome.filepath}: ${outcome.error}`
        : `${outcome.filepath} (${bytesText(file.bytes)}) as ${outcome.id}`,
    );
    return outcome;
  });
};
