// Documents: what callers add, read, change, list and delete. Processing them is the pipeline's.
import type {
  AcceptedOutput,
  BatchOutput,
  BulkDeleteOutput,
  ChunksOutput,
  DocumentOutput,
  ListOutput,
  ProcessingOutput,
  WithMemoriesOutput,
} from '../../../tools/shared/document-outputs.ts';
import type {
  AddInput,
  BatchInput,
  BulkDeleteInput,
  ByIdsInput,
  ListInput,
  ProcessingInput,
  UpdateInput,
  WithMemoriesInput,
} from '../../../tools/shared/documents.ts';
import type { MemoryEntry } from '../../../tools/shared/memory-outputs.ts';
import type { UploadInput } from '../../../tools/shared/upload.ts';
import type { BlobStore } from '../../adapters/blobs/port.ts';
import type {
  DocumentRecord,
  ListQuery,
  Step,
  Store,
  Submission,
  Submitted,
} from '../../adapters/store/port.ts';
import { defined } from '../../lib/defined.ts';
import type { Caller } from '../access/caller.ts';
import { addBatch } from './batch.ts';
import { presentRemoved, toRemoval } from './bulk-delete.ts';
import {
  presentChunks,
  presentDocument,
  presentList,
  presentListWithMemories,
  presentProcessing,
} from './present.ts';
import { accepted, found, removed, updated } from './refuse.ts';
import { type SubmissionParts, toPatch, toSubmission, toUpload } from './submission.ts';

export interface Documents {
  add(caller: Caller, input: AddInput): Promise<AcceptedOutput>;
  addBatch(caller: Caller, input: BatchInput): Promise<BatchOutput>;
  /** Its file was received already; it is kept or erased from here on. */
  upload(caller: Caller, input: UploadInput): Promise<AcceptedOutput>;
  /** `ref` is an id or a customId, here and below. */
  find(caller: Caller, ref: string): Promise<DocumentRecord>;
  get(caller: Caller, ref: string): Promise<DocumentOutput>;
  update(caller: Caller, ref: string, input: UpdateInput): Promise<AcceptedOutput>;
  remove(caller: Caller, ref: string): Promise<void>;
  removeMany(caller: Caller, input: BulkDeleteInput): Promise<BulkDeleteOutput>;
  list(caller: Caller, input: ListInput): Promise<ListOutput>;
  processing(caller: Caller, input: ProcessingInput): Promise<ProcessingOutput>;
  listWithMemories(caller: Caller, input: WithMemoriesInput): Promise<WithMemoriesOutput>;
  byIds(caller: Caller, input: ByIdsInput): Promise<WithMemoriesOutput>;
  chunks(caller: Caller, ref: string): Promise<ChunksOutput>;
}

/** What was drawn from documents, by their numbers. */
export type MemoriesOf = (
  caller: Caller,
  documents: readonly number[],
) => Promise<ReadonlyMap<number, readonly MemoryEntry[]>>;

export interface DocumentsDeps extends SubmissionParts {
  store: Store;
  blobs: Pick<BlobStore, 'keep' | 'erase'>;
  memoriesOf: MemoriesOf;
}

const WORKING: readonly Step[] = ['queued', 'extracting', 'chunking', 'embedding'];
/** The queue view has no pages; a longer queue is told by its count. */
const QUEUE_SHOWN = 1100;
/** As many as one page of a list may hold. */
const MOST_NAMED = 1100;

const pageOf = ({ sort, order, page, limit }: Pick<ListInput, 'sort' | 'order' | 'page' | 'limit'>) => ({
  sort,
  order,
  limit,
  offset: (page - 1) * limit,
});

/** Any-of is what the caller's scope says already; all-of narrows it. */
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

export const createDocuments = (deps: DocumentsDeps): Documents => {
  const { documents } = deps.store;

  const find = async (caller: Caller, ref: string) =>
    found(await documents.find(caller.scope, ref), ref, caller);

  const withMemories = async (caller: Caller, query: ListQuery, page: { page: number; limit: number }) => {
    const listed = await documents.list(caller.scope, query);
    const memories = await deps.memoriesOf(
      caller,
      listed.documents.map(({ n }) => n),
    );
    return presentListWithMemories(listed, memories, page);
  };

  const submit = async (caller: Caller, submission: Submission): Promise<Submitted> => {
    const [outcome] = await documents.submit(caller.scope, [submission]);
    if (outcome === undefined) throw new Error('The store did not answer a submission.');
    return outcome;
  };

  return {
    find,

    add: async (caller, input) => accepted(await submit(caller, toSubmission(input, caller, deps)), caller),

    async upload(caller, input) {
      const { key } = input.file;
      // Should this fail, nobody knows whether it was stored: the file stays loose until the next start finds out.
      const outcome = await submit(caller, toUpload(input, caller, deps));
      const taken = outcome.outcome === 'accepted' && outcome.stored;
      await (taken ? deps.blobs.keep(key) : deps.blobs.erase(key));
      return accepted(outcome, caller);
    },

    addBatch: (caller, input) => addBatch(documents, deps, caller, input),

    async get(caller, ref) {
      const document = await find(caller, ref);
      const memories = await deps.memoriesOf(caller, [document.n]);
      const file = await documents.file(caller.scope, document.n);
      return presentDocument(document, memories.get(document.n) ?? [], file);
    },

    update: async (caller, ref, input) =>
      updated(await documents.update(caller.scope, ref, toPatch(input, caller, deps)), ref, caller),

    remove: async (caller, ref) =>
      removed(await documents.remove(caller.scope, { by: 'ref', ref }), ref, caller),

    async removeMany(caller, input) {
      const removal = toRemoval(input);
      return presentRemoved(removal, await documents.remove(caller.scope, removal), caller);
    },

    list: async (caller, input) => presentList(await documents.list(caller.scope, toQuery(input)), input),

    async processing(caller, _input) {
      const waiting = await documents.list(caller.scope, queue);
      return { documents: waiting.documents.map(presentProcessing), totalCount: waiting.total };
    },

    listWithMemories: (caller, input) =>
      withMemories(
        caller,
        { ...pageOf(input), content: false, ...defined({ sources: input.sources }) },
        input,
      ),

    async byIds(caller, { by, ids }) {
      const named = { by, values: ids };
      // One customId may name several documents, under different tags.
      return withMemories(
        caller,
        { ...newestFirst, named, limit: MOST_NAMED },
        { page: 1, limit: MOST_NAMED },
      );
    },

    async chunks(caller, ref) {
      const document = await find(caller, ref);
      return presentChunks(document.id, await documents.chunks(caller.scope, document.n));
    },
  };
};
