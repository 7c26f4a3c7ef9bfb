// Reads multipart forms: the file goes to the disk as it comes, every other part becomes a field.
import type { Request, Response } from 'express';
import multer, { type StorageEngine } from 'multer';
import { asReceived, maxFileBytes, type ReceivedFile } from '../../tools/shared/files.ts';
import { badRequest, type MemoirError, unavailable } from '../errors.ts';

/** Where files are put. */
export interface FileReceiver {
  /** Durable when it resolves; rejects without leaving anything. */
  receive(source: AsyncIterable<Uint8Array>): Promise<{ key: string; bytes: number; sha256: string }>;
  erase(key: string): Promise<void>;
}

export interface Form {
  fields: object;
  file: ReceivedFile | null;
}

/** Room for the fields and for what stands between the parts. */
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

const tooLarge = (): MemoirError =>
  badRequest('The file is larger than 50 MiB (52,428,800 bytes). Split it, or send the part that matters.');

const oneFile = (): MemoirError => badRequest('Send one file, in a part of the form that is named "file".');

/** Multer's own names for what a form may have too much of. */
const REFUSALS: Readonly<Record<string, () => MemoirError>> = {
  LIMIT_FILE_SIZE: tooLarge,
  LIMIT_FILE_COUNT: oneFile,
  LIMIT_UNEXPECTED_FILE: oneFile,
};

const malformed = (cause: unknown): MemoirError => {
  const why = cause instanceof Error ? cause.message : String(cause);
  return badRequest(`The form cannot be read: ${why}. Send it as multipart/form-data, to its end.`, {
    cause,
  });
};

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : '';

const refusalOf = (error: unknown): MemoirError => REFUSALS[codeOf(error)]?.() ?? malformed(error);

/** The disk has failed, not the caller. */
const storageFailure = (error: unknown): unknown =>
  codeOf(error) === 'ENOSPC' || codeOf(error) === 'EDQUOT'
    ? unavailable(
        'The disk of the server is full, so the file was not taken. Make room, then send it again.',
        {
          cause: error,
        },
      )
    : error;

/** The client went away in the middle of its form; nobody is left to answer. */
const gone = (): Error =>
  new DOMException('The client closed the connection while sending its form.', 'AbortError');

function checkHead({ headers }: Request): void {
  if (!/^multipart\/form-data\b/i.test(headers['content-type'] ?? ''))
    throw badRequest('Send a form of the type multipart/form-data, with the file in a part named "file".');
  const encoding = headers['content-encoding']?.trim().toLowerCase() ?? 'identity';
  if (encoding !== 'identity') throw badRequest(`Send the form as it is, and not packed as ${encoding}.`);
  if (Number(headers['content-length'] ?? 0) > MOST_BODY_BYTES) throw tooLarge();
}

/** Names may come with the folders of whoever sent them. */
const bareName = (name: string): string => name.replace(/^.*[/\\]/, '').slice(0, 255) || 'unknown_file';

/** A field of a form that nobody filled in is sent as nothing. */
const filledIn = (fields: object): object =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== ''));

export function readForm(req: Request, res: Response, files: FileReceiver): Promise<Form> {
  checkHead(req);
  return new Promise((resolve, reject) => {
    let file: ReceivedFile | null = null;
    let over = false;
    const refuse = (reason: unknown): void => {
      if (over) return;
      over = true;
      // What still comes is thrown away by whoever answers, and not taken apart any more.
      req.unpipe();
      if (file !== null) void files.erase(file.key).catch(() => undefined);
      reject(reason);
    };

    const take = async (part: Express.Multer.File): Promise<void> => {
      const received = await files.receive(part.stream);
      // Nobody waits for it any more: the form was refused while it was written.
      if (over) return files.erase(received.key);
      file = asReceived({ ...received, name: bareName(part.originalname), mimeType: part.mimetype || null });
    };
    const storage: StorageEngine = {
      _handleFile(_req, part, done) {
        // Said at once, without waiting for the rest of it.
        part.stream.once('limit', () => {
          refuse(tooLarge());
          part.stream.destroy();
        });
        take(part).then(
          () => done(null, {}),
          (error: unknown) => {
            if (!part.stream.destroyed || part.stream.readableEnded) refuse(storageFailure(error));
            done(error);
          },
        );
      },
      _removeFile: (_req, _part, done) => done(null),
    };

    let bytes = 0;
    req.on('data', (piece: Buffer) => {
      bytes += piece.length;
      if (bytes > MOST_BODY_BYTES) refuse(tooLarge());
    });
    req.once('close', () => {
      if (!req.readableEnded) refuse(gone());
    });
    // Only now, with the key known to be good, may a client that asked first send its form.
    if (req.headers.expect !== undefined) res.writeContinue();
    multer({ storage, limits: LIMITS, defParamCharset: 'utf8' }).single('file')(
      req,
      res,
      (error: unknown) => {
        if (error !== undefined && error !== null) return refuse(refusalOf(error));
        if (over) return;
        over = true;
        resolve({ fields: filledIn(req.body ?? {}), file });
      },
    );
  });
}
