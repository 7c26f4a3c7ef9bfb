// What runs in the ingest thread: the one writing connection, the pipeline, the indexer, erasing.
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { createDiskBlobs } from './adapters/blobs/disk.ts';
import type { BlobStore } from './adapters/blobs/port.ts';
import { type EmbedSettings, isWanted, openStored } from './adapters/embed/open.ts';
import { createExtractor } from './adapters/extract/extractor.ts';
import type { ContentHints } from './adapters/extract/port.ts';
import { createWeb } from './adapters/fetch/web.ts';
import { createOpenAiReader } from './adapters/model/openai.ts';
import type { MemoryReader } from './adapters/model/port.ts';
import { createRulesReader } from './adapters/model/rules/reader.ts';
import type { IngestStore } from './adapters/store/ingest-port.ts';
import type { MemoryIngestStore } from './adapters/store/memory-port.ts';
import type { SettingsStore } from './adapters/store/settings-port.ts';
import { openWritingSide } from './adapters/store/sqlite/ingest-store.ts';
import type { MergeIngestStore } from './adapters/store/tag-port.ts';
import { type ChromaPlace, indexAt } from './adapters/vectors/chroma.ts';
import type { ChromaIndex } from './adapters/vectors/chroma-index.ts';
import type { VectorIndexState } from './adapters/vectors/port.ts';
import { createRelating } from './domain/memories/relating.ts';
import { createRememberer, type Rememberer } from './domain/memories/remember.ts';
import { createServed, type Served } from './domain/memories/served.ts';
import { retryDelay } from './domain/pipeline/backoff.ts';
import { storedPassages } from './domain/pipeline/describe.ts';
import { createIndexer, type Indexer, type IndexerState } from './domain/pipeline/indexer.ts';
import { createPipeline, type Pipeline } from './domain/pipeline/ingest.ts';
import { createPurger, type Purger } from './domain/pipeline/purger.ts';
import type { Readers } from './domain/pipeline/reading.ts';
import { readChunkSize } from './domain/settings/chunk-size.ts';
import { readGuidance } from './domain/settings/guidance.ts';
import { createFilling, type Filling, type FillingState } from './domain/spaces/filling.ts';
import { createMerger, type Merger } from './domain/tags/merger.ts';
import { giveBackAtRest } from './lib/give-back.ts';
import { serveCalls } from './lib/rpc.ts';
import { stepAside } from './lib/step-aside.ts';
import { createLog, type Log, type LogLevel } from './log.ts';

export interface ChromaSettings extends ChromaPlace {
  readonly namespace: string;
}

export interface IngestSettings {
  file: string;
  boot: string;
  logLevel: LogLevel;
  embed: EmbedSettings;
  /** Null: by rules. */
  reading: { model: string; apiKey?: string; baseUrl: string } | null;
  content: ContentSettings;
  groupCommit: boolean;
}

export interface ContentSettings extends Pick<ContentHints, 'languages' | 'transcription'> {
  /** Originals. */
  blobs: string;
  /** What is fetched and what is cut out of recordings, until it is read. */
  scratch: string;
  userAgent: string;
  /** Origins of the web that tests stand up themselves. */
  standIns: Readonly<Record<string, string>>;
}

export interface IngestState {
  indexer: IndexerState;
  /** Of the connection that fills the index: the request side's own may not have been used for long. */
  chroma: VectorIndexState;
  /** Spaces that new content is embedded into. */
  filled: number[];
  filling: FillingState;
}

/** What the thread tells without being asked. */
export type IngestNews =
  /** Another space serves. */
  | { event: 'spaces' }
  /** The index at this address holds these spaces whole, but for what the outbox names. */
  | { event: 'index'; url: string | null; spaces: readonly number[] };

interface Work {
  pipeline: Pipeline;
  indexer: Indexer;
  purger: Purger;
  merger: Merger;
  filling: Filling;
  remembering: Rememberer;
  served: Served;
  reading: Reading;
  index: ChromaIndex;
  chromaAt(url: string | null): void;
  /** The request side uses the space that serves now. */
  switched(): void;
}

interface Reading {
  readers: Readers;
  blobs: BlobStore;
  close(): Promise<void>;
}

const EXTRACT_LIMITS = { timeoutMs: 30_000, heapMb: 768, residentMb: 1200 };
const EXTRACT_CHILDREN = 2;
/** At the end: for what is in hand, and for everything together, whatever does not answer. */
const GRACE_MS = 2000;
const STOP_MS = 2500;

interface Stores {
  ingest: IngestStore;
  memories: MemoryIngestStore;
  merges: MergeIngestStore;
  settings: Pick<SettingsStore, 'read'>;
}

interface MovingIndex {
  index: ChromaIndex;
  url(): string | null;
  at(url: string | null): void;
}

const openReader = ({ reading }: IngestSettings): MemoryReader =>
  reading ? createOpenAiReader(reading) : createRulesReader();

const openReading = ({ content }: IngestSettings, log: Log): Reading => {
  const { languages, transcription, standIns, userAgent } = content;
  const blobs = createDiskBlobs(content.blobs);
  const extractor = createExtractor({
    limits: EXTRACT_LIMITS,
    children: EXTRACT_CHILDREN,
    scratch: join(content.scratch, 'pieces'),
    log,
  });
  const web = createWeb({ folder: join(content.scratch, 'fetched'), userAgent, seams: { standIns } });
  return {
    blobs,
    readers: {
      content: { read: (job, options) => extractor.read({ ...job, languages, transcription }, options) },
      web,
      pathOf: blobs.pathOf,
    },
    close: async () => {
      await Promise.all([extractor.close(), web.close()]);
    },
  };
};

const openIndex = (chroma: ChromaSettings): MovingIndex => {
  let current = chroma.url;
  const index = indexAt(() => current, chroma, chroma.namespace);
  return {
    index,
    url: () => current,
    at: (url) => {
      current = url;
    },
  };
};

/** Another space serves: the request side says when it has taken it up. */
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

const build = (
  { ingest: store, memories, merges, settings: organisation }: Stores,
  settings: IngestSettings,
  chroma: ChromaSettings,
  log: Log,
): Work => {
  const { index, url, at } = openIndex(chroma);
  const tell = (news: IngestNews) => parentPort?.postMessage(news);
  const switching = createSwitching();
  const reading = openReading(settings, log);
  const filling = createFilling({
    store,
    log,
    describe: storedPassages,
    openEmbedder: (space) => openStored(settings.embed, space),
    isWanted: (space) => isWanted(settings.embed, space),
    drop: (space) => indexer.drop(space),
    filled: () => indexer.wake(),
    switched: () => {
      tell({ event: 'spaces' });
      return switching.begun();
    },
  });
  const indexer = createIndexer({
    store,
    index,
    log,
    spaces: filling.spaces,
    now: Date.now,
    whole: (spaces) => tell({ event: 'index', url: url(), spaces }),
  });
  const pipeline = createPipeline({
    store,
    log,
    readers: reading.readers,
    spaces: filling.spaces,
    chunkSize: () => readChunkSize(organisation),
    boot: settings.boot,
    now: Date.now,
    random: Math.random,
    committed() {
      indexer.wake();
      remembering.wake();
    },
    dropped: () => purger.wake(),
  });
  const served = createServed();
  const remembering = createRememberer({
    store: memories,
    reader: openReader(settings),
    spaces: filling.spaces,
    guidance: () => readGuidance(organisation),
    served: served.under,
    retryDelay: (attempts, askedMs) => Math.round(retryDelay(attempts, askedMs, Math.random)),
    now: Date.now,
    committed: indexer.wake,
    log,
  });
  const purger = createPurger({ store, log, erased: indexer.wake, eraseFile: reading.blobs.erase });
  const merger = createMerger({
    store: merges,
    log,
    moved() {
      pipeline.wake();
      indexer.wake();
    },
  });
  const parts = { pipeline, indexer, purger, merger, filling, remembering, served, reading, index };
  return { ...parts, chromaAt: at, switched: switching.over };
};

const main = (port: NonNullable<typeof parentPort>): void => {
  const settings = workerData as IngestSettings;
  const log = createLog({ level: settings.logLevel }).child({ thread: 'ingest' });
  stepAside((error) =>
    log.warn({ error }, 'The ingest thread has no lower priority: imports may slow searches.'),
  );
  let work: Work | null = null;
  const writing = openWritingSide({
    file: settings.file,
    now: Date.now,
    groupCommit: settings.groupCommit,
    relating: createRelating(createRulesReader()),
    changed() {
      work?.pipeline.wake();
      work?.remembering.wake();
      work?.purger.wake();
      work?.merger.wake();
    },
  });

  const begin = async (chroma: ChromaSettings): Promise<{ resumed: number }> => {
    const taken = await writing.ingest.takeOver(settings.boot);
    work = build(writing, settings, chroma, log);
    await work.filling.load();
    for (const part of [work.pipeline, work.indexer, work.purger, work.merger, work.remembering])
      part.start();
    return taken;
  };

  const stopAll = async ({
    pipeline,
    remembering,
    indexer,
    purger,
    merger,
    filling,
  }: Work): Promise<void> => {
    const parts = [remembering, indexer, purger, merger, filling];
    const stopped = Promise.all([pipeline.stop(GRACE_MS), ...parts.map((part) => part.stop())]);
    const inTime = await Promise.race([stopped.then(() => true), sleep(STOP_MS, false)]);
    if (!inTime) log.warn('Work in hand did not end in time; the next start goes on with it.');
  };

  const stop = async (): Promise<void> => {
    if (work) {
      await stopAll(work);
      await work.reading.close();
      await work.index.close();
    }
    await writing.close();
  };

  serveCalls(port, {
    ...writing.commands,
    begin,
    stop,
    served: async (tags: string[], texts: string[]) => work?.served.note(tags, texts),
    reloadSpaces: async () => work?.filling.load(),
    switched: async () => work?.switched(),
    chromaAt: async (url: string | null) => {
      work?.chromaAt(url);
      work?.indexer.restarted();
    },
    state: async (): Promise<IngestState> => ({
      indexer: work?.indexer.state() ?? { status: 'waiting' },
      chroma: work?.index.state() ?? { status: 'starting' },
      filled: work?.filling.spaces().map((space) => space.id) ?? [],
      filling: work?.filling.state() ?? { trouble: null, stopped: false },
    }),
  });
};

if (!parentPort) throw new Error('ingest.ts is started by service.ts, not by hand');
giveBackAtRest();
main(parentPort);
