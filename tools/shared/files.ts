// A file as an operation gets it: the way in has received it already, and it lies on the disk of the server.
import { z } from 'zod';

export const maxFileBytes = 50 * 1024 * 1024;

export interface ReceivedFile {
  /** By which the store of files knows it. */
  readonly key: string;
  readonly bytes: number;
  /** In hexadecimal. */
  readonly sha256: string;
  /** As its sender calls it, without folders. */
  readonly name: string;
  /** As declared, which says little. */
  readonly mimeType: string | null;
}

/** Those that a way in answers for: nothing that a caller writes can pretend to be one. */
const loose = new WeakSet<ReceivedFile>();

/** For ways in: received just now. What it is not handed over to erases it. */
export const asReceived = (file: ReceivedFile): ReceivedFile => {
  loose.add(file);
  return file;
};

/** For operations: from now on the service answers for it. */
export const handOver = (file: ReceivedFile): ReceivedFile => {
  loose.delete(file);
  return file;
};

export const isLoose = (file: ReceivedFile): boolean => loose.has(file);

const isReceived = (given: unknown): given is ReceivedFile => loose.has(given as ReceivedFile);

export const receivedFile = z
  .unknown()
  .transform((given, context) => {
    if (isReceived(given)) return given;
    const message = 'must be a file, in a part of a multipart form that is named "file"';
    context.addIssue({ code: 'custom', message });
    return z.NEVER;
  })
  .meta({
    type: 'string',
    format: 'binary',
    description: 'The file, at most 50 MiB (52,428,800 bytes). What it is, its bytes say and not its name.',
  });
