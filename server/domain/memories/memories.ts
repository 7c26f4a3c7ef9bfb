// Memories: callers create, revise, forget, list and judge them. `remember.ts` draws them from documents.
import type { SimilarMemories } from '../../../tools/documents/schemas/facts.ts';
import type {
  CreateMemoriesInput,
  ForgetMatchingInput,
  ForgetMemoryInput,
  InferredInput,
  ListMemoriesInput,
  RedrawInput,
  ReviewInput,
  UpdateMemoryInput,
} from '../../../tools/memories/schemas/inputs.ts';
import type {
  CreateMemoriesOutput,
  ForgetMatchingOutput,
  ForgetMemoryOutput,
  InferredOutput,
  ListMemoriesOutput,
  MemoryEntry,
  RedrawOutput,
  RedrawStatusOutput,
  ReviewOutput,
  UpdateMemoryOutput,
} from '../../../tools/memories/schemas/outputs.ts';
import type {
  MemoryDetail,
  MemoryRecord,
  MemoryStore,
  MemoryTarget,
  PreparedMemory,
  Relatives,
} from '../../adapters/store/ports/memories/memories.ts';
import type { FillSpace } from '../../adapters/store/ports/spaces.ts';
import { auditNote } from '../../core/audit-note.ts';
import { IngestError, unavailable } from '../../core/errors.ts';
import type { Caller } from '../../core/principal.ts';
import { defined } from '../../lib/defined.ts';
import { removeControls } from '../../lib/text/control-characters.ts';
import type { Search } from '../search/search.ts';
import {
  NO_SUBJECT,
  newStatement,
  revisedStatement,
  revisionOf,
  type SubjectsOf,
  toMemoryTarget,
} from './direct-memories.ts';
import { findMatching } from './forgetting/forget-matching.ts';
import { type NewStatement, prepareStatements, type StatementSpace } from './prepare-statements.ts';
import {
  type MemoryWithRelatives,
  presentCreated,
  presentEntry,
  presentForgotten,
  presentInferred,
  presentRelatives,
  presentReview,
  presentRevised,
} from './present.ts';
import {
  alreadyForgotten,
  changeable,
  memoryNotFound,
  notReviewable,
  notRevisable,
  superseded,
} from './refusals.ts';
import { findSimilarMemories, type StatedFacts } from './relating/similar-memories.ts';

export interface ListedMemories {
  /** False: without forgotten and expired ones. */
  forgotten: boolean;
}

export interface Memories {
  create(caller: Caller, input: CreateMemoriesInput, signal: AbortSignal): Promise<CreateMemoriesOutput>;
  update(caller: Caller, input: UpdateMemoryInput, signal: AbortSignal): Promise<UpdateMemoryOutput>;
  forget(caller: Caller, input: ForgetMemoryInput): Promise<ForgetMemoryOutput>;
  forgetMatching(
    caller: Caller,
    input: ForgetMatchingInput,
    signal: AbortSignal,
  ): Promise<ForgetMatchingOutput>;
  list(caller: Caller, input: ListMemoriesInput, which?: ListedMemories): Promise<ListMemoriesOutput>;
  /** One memory in any version, with its relatives. */
  get(caller: Caller, target: MemoryTarget): Promise<MemoryWithRelatives>;
  inferred(caller: Caller, input: InferredInput): Promise<InferredOutput>;
  review(caller: Caller, input: ReviewInput): Promise<ReviewOutput>;
  /** Asks for documents to be read again for memories. */
  redraw(caller: Caller, input: RedrawInput): Promise<RedrawOutput>;
  redrawStatus(caller: Caller, input: RedrawInput): Promise<RedrawStatusOutput>;
  /** The memories that were drawn from these documents, by document number. */
  ofDocuments(caller: Caller, documents: readonly number[]): Promise<ReadonlyMap<number, MemoryEntry[]>>;
  /** Up to three memories that the facts seem to change. */
  similarTo(caller: Caller, stated: StatedFacts): Promise<SimilarMemories>;
}

export interface MemoriesDeps {
  store: MemoryStore;
  orgId: string;
  /** The spaces that a new statement is embedded into; none: it is found by keywords only. */
  spaces: () => readonly StatementSpace[];
  /** The subjects of statements, read by another thread. */
  subjectsOf: SubjectsOf;
  search: Search['findMemories'];
  newId: () => string;
}

const NO_RELATIVES: Relatives = { parents: [], children: [], related: [] };

/** The published size of the queue. */
const INFERRED_SHOWN = 50;

/** An embedder belongs to its thread; another thread can get the space that it fills. */
const fillOf = ({ id, dimensions, keepExact }: StatementSpace): FillSpace => ({ id, dimensions, keepExact });

const findChangeable = async ({ store }: MemoriesDeps, caller: Caller, target: MemoryTarget) =>
  changeable(await store.find(caller.scope, target), target, caller);

/** The named version itself, not a later one of its chain. */
const findLatest = async (
  deps: MemoriesDeps,
  caller: Caller,
  target: MemoryTarget,
): Promise<MemoryRecord> => {
  const { memory, latest } = await findChangeable(deps, caller, target);
  if (!memory.isLatest) throw superseded(latest);
  return memory;
};

// --- create and update -------------------------------------------------------------------------------

interface Prepared {
  prepared: PreparedMemory[];
  spaces: FillSpace[];
}

/** Statements are embedded before they are stored, because an acknowledged memory must be found. */
const prepareOrRefuse = async (
  deps: MemoriesDeps,
  statements: readonly NewStatement[],
  signal: AbortSignal,
): Promise<Prepared> => {
  const spaces = deps.spaces();
  try {
    return { prepared: await prepareStatements(statements, spaces, signal), spaces: spaces.map(fillOf) };
  } catch (error) {
    if (!(error instanceof IngestError)) throw error;
    throw unavailable(
      `Nothing was stored, because the embedder gave no vectors: ${error.message} Try again later.`,
      { cause: error },
    );
  }
};

interface RevisionRequest {
  former: MemoryRecord;
  input: UpdateMemoryInput;
  prepared: Prepared;
}

const revise = async (
  deps: MemoriesDeps,
  caller: Caller,
  { former, input, prepared: ready }: RevisionRequest,
): Promise<MemoryRecord> => {
  const {
    prepared: [prepared],
    spaces,
  } = ready;
  if (prepared === undefined) throw new Error('A prepared statement is missing.');
  const done = await deps.store.revise(caller.scope, former.id, revisionOf(input, prepared), spaces);
  switch (done.outcome) {
    case 'revised':
      return done.memory;
    case 'superseded':
      throw superseded(null);
    case 'forgotten':
      throw notRevisable(former);
    case 'missing':
      throw memoryNotFound(toMemoryTarget(input));
  }
};

const writing = (deps: MemoriesDeps): Pick<Memories, 'create' | 'update'> => ({
  async create(caller, { tags, memories }, signal) {
    const subjects = await deps.subjectsOf(memories.map(({ content }) => removeControls(content)));
    const statements = memories.map((input, at) => newStatement(input, subjects[at] ?? NO_SUBJECT));
    const { prepared, spaces } = await prepareOrRefuse(deps, statements, signal);
    const request = { tags, documentId: deps.newId(), memories: prepared };
    const created = await deps.store.create(caller.scope, request, spaces);
    return { documentId: created.documentId, memories: created.memories.map(presentCreated) };
  },

  async update(caller, input, signal) {
    const former = await findLatest(deps, caller, toMemoryTarget(input));
    const [subject = NO_SUBJECT] = await deps.subjectsOf([removeControls(input.newContent)]);
    const statement = revisedStatement(former, input.newContent, subject);
    const prepared = await prepareOrRefuse(deps, [statement], signal);
    return presentRevised(await revise(deps, caller, { former, input, prepared }));
  },
});

// --- forget ------------------------------------------------------------------------------------------

const forgetting = (deps: MemoriesDeps): Pick<Memories, 'forget' | 'forgetMatching'> => ({
  async forget(caller, input) {
    const memory = await findLatest(deps, caller, toMemoryTarget(input));
    const request = { reason: input.reason ?? null, batch: null };
    const note = auditNote(caller, { target: { kind: 'memory', id: memory.id } });
    const [forgotten] = await deps.store.forget(caller.scope, [memory.id], request, note);
    if (forgotten === undefined) throw alreadyForgotten(memory);
    return { id: forgotten, forgotten: true };
  },

  async forgetMatching(caller, input, signal) {
    const { chosen, alike } = await findMatching(deps, caller, input, signal);
    if (input.dryRun) return { ...presentForgotten(chosen, null), ...(alike.length > 0 ? { alike } : {}) };
    const batch = deps.newId();
    const ids = chosen.map(({ id }) => id);
    const note = auditNote(caller, { target: { kind: 'batch', id: batch } });
    const forgotten = new Set(
      await deps.store.forget(caller.scope, ids, { reason: input.reason ?? null, batch }, note),
    );
    return presentForgotten(
      chosen.filter(({ id }) => forgotten.has(id)),
      batch,
    );
  },
});

// --- list and judge ----------------------------------------------------------------------------------

const reading = ({
  store,
  orgId,
  search,
  subjectsOf,
}: MemoriesDeps): Pick<Memories, 'list' | 'get' | 'inferred' | 'ofDocuments' | 'similarTo'> => {
  const entriesFor = (caller: Caller, memories: readonly MemoryDetail[]): MemoryEntry[] =>
    memories.map((memory) => presentEntry(memory, { orgId, tags: caller.scope.reads }));
  return {
    async list(caller, { page, limit, sort, order, filters: filter }, { forgotten } = { forgotten: true }) {
      const offset = (page - 1) * limit;
      const query = { forgotten, sort, order, limit, offset, ...defined({ filter }) };
      const { memories, total } = await store.list(caller.scope, query);
      return {
        memoryEntries: entriesFor(caller, memories),
        pagination: { currentPage: page, totalItems: total, totalPages: Math.ceil(total / limit), limit },
      };
    },

    async get(caller, target) {
      const found = await store.find(caller.scope, target);
      const ns = found.outcome === 'found' ? [found.memory.n] : [];
      const [memory] = await store.memories(caller.scope, { forgotten: true }, ns);
      if (memory === undefined) throw memoryNotFound(target);
      const relatives = (await store.relatives(caller.scope, ns)).get(memory.n) ?? NO_RELATIVES;
      const [entry] = entriesFor(caller, [memory]);
      if (entry === undefined) throw new Error('A memory that was read is not presented.');
      return { ...entry, relatives: presentRelatives(relatives) };
    },

    async inferred(caller) {
      const { memories, total } = await store.inferred(caller.scope, INFERRED_SHOWN);
      return { memories: memories.map(presentInferred), total };
    },

    async ofDocuments(caller, documents) {
      const drawn = await store.ofDocuments(caller.scope, documents);
      return new Map([...drawn].map(([n, memories]) => [n, entriesFor(caller, memories)]));
    },

    similarTo: (caller, stated) => findSimilarMemories({ search, subjectsOf }, caller, stated),
  };
};

export const createMemories = (deps: MemoriesDeps): Memories => ({
  ...writing(deps),
  ...forgetting(deps),
  ...reading(deps),
  async redraw({ scope }, { tags }) {
    const documents = await deps.store.redraw(scope, tags);
    return { documents, ...(await deps.store.redrawStatus(scope, tags)) };
  },
  redrawStatus: ({ scope }, { tags }) => deps.store.redrawStatus(scope, tags),
  async review(caller, { containerTag, memoryId: id, action }) {
    const { memory } = await findChangeable(deps, caller, { tags: [containerTag], id });
    const done = await deps.store.review(caller.scope, memory.id, action);
    if (done.outcome === 'refused') throw notReviewable(memory, action);
    return presentReview(done.memory);
  },
});
