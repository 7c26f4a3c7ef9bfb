// Documents: callers add, read, change, list and delete them. The pipeline processes them.

import type {
  AddInput,
  BatchInput,
  BulkDeleteInput,
  ByIdsInput,
  ListInput,
  ProcessingInput,
  RetryInput,
  UpdateInput,
  WithMemoriesInput,
} from '../../../tools/documents/schemas/inputs.ts';
import type {
  AcceptedOutput,
  BatchOutput,
  BulkDeleteOutput,
  ChunksOutput,
  DocumentOutput,
  ListOutput,
  ProcessingOutput,
  RetryOutput,
  UpdatedOutput,
  WithMemoriesOutput,
} from '../../../tools/documents/schemas/outputs.ts';
import type { UploadInput } from '../../../tools/documents/schemas/upload.ts';
import type { MemoryEntry } from '../../../tools/memories/schemas/outputs.ts';
import type { BlobStore } from '../../adapters/blobs/port.ts';
import type {
  ChunkListQuery,
  DocumentRecord,
  DocumentStep,
  ListQuery,
  Submission,
  Submitted,
} from '../../adapters/store/ports/documents.ts';
import type { Store } from '../../adapters/store/ports/store.ts';
import { auditNote } from '../../core/audit-note.ts';
import { type Caller, defaultTags } from '../../core/principal.ts';
import { defined } from '../../lib/defined.ts';
import type { Memories } from '../memories/memories.ts';
import { addBatch } from './add-batch.ts';
import { presentRemoved, removalSubject, toRemoval } from './bulk-delete.ts';
import {
  type ListedChunks,
  presentChunks,
  presentDocument,
  presentList,
  presentListedChunk,
  presentListWithMemories,
  presentProcessing,
} from './present.ts';
import { requireAccepted, requireFound, requireRemoved, requireUpdated } from './refusals.ts';
import { retryMatching } from './retry.ts';
import { type SubmissionParts, toPatch, toSubmission, toUpload } from './submission.ts';

export interface Documents {
  add(caller: Caller, input: AddInput): Promise<AcceptedOutput>;
  addBatch(caller: Caller, input: BatchInput): Promise<BatchOutput>;
  /** The file has been received; this call keeps or erases it. */
  upload(caller: Caller, input: UploadInput): Promise<AcceptedOutput>;
  /** `ref` is an id or a customId, here and below. */
  find(caller: Caller, ref: string): Promise<DocumentRecord>;
  get(caller: Caller, ref: string): Promise<DocumentOutput>;
  update(caller: Caller, ref: string, input: UpdateInput): Promise<UpdatedOutput>;
  remove(caller: Caller, ref: string): Promise<void>;
  removeMany(caller: Caller, input: BulkDeleteInput): Promise<BulkDeleteOutput>;
  retry(caller: Caller, ref: string): Promise<UpdatedOutput>;
  retryMany(caller: Caller, input: RetryInput): Promise<RetryOutput>;
  list(caller: Caller, input: ListInput): Promise<ListOutput>;
  processing(caller: Caller, input: ProcessingInput): Promise<ProcessingOutput>;
  listWithMemories(caller: Caller, input: WithMemoriesInput): Promise<WithMemoriesOutput>;
  byIds(caller: Caller, input: ByIdsInput): Promise<WithMemoriesOutput>;
  chunks(caller: Caller, ref: string): Promise<ChunksOutput>;
  /** The chunks of all documents, page by page. */
  listChunks(caller: Caller, query: ChunkListQuery): Promise<ListedChunks>;
}

/** The memories that were drawn from documents, by document number. */
export type MemoriesOf = (
  caller: Caller,
  documents: readonly number[],
) => Promise<ReadonlyMap<number, readonly MemoryEntry[]>>;

export interface DocumentsDeps extends SubmissionParts {
  store: Store;
  blobs: Pick<BlobStore, 'keep' | 'erase'>;
  memoriesOf: MemoriesOf;
  /** The memories that facts seem to change. */
  similarTo: Memories['similarTo'];
  warn: (message: string, cause: unknown) => void;
}

const WORKING: readonly DocumentStep[] = ['queued', 'extracting', 'chunking', 'embedding'];
/** The queue view has no pages; a longer queue shows only its count. */
const QUEUE_SHOWN = 1100;
/** The largest page of a list. */
const MOST_NAMED = 1100;

const pageOf = ({ sort, order, page, limit }: Pick<ListInput, 'sort' | 'order' | 'page' | 'limit'>) => ({
  sort,
  order,
  limit,
  offset: (page - 1) * limit,
});

/** The caller's scope already means any of the tags; all of them narrows it. */
const toQuery = (input: ListInput): ListQuery => ({
  ...pageOf(input),
  content: input.includeContent,
  ...defined({
    steps: input.status,
    filter: input.filters,
    filepath: input.filepath,
    allTags: input.operator === 'AND' ? input.tags : undefined,
  }),
});

const newestFirst = { sort: 'createdAt', order: 'desc', offset: 0, content: false } as const;

const queue: ListQuery = { ...newestFirst, steps: WORKING, limit: QUEUE_SHOWN };

const requireDocument = async (
  { store }: DocumentsDeps,
  caller: Caller,
  ref: string,
): Promise<DocumentRecord> => requireFound(await store.documents.find(caller.scope, ref), ref, caller);

const submitDocument = async (
  { store }: DocumentsDeps,
  caller: Caller,
  submission: Submission,
): Promise<Submitted> => {
  const [outcome] = await store.documents.submit(caller.scope, [submission]);
  if (outcome === undefined) throw new Error('The store did not answer a submission.');
  return outcome;
};

/** The tags under which content without tags is stored. */
const tagsOfSubmission = async (
  { store }: DocumentsDeps,
  caller: Caller,
  { tags, customId }: Pick<AddInput, 'tags' | 'customId'>,
): Promise<readonly string[]> => {
  if (tags !== undefined) return tags;
  const found = customId === undefined ? null : await store.documents.find(caller.scope, customId);
  return found?.outcome === 'found' ? found.document.tags : defaultTags(caller);
};

/** Looked for before the facts are memories themselves. Content is stored without this hint where it cannot be given. */
const similarMemories = async (
  deps: DocumentsDeps,
  caller: Caller,
  input: Pick<AddInput, 'tags' | 'customId' | 'facts'>,
): Promise<Pick<AcceptedOutput, 'similar'>> => {
  const { facts = [] } = input;
  if (facts.length === 0) return {};
  try {
    const tags = await tagsOfSubmission(deps, caller, input);
    const similar = tags.length === 0 ? [] : await deps.similarTo(caller, { tags, facts });
    return similar.length === 0 ? {} : { similar };
  } catch (error) {
    deps.warn('Memories that facts may change were not looked for.', error);
    return {};
  }
};

const addDocument = async (deps: DocumentsDeps, caller: Caller, input: AddInput): Promise<AcceptedOutput> => {
  const similar = await similarMemories(deps, caller, input);
  const outcome = await submitDocument(deps, caller, toSubmission(input, caller, deps));
  return { ...requireAccepted(outcome, caller), ...similar };
};

const uploadDocument = async (
  deps: DocumentsDeps,
  caller: Caller,
  input: UploadInput,
): Promise<AcceptedOutput> => {
  const { key } = input.file;
  const similar = await similarMemories(deps, caller, input);
  // After a failure it is unknown if the document was stored: the next start decides about the file.
  const outcome = await submitDocument(deps, caller, toUpload(input, caller, deps));
  const isStored = outcome.outcome === 'accepted' && outcome.stored;
  await (isStored ? deps.blobs.keep(key) : deps.blobs.erase(key));
  return { ...requireAccepted(outcome, caller), ...similar };
};

const listDocumentsWithMemories = async (
  deps: DocumentsDeps,
  caller: Caller,
  query: ListQuery,
  page: { page: number; limit: number },
): Promise<WithMemoriesOutput> => {
  const listed = await deps.store.documents.list(caller.scope, query);
  const memories = await deps.memoriesOf(
    caller,
    listed.documents.map(({ n }) => n),
  );
  return presentListWithMemories(listed, memories, page);
};

type Writing = 'add' | 'addBatch' | 'upload' | 'update' | 'remove' | 'removeMany' | 'retry' | 'retryMany';

const createDocumentWriting = (deps: DocumentsDeps): Pick<Documents, Writing> => {
  const { documents } = deps.store;
  return {
    add: (caller, input) => addDocument(deps, caller, input),
    addBatch: (caller, input) => addBatch(documents, deps, caller, input),
    upload: (caller, input) => uploadDocument(deps, caller, input),
    update: async (caller, ref, input) =>
      requireUpdated(await documents.update(caller.scope, ref, toPatch(input, caller, deps)), ref, caller),
    remove: async (caller, ref) =>
      requireRemoved(
        await documents.remove(
          caller.scope,
          { by: 'ref', ref },
          auditNote(caller, removalSubject({ by: 'ref', ref })),
        ),
        ref,
        caller,
      ),
    async removeMany(caller, input) {
      const removal = toRemoval(input);
      const note = auditNote(caller, removalSubject(removal));
      return presentRemoved(removal, await documents.remove(caller.scope, removal, note), caller);
    },
    retry: async (caller, ref) => requireUpdated(await documents.retry(caller.scope, ref), ref, caller),
    retryMany: (caller, input) => retryMatching(documents, caller, input),
  };
};

const createDocumentReading = (deps: DocumentsDeps): Omit<Documents, Writing> => {
  const { documents } = deps.store;
  return {
    find: (caller, ref) => requireDocument(deps, caller, ref),

    async get(caller, ref) {
      const document = await requireDocument(deps, caller, ref);
      const memories = await deps.memoriesOf(caller, [document.n]);
      const file = await documents.file(caller.scope, document.n);
      return presentDocument(document, memories.get(document.n) ?? [], file);
    },

    list: async (caller, input) => presentList(await documents.list(caller.scope, toQuery(input)), input),

    async processing(caller, _input) {
      const waiting = await documents.list(caller.scope, queue);
      return { documents: waiting.documents.map(presentProcessing), totalCount: waiting.total };
    },

    listWithMemories(caller, input) {
      const query = { ...pageOf(input), content: false, ...defined({ sources: input.sources }) };
      return listDocumentsWithMemories(deps, caller, query, input);
    },

    // One customId may name several documents, under different tags.
    async byIds(caller, { by, ids }) {
      const query = { ...newestFirst, named: { by, values: ids }, limit: MOST_NAMED };
      return listDocumentsWithMemories(deps, caller, query, { page: 1, limit: MOST_NAMED });
    },

    async listChunks(caller, query) {
      const { chunks, total } = await documents.listChunks(caller.scope, query);
      const places = await deps.store.search.places(
        caller.scope,
        chunks.map(({ n }) => n),
      );
      return { chunks: chunks.map((chunk) => presentListedChunk(chunk, places.get(chunk.n) ?? 0)), total };
    },

    async chunks(caller, ref) {
      const document = await requireDocument(deps, caller, ref);
      return presentChunks(document.id, await documents.chunks(caller.scope, document.n));
    },
  };
};

export const createDocuments = (deps: DocumentsDeps): Documents => ({
  ...createDocumentWriting(deps),
  ...createDocumentReading(deps),
});
