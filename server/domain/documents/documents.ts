// Documents: what callers add, read, change, list and delete. Processing them is the pipeline's.
import type {
  AcceptedOutput,
  BatchOutput,
  BulkDeleteOutput,
  ChunksOutput,
  DocumentOutput,
  ListOutput,
  ProcessingOutput,
} from '../../../tools/shared/document-outputs.ts';
import type {
  AddInput,
  BatchInput,
  BulkDeleteInput,
  ListInput,
  ProcessingInput,
  UpdateInput,
} from '../../../tools/shared/documents.ts';
import type { ListQuery, Step, Store } from '../../adapters/store/port.ts';
import type { Caller } from '../access/caller.ts';
import { addBatch } from './batch.ts';
import { presentRemoved, toRemoval } from './bulk-delete.ts';
import { defined } from './defined.ts';
import { presentChunks, presentDocument, presentList, presentProcessing } from './present.ts';
import { accepted, found, removed, updated } from './refuse.ts';
import { type SubmissionParts, toPatch, toSubmission } from './submission.ts';

export interface Documents {
  add(caller: Caller, input: AddInput): Promise<AcceptedOutput>;
  addBatch(caller: Caller, input: BatchInput): Promise<BatchOutput>;
  /** `ref` is an id or a customId, here and below. */
  get(caller: Caller, ref: string): Promise<DocumentOutput>;
  update(caller: Caller, ref: string, input: UpdateInput): Promise<AcceptedOutput>;
  remove(caller: Caller, ref: string): Promise<void>;
  removeMany(caller: Caller, input: BulkDeleteInput): Promise<BulkDeleteOutput>;
  list(caller: Caller, input: ListInput): Promise<ListOutput>;
  processing(caller: Caller, input: ProcessingInput): Promise<ProcessingOutput>;
  chunks(caller: Caller, ref: string): Promise<ChunksOutput>;
}

export interface DocumentsDeps extends SubmissionParts {
  store: Store;
}

const WORKING: readonly Step[] = ['queued', 'extracting', 'chunking', 'embedding'];
/** The queue view has no pages; a longer queue is told by its count. */
const QUEUE_SHOWN = 1100;

/** Any-of is what the caller's scope says already; all-of narrows it. */
const toQuery = (input: ListInput): ListQuery => ({
  sort: input.sort,
  order: input.order,
  limit: input.limit,
  offset: (input.page - 1) * input.limit,
  content: input.includeContent,
  ...defined({
    steps: input.status,
    filter: input.filters,
    filepath: input.filepath,
    allTags: input.operator === 'AND' ? input.tags : undefined,
  }),
});

const queue: ListQuery = {
  steps: WORKING,
  sort: 'createdAt',
  order: 'desc',
  limit: QUEUE_SHOWN,
  offset: 0,
  content: false,
};

export const createDocuments = (deps: DocumentsDeps): Documents => {
  const { documents } = deps.store;

  const find = async (caller: Caller, ref: string) =>
    found(await documents.find(caller.scope, ref), ref, caller);

  return {
    async add(caller, input) {
      const submission = toSubmission(input, caller, deps);
      const [outcome] = await documents.submit(caller.scope, [submission]);
      if (outcome === undefined) throw new Error('The store did not answer a submission.');
      return accepted(outcome, caller);
    },

    addBatch: (caller, input) => addBatch(documents, deps, caller, input),

    get: async (caller, ref) => presentDocument(await find(caller, ref)),

    update: async (caller, ref, input) =>
      updated(await documents.update(caller.scope, ref, toPatch(input, deps)), ref, caller),

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

    async chunks(caller, ref) {
      const document = await find(caller, ref);
      return presentChunks(document.id, await documents.chunks(caller.scope, document.n));
    },
  };
};
