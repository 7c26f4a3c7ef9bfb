// The background workers of the ingest thread: built, started and stopped together.
import { openStoredEmbedder } from '../../adapters/embed/open.ts';
import { indexAt } from '../../adapters/vectors/chroma/open-chroma.ts';
import type { ChromaIndex } from '../../adapters/vectors/chroma/vector-index.ts';
import { failedRound } from '../../core/job-failure.ts';
import { DUTIES } from '../../core/processes/duties.ts';
import { rebuildPassages } from '../../domain/ingestion/chunking/describe-chunks.ts';
import { createPurger, type Purger } from '../../domain/ingestion/erasing/purger.ts';
import { createIndexer, type Indexer } from '../../domain/ingestion/indexing/indexer.ts';
import { createOutlineWorker } from '../../domain/ingestion/outlines/outline-worker.ts';
import { createPipeline, type Pipeline } from '../../domain/ingestion/pipeline.ts';
import { createSearchesFirst, type SearchesFirst } from '../../domain/ingestion/searches-first.ts';
import { createClockWatch } from '../../domain/ingestion/trouble/clock-watch.ts';
import { createLeaseWatch } from '../../domain/ingestion/trouble/lease-watch.ts';
import { createOutage, type Outage } from '../../domain/ingestion/trouble/outage.ts';
import { createRememberer, type ReaderOnDemand } from '../../domain/memories/remember.ts';
import { createServed, type Served } from '../../domain/memories/served.ts';
import { readChunkSize } from '../../domain/settings/chunk-size.ts';
import { readGuidance } from '../../domain/settings/guidance.ts';
import { createFilling, type Filling } from '../../domain/spaces/filling.ts';
import { createMerger } from '../../domain/tags/merger.ts';
import { onDuty } from '../../lib/async/background/duties.ts';
import { createSpaced } from '../../lib/async/background/spaced.ts';
import { type BackgroundWorker, createWorker } from '../../lib/async/background/worker.ts';
import { pause, whenAllIsHeard } from '../../lib/async/wait.ts';
import type { WorkWatch } from '../../lib/async/work-watch.ts';
import { endOnDemandThreads } from '../../lib/threads/on-demand-thread.ts';
import type { Log } from '../log.ts';
import type { IngestNews } from './commands.ts';
import { type ContentReaders, openContentReaders } from './content-readers.ts';
import type { OpenedIngestSide } from './ingest-side.ts';
import type { ChromaSettings, IngestSettings } from './settings.ts';
import { openSyncing, type Syncing } from './syncing.ts';

/** The limits at shutdown: for documents in work, and for all workers together. */
const GRACE_MS = 2000;
const STOP_MS = 2500;
const LOOK_MS = 1000;
/** An import into a new database fills its tables within seconds. */
const STATISTICS_MS = 2000;
/** Each write of a request may have given work to each worker, and most have not: several writes are one look. */
const OTHERS_EVERY_MS = 100;

export interface BackgroundWork {
  pipeline: Pipeline;
  indexer: Indexer;
  purger: Purger;
  merger: BackgroundWorker;
  watches: readonly BackgroundWorker[];
  outlines: BackgroundWorker;
  filling: Filling;
  remembering: BackgroundWorker;
  served: Served;
  searchesFirst: SearchesFirst;
  content: ContentReaders;
  syncing: Syncing;
  /** Wakes all but the pipeline, soon. */
  wakeOthers(): void;
  index: ChromaIndex;
  /** The spaces that the index holds completely. */
  whole(): readonly number[];
  chromaAt(url: string | null): void;
  /** Call when the request side uses the new space. */
  switched(): void;
}

export interface WorkContext {
  side: Omit<OpenedIngestSide, 'close'>;
  settings: IngestSettings;
  /** The reader that is chosen now. */
  reader: () => ReaderOnDemand;
  boot: string;
  /** A former thread of this process ended by itself. */
  crashed: boolean;
  log: Log;
  watch: WorkWatch;
  tell(news: IngestNews): void;
}

interface MovingIndex {
  index: ChromaIndex;
  url(): string | null;
  moveTo(url: string | null): void;
}

/** By a clock that nobody sets. */
const elapsed = (): number => performance.now();

const openMovingIndex = (chroma: ChromaSettings): MovingIndex => {
  let current = chroma.url;
  const index = indexAt(() => current, chroma, chroma.namespace);
  return {
    index,
    url: () => current,
    moveTo: (url) => {
      current = url;
    },
  };
};

/** Waits until the request side uses the new space. */
const createSwitching = () => {
  let asked = Promise.withResolvers<void>();
  return {
    begun() {
      asked = Promise.withResolvers<void>();
      return asked.promise;
    },
    over: () => asked.resolve(),
  };
};

type FillingHooks = Pick<Parameters<typeof createFilling>[0], 'drop' | 'filled' | 'switched'>;

const openFilling = ({ side, settings, log }: WorkContext, hooks: FillingHooks): Filling =>
  createFilling({
    store: side.ingest,
    log,
    describe: rebuildPassages,
    duties: side.duties,
    openEmbedder: (space) => openStoredEmbedder(settings.embed, space),
    ...hooks,
  });

type PipelineHooks = Pick<
  Parameters<typeof createPipeline>[0],
  'readers' | 'searchesFirst' | 'spaces' | 'outage' | 'committed' | 'replaced'
>;

const openPipeline = ({ side, boot, log, watch }: WorkContext, hooks: PipelineHooks): Pipeline =>
  createPipeline({
    store: side.ingest,
    ...{ log, watch },
    chunkSize: () => readChunkSize(side.settings),
    boot,
    now: side.now,
    random: Math.random,
    ...hooks,
  });

const openOutage = ({ side, log }: WorkContext, spaces: Filling['spaces'], over: () => void): Outage =>
  createOutage({
    store: side.ingest,
    embedder: () => spaces().find(({ serves }) => serves)?.embedder,
    now: side.now,
    log,
    over,
  });

type IndexerHooks = Pick<
  Parameters<typeof createIndexer>[0],
  'index' | 'indexFrom' | 'searchesFirst' | 'spaces' | 'whole'
>;

const openIndexer = ({ side, log, watch, tell }: WorkContext, hooks: IndexerHooks): Indexer =>
  createIndexer({
    store: side.ingest,
    duties: side.duties,
    ...{ log, watch },
    dropped: () => tell({ event: 'dropped' }),
    now: elapsed,
    ...hooks,
  });

type RememberHooks = Pick<Parameters<typeof createRememberer>[0], 'spaces' | 'served' | 'held' | 'committed'>;

const openRememberer = (
  { side, reader, crashed, log, watch }: WorkContext,
  hooks: RememberHooks,
): BackgroundWorker =>
  createRememberer({
    store: side.memories,
    reader,
    guidance: () => readGuidance(side.settings),
    alone: crashed,
    now: side.now,
    random: Math.random,
    ...{ log, watch },
    ...hooks,
  });

/** Wakes the workers once a second, because a signal of another process may be lost, and fetches the texts that others served. */
const createLook = (
  { side, log }: WorkContext,
  { found, served }: { found: () => void; served: Served },
): BackgroundWorker =>
  createWorker({
    async round() {
      found();
      for (const { tags, texts } of (await side.served?.()) ?? []) served.note(tags, texts);
      return { sleepMs: LOOK_MS };
    },
    failed: failedRound(log, 'A look for work'),
    waits: { firstWaitMs: LOOK_MS, longestWaitMs: LOOK_MS },
  });

const createStatisticsWorker = (
  { side, log }: WorkContext,
  refresh: NonNullable<OpenedIngestSide['refreshStatistics']>,
): BackgroundWorker =>
  createWorker({
    round: onDuty(side.duties, DUTIES.statistics, async (signal) => {
      await refresh(signal);
      return { sleepMs: STATISTICS_MS };
    }),
    failed: failedRound(log, 'A look at tables that have grown'),
    waits: { firstWaitMs: STATISTICS_MS, longestWaitMs: STATISTICS_MS },
  });

/** Workers that find documents left waiting: by a clock that was set back, a worker that ended, or a lost signal. */
const openWatches = (context: WorkContext, served: Served, found: () => void): BackgroundWorker[] => {
  const { side, boot, log } = context;
  const { ingest: store, now, shared, refreshStatistics: refresh } = side;
  const clock = createClockWatch({ store, log, now, monotonic: elapsed, brought: found });
  if (!shared) return [clock];
  const statistics = refresh === null ? [] : [createStatisticsWorker(context, refresh)];
  const look = createLook(context, { found, served });
  return [clock, createLeaseWatch({ store, log, boot, found }), look, ...statistics];
};

const wakeAll = (parts: readonly { wake(): void }[]): void => {
  for (const part of parts) part.wake();
};

const wakingSoon = (parts: readonly { wake(): void }[]): (() => void) =>
  createSpaced(OTHERS_EVERY_MS, () => wakeAll(parts));

/** Waits for all messages that were sent: served texts come through another port than the news of content that repeats them. */
const heardServed =
  (served: Served): RememberHooks['served'] =>
  async (tags) => {
    await whenAllIsHeard();
    return served.under(tags);
  };

export const buildWork = (context: WorkContext, chroma: ChromaSettings): BackgroundWork => {
  const { side, settings, log, watch, tell } = context;
  const { ingest: store, duties } = side;
  const { index, url, moveTo } = openMovingIndex(chroma);
  const switching = createSwitching();
  const content = openContentReaders(settings, log);
  const served = createServed();
  const filling = openFilling(context, {
    drop: (space) => indexer.drop(space),
    filled: () => indexer.wake(),
    switched() {
      pipeline.retryNow();
      tell({ event: 'spaces' });
      return switching.begun();
    },
  });
  const { spaces } = filling;
  let held: readonly number[] = [];
  const whole = (spaces: readonly number[]): void => {
    held = spaces;
    tell({ event: 'index', url: url(), spaces });
  };
  const searchesFirst = createSearchesFirst(elapsed);
  const { indexFrom } = chroma;
  const indexer = openIndexer(context, { index, indexFrom, searchesFirst, spaces, whole });
  const outage = openOutage(context, spaces, () => remembering.wake());
  const pipeline = openPipeline(context, {
    readers: content.readers,
    ...{ searchesFirst, spaces, outage },
    committed: () => wakeAll([indexer, remembering]),
    replaced: () => purger.wake(),
  });
  const remembering = openRememberer(context, {
    ...{ spaces, served: heardServed(served), held: outage.lasts },
    committed: indexer.wake,
  });
  const purger = createPurger({ store, duties, log, erased: indexer.wake, eraseFile: content.blobs.erase });
  const moved = () => wakeAll([pipeline, indexer]);
  const merger = createMerger({ store: side.merges, duties, log, moved });
  const watches = openWatches(context, served, () => wakeAll([pipeline, remembering, indexer, syncing]));
  const outlines = createOutlineWorker({ store, duties, log });
  const hooks = { submitted: () => pipeline.wake(), removed: () => purger.wake() };
  const syncing = openSyncing({ side, settings, log, watch, content, ...hooks });
  const wakeOthers = wakingSoon([syncing, remembering, purger, merger]);
  const parts = { pipeline, indexer, purger, merger, outlines, filling, remembering, served, content, index };
  const shown = { searchesFirst, whole: () => held, chromaAt: moveTo, switched: switching.over };
  return { ...parts, ...shown, syncing, watches, wakeOthers };
};

export const startWork = async (work: BackgroundWork): Promise<void> => {
  await work.filling.load();
  const { watches, pipeline, indexer, purger, merger, remembering, outlines, syncing } = work;
  const parts = [...watches, pipeline, indexer, purger, merger, remembering, outlines, syncing];
  for (const part of parts) part.start();
};

/** A caller wants a document that waits or failed. */
export const retryWork = ({ pipeline }: BackgroundWork): void => pipeline.retryNow();

/** Wakes the workers that a write may have given work. `crowded`: several requests waited at once a moment ago. */
export const wakeWork = ({ pipeline, wakeOthers }: BackgroundWork, crowded: boolean): void => {
  if (crowded) pipeline.giveWay();
  pipeline.wake();
  wakeOthers();
};

export const stopWork = async (work: BackgroundWork, log: Log): Promise<void> => {
  const { remembering, indexer, purger, merger, filling, watches, outlines, syncing } = work;
  const parts = [remembering, indexer, purger, merger, filling, ...watches, outlines, syncing];
  const stopped = Promise.all([work.pipeline.stop(GRACE_MS), ...parts.map((part) => part.stop())]);
  const inTime = await Promise.race([stopped.then(() => true), pause(STOP_MS).then(() => false)]);
  if (!inTime) log.warn('Background work did not stop in time. The next start continues it.');
  await work.syncing.close();
  await work.content.close();
  await work.index.close();
  await endOnDemandThreads();
};
