// The remember step's store: reads here, and the memories of a document sent to the writer in slices.
import { IngestError } from '../../../core/errors.ts';
import { createHandover, type HeldLease } from '../../../lib/async/background/handover.ts';
import type {
  HarvestSlice,
  HeldJob,
  MemoryHarvest,
  MemoryIngestStore,
  PreparedRelation,
  StoredMemory,
} from '../ports/memories/remembering.ts';
import type { FillSpace } from '../ports/spaces.ts';
import { findComparableMemories } from '../queries/memories/comparable.ts';
import { containersElsewhere, newLease } from '../queries/memories/remembering/memory-lease.ts';
import { nextToRemember } from '../queries/memories/remembering/memory-turns.ts';
import { nextToRedraw, readRedrawJobs } from '../queries/memories/remembering/redraw.ts';
import { knownMark, readMemoryJobs } from '../queries/memories/remembering/remember.ts';
import { type IngestSideContext, plainSpace } from './context.ts';

/** The memories and chunks of one transaction: storing one memory takes up to half a millisecond. */
const MEMORIES_AT_ONCE = 16;
const CHUNKS_MARKED_AT_ONCE = 256;
/** Other memories of the same tags were stored this many times while the relations were found. */
const MOST_CHANGES = 10;

const heldJob = ({ document, lease }: HeldJob): HeldJob => ({ document, lease });

const tooManyChanges = (): IngestError =>
  new IngestError(
    'memories_changing',
    'Other memories under the same tags kept changing while those of this document were stored. It is tried again.',
    { retryable: true },
  );

/** Memories of earlier slices are known by their ids; one that was not stored has no relations. */
const relationsFrom = (
  relations: readonly PreparedRelation[],
  ids: readonly (string | null)[],
): PreparedRelation[] =>
  relations.flatMap((relation) => {
    const { to } = relation;
    if ('known' in to) return [relation];
    const id = ids[to.drawn];
    if (id === undefined) return [{ ...relation, to: { drawn: to.drawn - ids.length } }];
    return id === null ? [] : [{ ...relation, to: { known: id } }];
  });

interface FoundRelations {
  /** Stands for the memories with which they were found. */
  mark: string;
  relations: Awaited<ReturnType<MemoryHarvest['relationsOf']>>;
}

/** The next memories of a harvest, after those that have ids. */
const nextSlice = (
  { job, passages, prepared, chunks, wanted }: MemoryHarvest,
  { mark, relations }: FoundRelations,
  ids: readonly (string | null)[],
  read: readonly number[],
): HarvestSlice => {
  const { container, tagNumbers, contextFilter, heardAt, below } = job;
  const from = ids.length;
  const statements = prepared.slice(from, from + MEMORIES_AT_ONCE).map((statement, at) => ({
    prepared: statement,
    relations: relationsFrom(relations[from + at] ?? [], ids),
    stated: chunks[from + at] ?? [],
  }));
  const stating = new Set(statements.flatMap(({ stated }) => stated));
  const last = from + statements.length >= prepared.length;
  return {
    job: { ...heldJob(job), container, tagNumbers, contextFilter, heardAt, below },
    wanted,
    mark,
    last,
    // A passage is read once; a fact may be stated again by a later submission.
    statedSince: job.given === null ? 0 : heardAt,
    chunks: passages.flatMap(({ n, id }) => (stating.has(id) ? [n] : [])),
    read: last ? read : [],
    statements,
  };
};

/**
 * The id of each memory that was stored; null: the document was deleted or changed meanwhile. `read`: chunks that are marked as
 * read with the last of them.
 */
const storeMemories = async (
  { db, call, now }: IngestSideContext,
  harvest: MemoryHarvest,
  spaces: readonly FillSpace[],
  read: readonly number[] = [],
): Promise<readonly (string | null)[] | null> => {
  if (harvest.prepared.length === 0) return [];
  const find = async (known: readonly StoredMemory[]): Promise<FoundRelations> => ({
    mark: knownMark(known),
    relations: await harvest.relationsOf(known),
  });
  const { job, wanted } = harvest;
  let found = await find(await findComparableMemories(db, { ...job, wanted }, now()));
  const ids: (string | null)[] = [];
  let changes = 0;
  while (ids.length < harvest.prepared.length) {
    const answer = await call('storeHarvest', nextSlice(harvest, found, ids, read), spaces);
    if (answer.outcome === 'lost') return null;
    if (answer.outcome === 'stored') {
      ids.push(...answer.ids);
      found = { ...found, mark: answer.mark };
    } else if (changes++ < MOST_CHANGES) found = await find(answer.known);
    else throw tooManyChanges();
  }
  return ids;
};

/** Before the lease ends with the last mark. */
const storeOutline = async ({ call }: IngestSideContext, { job, outline }: MemoryHarvest): Promise<void> => {
  if (outline !== undefined)
    await call('storeWrittenOutline', heldJob(job), { ...outline, revision: job.revision });
};

const markChunksRead = async (
  { call }: IngestSideContext,
  { job, passages }: MemoryHarvest,
): Promise<void> => {
  const ns = passages.map(({ n }) => n);
  let from = 0;
  do {
    const some = ns.slice(from, from + CHUNKS_MARKED_AT_ONCE);
    from += CHUNKS_MARKED_AT_ONCE;
    await call('markRead', heldJob(job), some, from >= ns.length);
  } while (from < ns.length);
};

/** Most documents take one message and one transaction for their memories and their passages together. */
const storeAndMark = async (
  context: IngestSideContext,
  harvest: MemoryHarvest,
  spaces: readonly FillSpace[],
): Promise<void> => {
  const { prepared, passages, outline } = harvest;
  const together = prepared.length > 0 && outline === undefined && passages.length <= CHUNKS_MARKED_AT_ONCE;
  const read = together ? passages.map(({ n }) => n) : [];
  const stored = await storeMemories(context, harvest, spaces, read);
  if (stored === null || together) return;
  await storeOutline(context, harvest);
  await markChunksRead(context, harvest);
};

const storeFacts = async (
  context: IngestSideContext,
  harvest: MemoryHarvest,
  spaces: readonly FillSpace[],
): Promise<void> => {
  const { given, ...job } = harvest.job;
  if (given === null) return;
  const ids = await storeMemories(context, harvest, spaces);
  if (ids === null) return;
  const { submissions, whole } = given;
  const request = { submissions, kept: whole ? ids.filter((id) => id !== null) : null };
  while (await context.call('settleFacts', heldJob(job), request));
};

/** Statements that are known already came without passages, and were not stored. */
const storeRedrawn = async (
  context: IngestSideContext,
  harvest: MemoryHarvest,
  dropped: readonly string[],
  spaces: readonly FillSpace[],
): Promise<void> => {
  const ids = await storeMemories(context, harvest, spaces);
  if (ids === null) return;
  await storeOutline(context, harvest);
  const added = new Set(ids.filter((id) => id !== null)).size;
  while (await context.call('endRedraw', heldJob(harvest.job), { dropped, added }));
};

export const memoryIngestStore = (context: IngestSideContext): MemoryIngestStore => {
  const { db, call, now, boot } = context;
  const handover = createHandover(({ lease, work }: HeldLease<readonly number[]>) =>
    call('giveBackReading', lease, work),
  );
  let cursor = 0;
  return {
    async claimToRemember(limit, dreaming, { busy, most } = { busy: [], most: limit }) {
      await handover.recover();
      const elsewhere = await containersElsewhere(db, boot);
      const request = { limit, dreaming, busy: [...busy, ...elsewhere], most, cursor };
      const turn = await nextToRemember(db, request, now());
      cursor = turn.cursor;
      const { ns } = turn;
      if (ns.length === 0) return [];
      const lease = newLease(boot);
      return handover.under({ lease, work: ns }, async () => {
        await call('leaseToRemember', { boot, lease }, ns);
        return readMemoryJobs(db, lease, ns);
      });
    },
    known: (job, wanted, nearest) => findComparableMemories(db, { ...job, wanted, nearest }, now()),
    remember: (harvest, spaces) => storeAndMark(context, harvest, spaces.map(plainSpace)),
    rememberFacts: (harvest, spaces) => storeFacts(context, harvest, spaces.map(plainSpace)),
    async claimToRedraw(limit) {
      await handover.recover();
      const ns = await nextToRedraw(db, limit, now());
      if (ns.length === 0) return [];
      const lease = newLease(boot);
      return handover.under({ lease, work: ns }, async () => {
        await call('leaseToRedraw', { boot, lease }, ns);
        return readRedrawJobs(db, lease, ns);
      });
    },
    redraw: (harvest, dropped, spaces) => storeRedrawn(context, harvest, dropped, spaces.map(plainSpace)),
    memoryFailed: (job, failure) => call('memoryFailed', heldJob(job), failure),
    memoryLater: (job, dueAt) => call('memoryLater', heldJob(job), dueAt),
    spent: ({ document, sentBy, tags }, tokens) => call('spent', { document, sentBy, tags }, tokens),
  };
};
