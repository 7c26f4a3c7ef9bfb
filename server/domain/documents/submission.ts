// Turns content that a caller sent into the fields that the store takes.
import type { FactsInput } from '../../../tools/documents/schemas/facts.ts';
import type { AddInput, BatchInput, UpdateInput } from '../../../tools/documents/schemas/inputs.ts';
import type { UploadInput } from '../../../tools/documents/schemas/upload.ts';
import type { Patch, Submission, SubmittedFact } from '../../adapters/store/ports/documents.ts';
import type { Metadata } from '../../adapters/store/ports/metadata.ts';
import { defaultTags, type Principal } from '../../core/principal.ts';
import { defined } from '../../lib/defined.ts';
import { sha256 } from '../../lib/hash.ts';
import { removeControls } from '../../lib/text/control-characters.ts';

export interface SubmissionParts {
  newId(): string;
  /** Recognises the kind of a text; `url` if the whole text is one address. */
  recogniseKind(content: string): string;
}

/** The stored fields of the content until the pipeline has read it. */
const storedContent = (sent: string, parts: SubmissionParts) => {
  const content = removeControls(sent);
  const looks = parts.recogniseKind(content);
  const isUrl = looks === 'url';
  return {
    content,
    hash: sha256(content),
    type: isUrl ? 'webpage' : 'text',
    url: isUrl ? content.trim() : null,
    heavy: isUrl || looks === 'html',
  };
};

/** An empty list says nothing about the content. */
const submittedFacts = (sent: FactsInput | undefined): readonly SubmittedFact[] | undefined =>
  sent === undefined || sent.length === 0
    ? undefined
    : sent.map(({ content, isStatic, forgetAfter, replaces }) => ({
        memory: removeControls(content),
        isStatic: isStatic ?? false,
        forgetAfter: forgetAfter ?? null,
        replaces: replaces ?? null,
      }));

/** The same content with other facts is something new. */
const withSubmittedFacts = <Stored extends { hash: string }>(
  stored: Stored,
  sent: FactsInput | undefined,
): Stored & { facts?: readonly SubmittedFact[] } => {
  const facts = submittedFacts(sent);
  if (facts === undefined) return stored;
  return { ...stored, facts, hash: sha256(`${stored.hash}\n${JSON.stringify(facts)}`) };
};

/** Files are edited as a whole, so a file sent under the same customId replaces the former one. */
const isFile = (input: AddInput) =>
  input.filepath !== undefined || input.metadata?.claude_memory_type === 'file';

const submittedMetadata = ({ metadata, documentDate }: AddInput): Metadata | null =>
  metadata === undefined && documentDate === undefined
    ? null
    : { ...metadata, ...(documentDate === undefined ? {} : { documentDate }) };

export const toSubmission = (input: AddInput, caller: Principal, parts: SubmissionParts): Submission => ({
  id: parts.newId(),
  customId: input.customId ?? null,
  tags: input.tags ?? null,
  defaultTags: defaultTags(caller),
  ...withSubmittedFacts(storedContent(input.content, parts), input.facts),
  replace: isFile(input),
  metadata: submittedMetadata(input),
  title: input.title ?? null,
  filepath: input.filepath ?? null,
  source: null,
  taskType: input.taskType ?? 'memory',
  // Nothing has to be read for the memories, so a document with facts is done when they are stored.
  dreaming: input.dreaming ?? (submittedFacts(input.facts) === undefined ? null : 'instant'),
  entityContext: input.entityContext ?? null,
  sentBy: caller.keyId,
  ...defined({ contextFilter: input.filterByMetadata }),
});

/** As the sender declares it; the bytes are read later. */
const declaredType = (mimeType: string | null): string => {
  const [, family = '', kind = ''] = /^([a-z]+)\/([\w.+-]+)/.exec(mimeType?.toLowerCase() ?? '') ?? [];
  if (family === 'image' || family === 'audio' || family === 'video') return family;
  return kind === 'pdf' ? kind : 'text';
};

/** Until a file is read, its type is the one that its sender declared. */
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

/** A file replaces the former content of its document. */
export const toUpload = (input: UploadInput, caller: Principal, parts: SubmissionParts): Submission => ({
  ...toSubmission({ ...input, content: '' }, caller, parts),
  ...withSubmittedFacts(storedFile(input), input.facts),
  replace: true,
});

/** One item of a batch with the batch's fields for all items; the item's own fields win, metadata key by key. */
export const withBatch = (item: AddInput, batch: BatchInput): AddInput => {
  const { documents: _items, tags, metadata, ...shared } = batch;
  const merged =
    metadata === undefined && item.metadata === undefined ? undefined : { ...metadata, ...item.metadata };
  return { ...shared, ...defined(item), content: item.content, tags: item.tags ?? tags, metadata: merged };
};

export const toPatch = (input: UpdateInput, caller: Principal, parts: SubmissionParts): Patch => {
  const { content, metadata, title, customId, tags, taskType, filepath } = input;
  const contextFilter = input.filterByMetadata;
  const replaced =
    content === undefined
      ? {}
      : { ...withSubmittedFacts(storedContent(content, parts), input.facts), sentBy: caller.keyId };
  return { ...replaced, ...defined({ metadata, title, customId, tags, taskType, filepath, contextFilter }) };
};
