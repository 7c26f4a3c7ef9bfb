// From what a caller sends to what the store takes in.
import type { AddInput, BatchInput, UpdateInput } from '../../../tools/shared/documents.ts';
import type { UploadInput } from '../../../tools/shared/upload.ts';
import type { Metadata, Patch, Submission } from '../../adapters/store/port.ts';
import { DEFAULT_TAG } from '../../lib/default-tag.ts';
import { defined } from '../../lib/defined.ts';
import { sha256 } from '../../lib/hash.ts';
import type { KeyHolder } from '../access/caller.ts';

export interface SubmissionParts {
  newId(): string;
  /** Tells what kind of text this is; `url` when all of it is one address. */
  recognise(content: string): string;
}

/** What is stored of the content until the pipeline knows better. */
const storedContent = (content: string, parts: SubmissionParts) => {
  const looks = parts.recognise(content);
  const isUrl = looks === 'url';
  return {
    content,
    hash: sha256(content),
    type: isUrl ? 'webpage' : 'text',
    url: isUrl ? content.trim() : null,
    heavy: isUrl || looks === 'html',
  };
};

/** Where a write goes that names no tag; a key with several has to say which, unless the customId does. */
const defaultTags = (caller: KeyHolder): readonly string[] => {
  if (caller.tags === null) return [DEFAULT_TAG];
  return caller.tags.length === 1 ? caller.tags : [];
};

/** Files are edited as a whole, so what is sent under the same customId is the new whole. */
const isFile = (given: AddInput) =>
  given.filepath !== undefined || given.metadata?.claude_memory_type === 'file';

const metadataOf = ({ metadata, documentDate }: AddInput): Metadata | null =>
  metadata === undefined && documentDate === undefined
    ? null
    : { ...metadata, ...(documentDate === undefined ? {} : { documentDate }) };

export const toSubmission = (given: AddInput, caller: KeyHolder, parts: SubmissionParts): Submission => ({
  id: parts.newId(),
  customId: given.customId ?? null,
  tags: given.tags ?? null,
  defaultTags: defaultTags(caller),
  ...storedContent(given.content, parts),
  replace: isFile(given),
  metadata: metadataOf(given),
  title: given.title ?? null,
  filepath: given.filepath ?? null,
  source: null,
  taskType: given.taskType ?? 'memory',
  dreaming: given.dreaming ?? null,
  entityContext: given.entityContext ?? null,
  sentBy: caller.keyId,
  ...defined({ contextFilter: given.filterByMetadata }),
});

/** As far as its sender says it; the bytes are read later. */
const declaredType = (mimeType: string | null): string => {
  const [, family = '', kind = ''] = /^([a-z]+)\/([\w.+-]+)/.exec(mimeType?.toLowerCase() ?? '') ?? [];
  if (family === 'image' || family === 'audio' || family === 'video') return family;
  return kind === 'pdf' ? kind : 'text';
};

/** Until it is read, a file is what its sender calls it. */
const storedFile = ({ file, fileType, mimeType }: UploadInput) => ({
  content: '',
  hash: `file:${file.sha256}`,
  type: fileType ?? declaredType(mimeType ?? file.mimeType),
  url: null,
  heavy: true,
  file: {
    key: file.key,
    name: file.name,
    bytes: file.bytes,
    sha256: file.sha256,
    mimeType: mimeType ?? file.mimeType,
    fileType: fileType ?? null,
  },
});

/** A file is the new whole of its document, whatever stood there before. */
export const toUpload = (given: UploadInput, caller: KeyHolder, parts: SubmissionParts): Submission => ({
  ...toSubmission({ ...given, content: '' }, caller, parts),
  ...storedFile(given),
  replace: true,
});

/** One item of a batch with what the batch says for all; the item wins, in its metadata key by key. */
export const withBatch = (item: AddInput, batch: BatchInput): AddInput => {
  const { documents: _items, tags, metadata, ...shared } = batch;
  const merged =
    metadata === undefined && item.metadata === undefined ? undefined : { ...metadata, ...item.metadata };
  return { ...shared, ...defined(item), content: item.content, tags: item.tags ?? tags, metadata: merged };
};

export const toPatch = (given: UpdateInput, caller: KeyHolder, parts: SubmissionParts): Patch => {
  const { content, metadata, customId, tags, taskType, filepath, filterByMetadata: contextFilter } = given;
  const replaced = content === undefined ? {} : { ...storedContent(content, parts), sentBy: caller.keyId };
  return { ...replaced, ...defined({ metadata, customId, tags, taskType, filepath, contextFilter }) };
};
