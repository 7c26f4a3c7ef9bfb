// An uploaded file as an operation gets it: the way in has already stored it on the disk of the server.
import { z } from 'zod';

export const maxFileBytes = 50 * 1024 * 1024;

export interface ReceivedFile {
  /** The key in the file store. */
  readonly key: string;
  readonly bytes: number;
  /** In hexadecimal. */
  readonly sha256: string;
  /** The file name from the upload, without folders. */
  readonly name: string;
  /** The declared type; it is unreliable. */
  readonly mimeType: string | null;
}

/** Files that the service has not taken over yet. Only a way in can register one, so a caller cannot forge a file. */
const unclaimed = new WeakSet<ReceivedFile>();

/** For ways in: registers a received file. A file that is not handed over is erased after the request. */
export const asReceived = (file: ReceivedFile): ReceivedFile => {
  unclaimed.add(file);
  return file;
};

/** For operations: from now on the service owns the file. */
export const handOver = (file: ReceivedFile): ReceivedFile => {
  unclaimed.delete(file);
  return file;
};

export const isUnclaimed = (file: ReceivedFile): boolean => unclaimed.has(file);

const isReceived = (value: unknown): value is ReceivedFile => unclaimed.has(value as ReceivedFile);

export const receivedFile = z
  .unknown()
  .transform((value, context) => {
    if (isReceived(value)) return value;
    const message = 'must be a file, in a part of a multipart form that is named "file"';
    context.addIssue({ code: 'custom', message });
    return z.NEVER;
  })
  .meta({
    type: 'string',
    format: 'binary',
    description:
      'The file, at most 50 MiB (52,428,800 bytes). The type is detected from the bytes, not from the name.',
  });
