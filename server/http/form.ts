// Reads multipart forms: the file is written to disk as it arrives, every other part becomes a field.

import type { Request, Response } from 'express';
import multer, { type StorageEngine } from 'multer';
import { asReceived, maxFileBytes, type ReceivedFile } from '../../tools/documents/schemas/file.ts';
import type { FileReceiver } from '../calls/memoir.ts';
import { storageError } from '../calls/storage-error.ts';
import { badRequest, type MemoirError } from '../core/errors.ts';
import { codeOf } from '../lib/failures.ts';
import type { BodyShare } from './bodies/budget.ts';
import { clientClosed } from './bodies/collect.ts';

export interface UploadForm {
  fields: object;
  file: ReceivedFile | null;
}

/** The file, and 1 MiB for the fields and the boundaries between the parts. */
const MOST_BODY_BYTES = maxFileBytes + 1024 * 1024;

const LIMITS = {
  fileSize: maxFileBytes,
  files: 1,
  fields: 400,
  parts: 401,
  fieldSize: 1024 * 1024,
  fieldNameSize: 600,
  fieldNestingDepth: 2,
  fieldArrayIndexLimit: 400,
  headerPairs: 50,
} as const;

const fileTooLarge = (): MemoirError =>
  badRequest('The file is larger than 50 MiB (52,428,800 bytes). Split it, or send only the important part.');

const oneFile = (): MemoirError => badRequest('Send one file, in a part of the form that is named "file".');

/** Multer's error codes for exceeded limits. */
const REFUSALS: Readonly<Record<string, () => MemoirError>> = {
  LIMIT_FILE_SIZE: fileTooLarge,
  LIMIT_FILE_COUNT: oneFile,
  LIMIT_UNEXPECTED_FILE: oneFile,
};

const malformed = (cause: unknown): MemoirError => {
  const why = cause instanceof Error ? cause.message : String(cause);
  return badRequest(`The form cannot be read: ${why}. Send a complete multipart/form-data body.`, {
    cause,
  });
};

const formError = (error: unknown): MemoirError => REFUSALS[codeOf(error) ?? '']?.() ?? malformed(error);

/** The file could not be written; the rest of the form is of no use then. */
const storageFailure = (error: unknown): unknown | null =>
  storageError(error) ?? (error instanceof Error && 'syscall' in error && !isCutOff(error) ? error : null);

/** The client closed the connection. */
const isCutOff = (error: Error): boolean => codeOf(error) === 'ECONNRESET' || codeOf(error) === 'EPIPE';

const checkHead = ({ headers }: Request): void => {
  if (!/^multipart\/form-data\b/i.test(headers['content-type'] ?? ''))
    throw badRequest('Send a form of the type multipart/form-data, with the file in a part named "file".');
  const encoding = headers['content-encoding']?.trim().toLowerCase() ?? 'identity';
  if (encoding !== 'identity') throw badRequest(`Send the form without the content encoding ${encoding}.`);
  if (Number(headers['content-length'] ?? 0) > MOST_BODY_BYTES) throw fileTooLarge();
};

/** Removes folders from the file name. */
const uploadedName = (name: string): string => name.replace(/^.*[/\\]/, '').slice(0, 255) || 'unknown_file';

/** Removes fields with an empty value: browsers send an empty form field as "". */
const filledIn = (fields: object): object =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== ''));

/** One form while it is read. */
interface FormReading {
  readonly req: Request;
  readonly files: FileReceiver;
  readonly share: BodyShare;
  readonly reject: (reason: unknown) => void;
  file: ReceivedFile | null;
  /** Resolves when the file is written, or why it was not is known. */
  taken: Promise<void>;
  /** True as soon as the form was read or refused. */
  isSettled: boolean;
}

const refuseForm = (reading: FormReading, reason: unknown): void => {
  if (reading.isSettled) return;
  reading.isSettled = true;
  // The rest of the body is not parsed; the error handler drains it.
  reading.req.unpipe();
  if (reading.file !== null) void reading.files.erase(reading.file.key).catch(() => undefined);
  reading.reject(reason);
};

/** A piece that was read costs this much beside its content until it is written or parsed. */
const PIECE_BYTES = 256;

/** A file that is written to the disk does not stay in memory. */
async function* passedOn({ share }: FormReading, source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  for await (const piece of source) {
    yield piece;
    share.giveBack(piece.length + PIECE_BYTES);
  }
}

const takeFile = async (reading: FormReading, part: Express.Multer.File): Promise<void> => {
  const received = await reading.files.receive(passedOn(reading, part.stream));
  // The form was refused while its file was written.
  if (reading.isSettled) return reading.files.erase(received.key);
  reading.file = asReceived({
    ...received,
    name: uploadedName(part.originalname),
    mimeType: part.mimetype || null,
  });
};

const formStorage = (reading: FormReading): StorageEngine => ({
  _handleFile(_req, part, done) {
    // Refuses at once, without waiting for the rest of the file.
    part.stream.once('limit', () => {
      refuseForm(reading, fileTooLarge());
      part.stream.destroy();
    });
    reading.taken = takeFile(reading, part).then(
      () => done(null, {}),
      (error: unknown) => {
        // A failed write destroys the stream of the part, as a client does that closes the connection.
        const failure = storageFailure(error);
        if (failure !== null) refuseForm(reading, failure);
        else if (!part.stream.destroyed || part.stream.readableEnded) refuseForm(reading, error);
        done(error);
      },
    );
  },
  _removeFile: (_req, _part, done) => done(null),
});

/** Refuses a form whose body is too large, or whose client closes the connection before its end. */
const watchBody = (reading: FormReading): void => {
  const { req } = reading;
  let bytes = 0;
  req.on('data', (piece: Buffer) => {
    bytes += piece.length;
    if (bytes > MOST_BODY_BYTES) refuseForm(reading, fileTooLarge());
    try {
      if (!reading.isSettled) reading.share.take(piece.length + PIECE_BYTES);
    } catch (error) {
      refuseForm(reading, error);
    }
  });
  req.once('close', () => {
    if (!req.readableEnded) refuseForm(reading, clientClosed('form'));
  });
};

export interface FormDeps {
  files: FileReceiver;
  share: BodyShare;
}

export const readForm = (req: Request, res: Response, { files, share }: FormDeps): Promise<UploadForm> => {
  checkHead(req);
  return new Promise((resolve, reject) => {
    const taken = Promise.resolve();
    const reading: FormReading = { req, files, share, reject, file: null, taken, isSettled: false };
    const storage = formStorage(reading);
    watchBody(reading);
    // The key is checked now, so a client that waits for 100 Continue may send its form.
    if (req.headers.expect !== undefined) res.writeContinue();
    multer({ storage, limits: LIMITS, defParamCharset: 'utf8' }).single('file')(
      req,
      res,
      (error: unknown) => {
        // A file that could not be written ends its stream before its own reason is known.
        if (error !== undefined && error !== null)
          return void reading.taken.then(() => refuseForm(reading, formError(error)));
        if (reading.isSettled) return;
        reading.isSettled = true;
        resolve({ fields: filledIn(req.body ?? {}), file: reading.file });
      },
    );
  });
};
