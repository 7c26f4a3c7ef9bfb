// The originals of uploaded documents, and the links to them.
import type { FileUrlOutput } from '../../../../tools/documents/schemas/outputs.ts';
import type { BlobStore, OpenedBlob } from '../../../adapters/blobs/port.ts';
import type { DocumentRecord, DocumentStore } from '../../../adapters/store/ports/documents.ts';
import type { FileRecord, FileStore } from '../../../adapters/store/ports/files.ts';
import { forbidden, MemoirError, notFound } from '../../../core/errors.ts';
import type { Caller } from '../../../core/principal.ts';
import type { Access } from '../../access/access.ts';
import { askerOf, type FileLink, judgeLink, keyAndGrantOf, linkPath } from './links.ts';

export interface OpenedFile extends OpenedBlob {
  name: string;
  mimeType: string;
}

export interface Files {
  /** `ref` is an id or a customId. */
  link(caller: Caller, ref: string): Promise<FileUrlOutput>;
  /** For the holder of a link, without a key. */
  open(link: FileLink): Promise<OpenedFile>;
}

export interface FilesDeps {
  documents: Pick<DocumentStore, 'file'>;
  files: Pick<FileStore, 'ofDocument'>;
  /** The document, or the reason why this caller cannot get it. */
  find(caller: Caller, ref: string): Promise<DocumentRecord>;
  /** The present rights of the principal that asked for a link; null: there are none any more. */
  asker: Access['asker'];
  blobs: Pick<BlobStore, 'open'>;
  secret: () => Buffer;
  /** The address at the start of links; empty: links are relative. */
  base: () => string;
  now: () => number;
}

const UNKNOWN_TYPE = 'application/octet-stream';

const noFile = (ref: string) =>
  notFound(
    `The document ${JSON.stringify(ref)} has no file: it was not uploaded, or its text was replaced since. Read its content instead.`,
  );

const wrongLink = () =>
  notFound('This link leads to no file. Ask for a new one with GET /v3/documents/{id}/file-url.');

const ended = () =>
  forbidden(
    'This link ended with the key that asked for it, which is disabled, expired or may no longer read the document. Ask for a new one with GET /v3/documents/{id}/file-url.',
  );

const expired = () =>
  forbidden('This link has expired. Ask for a new one with GET /v3/documents/{id}/file-url.');

/** The link gives what the key that asked for it would get now, and no more. */
const mayStillRead = async (
  { asker, find, documents }: FilesDeps,
  { id, by }: FileLink,
): Promise<boolean> => {
  const { keyId, grantId } = keyAndGrantOf(by);
  const caller = await asker(keyId, grantId);
  if (caller === null) return false;
  try {
    const { n } = await find(caller, id);
    return (await documents.file(caller.scope, n)) !== null;
  } catch (error) {
    if (error instanceof MemoirError && (error.status === 403 || error.status === 404)) return false;
    throw error;
  }
};

export const createFiles = (deps: FilesDeps): Files => {
  const lead = async (link: FileLink): Promise<FileRecord> => {
    const file = await deps.files.ofDocument(link.id);
    const verdict = file === null ? 'wrong' : judgeLink(deps.secret(), link, file, deps.now());
    if (file === null || verdict === 'wrong') throw wrongLink();
    if (verdict === 'expired') throw expired();
    if (!(await mayStillRead(deps, link))) throw ended();
    return file;
  };

  return {
    async link(caller, ref) {
      const document = await deps.find(caller, ref);
      const file = await deps.documents.file(caller.scope, document.n);
      if (file === null) throw noFile(ref);
      const linked = { id: document.id, file, by: askerOf(caller) };
      return { url: deps.base() + linkPath(deps.secret(), linked, deps.now()) };
    },

    async open(link) {
      const { key, name, mimeType } = await lead(link);
      const blob = await deps.blobs.open(key);
      if (blob === null) throw wrongLink();
      return { ...blob, name, mimeType: mimeType ?? UNKNOWN_TYPE };
    },
  };
};
