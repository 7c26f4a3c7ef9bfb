// Draws the memories of one document: calls the reader and prepares its answer for the store.
import type {
  DrawnMemory,
  Guidance,
  MemoryReader,
  ReadSource,
  ReportTokens,
  Utterance,
} from '../../adapters/language-model/ports/memory-reader.ts';
import type {
  MemoryHarvest,
  MemoryIngestStore,
  MemoryJob,
  UnreadChunk,
} from '../../adapters/store/ports/memories/remembering.ts';
import { IngestError } from '../../core/errors.ts';
import { createPace, finishInSlices } from '../../lib/async/steps.ts';
import { defined } from '../../lib/defined.ts';
import {
  type NewStatement,
  prepareStatements,
  type StatementSpace,
  statementPassage,
} from './prepare-statements.ts';
import { knownAt, relationsOf } from './relating/relating.ts';

export interface HarvestDeps {
  store: MemoryIngestStore;
  reader: MemoryReader;
  spaces: () => readonly StatementSpace[];
  guidance: () => Promise<Omit<Guidance, 'entityContext'>>;
  /** Texts that Memoir returned lately under these tags. */
  served: (tags: readonly string[]) => Promise<readonly string[]>;
  /** The processor time for reading one document; missing: the default. */
  budgetMs?: number;
}

/** Ordinary prose takes five to six seconds a megabyte; a text made to cost more keeps its passages only. */
const READING_BUDGET_MS = 20_000;

const tooCostly = (): IngestError =>
  new IngestError(
    'reading_too_costly',
    `Reading this document for memories took more than ${READING_BUDGET_MS / 1000} seconds of processor time, so it keeps its passages and no memories. Send it in smaller documents to draw memories from it.`,
  );

const CONVERSATION = 1;

const utteranceOf = ({ isSentText, heardAt }: MemoryJob, chunk: UnreadChunk): Utterance => ({
  text: chunk.text,
  role: chunk.role as Utterance['role'],
  speaker: chunk.speaker,
  position: chunk.n,
  date: chunk.date,
  // A passage of an earlier submission was stored before the latest one.
  ...(isSentText ? { heardAt: Math.min(heardAt, chunk.storedAt) } : {}),
});

const sourceOf = (job: MemoryJob, guidance: Guidance, served: readonly string[]): ReadSource => ({
  fresh: job.fresh.map((chunk) => utteranceOf(job, chunk)),
  around: job.around.map((chunk) => utteranceOf(job, chunk)),
  conversation: job.fresh.some((chunk) => (chunk.flags & CONVERSATION) !== 0),
  title: job.title,
  documentDate: job.documentDate,
  guidance,
  served,
});

const drawnStatement = (job: MemoryJob, drawn: DrawnMemory): NewStatement => ({
  memory: drawn.memory,
  isStatic: drawn.isStatic,
  isInference: drawn.isInference,
  slot: drawn.slot,
  about: drawn.about,
  forgetAfter: drawn.forgetAfter,
  forgetReason: null,
  metadata: null,
  documentDate: drawn.saidAt ?? job.documentDate,
  eventDates: drawn.eventDates,
});

const nearestTo = async ({ spaces, reader }: HarvestDeps, texts: readonly string[], signal: AbortSignal) => {
  const space = spaces()[0];
  if (!space || texts.length === 0) return null;
  const vectors = await space.embedder.embed(texts.map(statementPassage), signal);
  return { space: space.id, vectors, limit: reader.limits.knownMemories };
};

const readMemories = async (
  deps: HarvestDeps,
  job: MemoryJob,
  spending: ReportTokens,
  signal: AbortSignal,
): Promise<MemoryHarvest> => {
  const { store, reader } = deps;
  const guidance = { ...(await deps.guidance()), entityContext: job.entityContext };
  const source = sourceOf(job, guidance, await deps.served(job.tags));
  const pace = createPace({ budgetMs: deps.budgetMs ?? READING_BUDGET_MS, exceeded: tooCostly, signal });
  const wanted = await finishInSlices(reader.lookupFor(source), pace);
  const known = await store.known(job, wanted, await nearestTo(deps, wanted.nearestTo, signal));
  const request = {
    ...source,
    known: known.map((memory) => knownAt(memory, job.heardAt)),
    fromStart: job.around.length === 0,
  };
  const { memories, outline } = await reader.read(request, { signal, reportTokens: spending, pace });
  const chunkIds = new Map(job.fresh.map((chunk) => [chunk.n, chunk.id]));
  return {
    job,
    passages: job.fresh,
    ...defined({ outline }),
    prepared: await prepareStatements(
      memories.map((drawn) => drawnStatement(job, drawn)),
      deps.spaces(),
      signal,
    ),
    chunks: memories.map((drawn) => drawn.positions.flatMap((position) => chunkIds.get(position) ?? [])),
    wanted: {
      slots: memories.flatMap((drawn) => drawn.slot ?? []),
      abouts: memories.flatMap((drawn) => drawn.about ?? []),
      ids: known.map((memory) => memory.id),
    },
    async relationsOf(stored) {
      const present = stored.map((memory) => knownAt(memory, job.heardAt));
      const related = reader.relate
        ? await finishInSlices(reader.relate(memories, present), createPace({ signal }))
        : memories;
      return related.map(relationsOf);
    },
  };
};

/** The harvest of a job that came for its facts alone. */
const nothingDrawn = (job: MemoryJob): MemoryHarvest => ({
  job,
  passages: [],
  prepared: [],
  chunks: [],
  wanted: { slots: [], abouts: [], ids: [] },
  relationsOf: async () => [],
});

/** The used tokens are recorded, even after a failure. */
export const harvestMemories = async (
  deps: HarvestDeps,
  job: MemoryJob,
  signal: AbortSignal,
): Promise<MemoryHarvest> => {
  const tally = { inputTokens: 0, outputTokens: 0 };
  const spending: ReportTokens = ({ inputTokens, outputTokens }) => {
    tally.inputTokens += inputTokens;
    tally.outputTokens += outputTokens;
  };
  if (job.fresh.length === 0) return nothingDrawn(job);
  try {
    return await readMemories(deps, job, spending, signal);
  } finally {
    if (tally.inputTokens + tally.outputTokens > 0) await deps.store.spent(job, tally);
  }
};
