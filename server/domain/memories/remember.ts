// The remember step: documents whose chunks are searchable are read for memories, beside ingestion and after it.
import type {
  DrawnMemory,
  Guidance,
  MemoryReader,
  ReadSource,
  Spending,
  Utterance,
} from '../../adapters/model/port.ts';
import type {
  MemoryHarvest,
  MemoryIngestStore,
  MemoryJob,
  UnreadChunk,
} from '../../adapters/store/memory-port.ts';
import { IngestError } from '../../errors.ts';
import type { Logger } from '../../lib/logger.ts';
import { createWake, type Wake } from '../../lib/wake.ts';
import { knownAt, relationsOf } from './relating.ts';
import { prepareStatements, type Statement, type StatementSpace, statementPassage } from './statement.ts';

export interface RememberDeps {
  store: MemoryIngestStore;
  reader: MemoryReader;
  spaces: () => readonly StatementSpace[];
  guidance: () => Promise<Omit<Guidance, 'entityContext'>>;
  /** Texts that Memoir handed out lately under these tags. */
  served: (tags: readonly string[]) => readonly string[];
  retryDelay: (attempts: number, askedMs: number | undefined) => number;
  now: () => number;
  committed: () => void;
  log: Pick<Logger, 'warn' | 'error'>;
}

export interface Rememberer {
  start(): void;
  wake(): void;
  stop(): Promise<void>;
}

/** What is awaited has a lane of its own: it stands behind no document whose memories may come later. */
const LANES = ['instant', 'dynamic'] as const;

interface Lane {
  dreaming: (typeof LANES)[number];
  wake: Wake;
}

const JOBS_AT_ONCE = 16;
const ATTEMPTS = 5;
const IDLE_MS = 5000;
const CONVERSATION = 1;

const utteranceOf = (chunk: UnreadChunk): Utterance => ({
  text: chunk.text,
  role: chunk.role as Utterance['role'],
  speaker: chunk.speaker,
  position: chunk.n,
  date: chunk.date,
});

const sourceOf = (job: MemoryJob, guidance: Guidance, served: readonly string[]): ReadSource => ({
  fresh: job.fresh.map(utteranceOf),
  around: job.around.map(utteranceOf),
  conversation: job.fresh.some((chunk) => (chunk.flags & CONVERSATION) !== 0),
  title: job.title,
  documentDate: job.documentDate,
  guidance,
  served,
});

const statementOf = (job: MemoryJob, drawn: DrawnMemory): Statement => ({
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

export const createRememberer = (deps: RememberDeps): Rememberer => {
  const { store, reader } = deps;
  const lanes: readonly Lane[] = LANES.map((dreaming) => ({ dreaming, wake: createWake() }));
  const stopping = new AbortController();
  let running: Promise<unknown> | null = null;

  const nearestTo = async (texts: readonly string[]) => {
    const space = deps.spaces()[0];
    if (!space || texts.length === 0) return null;
    const vectors = await space.embedder.embed(texts.map(statementPassage), stopping.signal);
    return { space: space.id, vectors, limit: reader.limits.knownMemories };
  };

  const harvest = async (job: MemoryJob, spending: Spending): Promise<MemoryHarvest> => {
    const guidance = { ...(await deps.guidance()), entityContext: job.entityContext };
    const source = sourceOf(job, guidance, deps.served(job.tags));
    const wanted = reader.wanted(source);
    const known = await store.known(job, wanted, await nearestTo(wanted.nearestTo));
    const request = { ...source, known: known.map((memory) => knownAt(memory, job.heardAt)) };
    const { memories } = await reader.read(request, stopping.signal, spending);
    const chunkIds = new Map(job.fresh.map((chunk) => [chunk.n, chunk.id]));
    return {
      job,
      prepared: await prepareStatements(
        memories.map((drawn) => statementOf(job, drawn)),
        deps.spaces(),
        stopping.signal,
      ),
      chunks: memories.map((drawn) => drawn.positions.flatMap((position) => chunkIds.get(position) ?? [])),
      wanted: {
        slots: memories.flatMap((drawn) => drawn.slot ?? []),
        abouts: memories.flatMap((drawn) => drawn.about ?? []),
        ids: known.map((memory) => memory.id),
      },
      relationsOf(stored) {
        const present = stored.map((memory) => knownAt(memory, job.heardAt));
        return (reader.relate?.(memories, present) ?? memories).map(relationsOf);
      },
    };
  };

  const giveUpOrRetry = async (job: MemoryJob, error: unknown): Promise<void> => {
    if (stopping.signal.aborted) return;
    const known = error instanceof IngestError;
    if (!known)
      deps.log.error(
        { document: job.documentId, err: error },
        'Drawing memories failed in a way that is a bug.',
      );
    const failure = known
      ? { code: error.code, message: error.message, retryable: error.retryable }
      : {
          code: 'internal_error',
          message:
            'Something went wrong inside Memoir while drawing memories; the log has the cause. Send the document again to retry.',
          retryable: true,
        };
    if (failure.retryable && job.attempts + 1 < ATTEMPTS)
      await store.memoryLater(
        job,
        deps.now() + deps.retryDelay(job.attempts, known ? error.retryAfterMs : undefined),
      );
    else await store.memoryFailed(job, failure);
  };

  /** What was paid for is noted whatever comes of it. */
  const harvestNoted = async (job: MemoryJob): Promise<MemoryHarvest> => {
    const tally = { inputTokens: 0, outputTokens: 0 };
    const spending: Spending = ({ inputTokens, outputTokens }) => {
      tally.inputTokens += inputTokens;
      tally.outputTokens += outputTokens;
    };
    try {
      return await harvest(job, spending);
    } finally {
      if (tally.inputTokens + tally.outputTokens > 0) await store.spent(job, tally);
    }
  };

  const work = async (job: MemoryJob): Promise<void> => {
    try {
      await store.remember(await harvestNoted(job), deps.spaces());
      deps.committed();
    } catch (error) {
      await giveUpOrRetry(job, error);
    }
  };

  const round = async ({ dreaming, wake }: Lane): Promise<void> => {
    try {
      const jobs = await store.claimToRemember(JOBS_AT_ONCE, dreaming);
      for (const job of jobs) if (!stopping.signal.aborted) await work(job);
      if (jobs.length === 0) await wake.sleep(IDLE_MS);
    } catch (error) {
      deps.log.error({ err: error }, 'A round of remembering failed; the next begins soon.');
      await wake.sleep(1000);
    }
  };

  const loop = async (lane: Lane): Promise<void> => {
    while (!stopping.signal.aborted) await round(lane);
  };

  const wake = (): void => {
    for (const lane of lanes) lane.wake.call();
  };

  return {
    start() {
      running ??= Promise.all(lanes.map(loop));
    },
    wake,
    async stop() {
      stopping.abort(new Error('The server is stopping'));
      wake();
      await running;
    },
  };
};
