// Opens a Memoir: builds all parts in order (config → adapters → domain → service), and closes them at the end.
import { openBlobs } from '../adapters/blobs/open.ts';
import { openReranker } from '../adapters/rerank/open.ts';
import type { ChosenReranker } from '../adapters/rerank/port.ts';
import type { OpenedStore } from '../adapters/store/request-side/store.ts';
import type { Chroma } from '../adapters/vectors/chroma/open-chroma.ts';
import type { Memoir } from '../calls/memoir.ts';
import type { Config } from '../config/config.ts';
import { chromaPlace } from '../config/settings/chroma.ts';
import { rerankerOptions } from '../config/settings/rerank.ts';
import { type Listening, startHttpServer } from '../http/listen.ts';
import { newId } from '../lib/ids.ts';
import { setHeapOptions } from '../lib/threads/heap-options.ts';
import { openConfiguredChroma, waitForChroma } from './chroma.ts';
import { checkDatabase } from './data-folder/check-database.ts';
import { type DataFolder, openDataFolder } from './data-folder/data-folder.ts';
import { explainedStart } from './data-folder/start-failure.ts';
import { type OpenedDatabase, signalsOf } from './database/database.ts';
import { openEmbeddedDatabase } from './database/embedded.ts';
import { ingestContentSettings, ingestSettings } from './ingest-settings.ts';
import { beginIngestion } from './ingest-thread/begin.ts';
import { type IngestThread, startIngestThread } from './ingest-thread/handle.ts';
import { jointState, requireSameShards } from './ingest-thread/joint-state.ts';
import { openLanguageModels } from './language-models.ts';
import { createLog, type Log } from './log.ts';
import { answerNotReady, createMemoir } from './memoir.ts';
import type { MemoirOptions } from './options.ts';
import { openSpaces } from './spaces.ts';
import { createStoreWatch, watchedBlobs } from './store-watch.ts';
import { tracedChroma, tracedDatabase, tracedEmbedder, tracedStore } from './watching/traced.ts';
import { openWatching, type Watching } from './watching/watching.ts';

const rethrow = (reason: Error): never => {
  throw reason;
};

const NOTHING_RERANKS =
  'MEMOIR_RERANK_EVERY_SEARCH_MS has no effect yet, because no reranker is set: run "memoir models add msmarco-minilm" and "memoir models use msmarco-minilm", or set MEMOIR_RERANK_URL.';

/** The parts opened so far, which a failure must close. */
interface Opened {
  early?: Listening;
  database?: OpenedDatabase;
  thread?: IngestThread;
  store?: OpenedStore;
  chroma?: Chroma;
}

interface Opening {
  readonly config: Config;
  readonly options: MemoirOptions;
  readonly log: Log;
  readonly folder: DataFolder;
  readonly opened: Opened;
  readonly reranker: ChosenReranker;
  readonly watching: Watching;
}

/** Read connections close before the writer thread, because the last connection folds the WAL into the file. */
const dispose = async ({ opened, reranker, folder, watching }: Opening): Promise<void> => {
  await opened.early?.close(0);
  await opened.store?.close();
  await opened.thread?.stop();
  await opened.database?.writer.stop();
  await opened.chroma?.close();
  await reranker.close();
  await watching.tracer?.close();
  folder.close();
};

interface Running {
  database: OpenedDatabase;
  thread: IngestThread;
}

const openParts = async (opening: Opening, running: Running): Promise<Memoir> => {
  const { config, options, log, folder, opened, reranker, watching } = opening;
  const { thread } = running;
  const database = tracedDatabase(running.database, watching.tracer);
  const { writer } = database;
  const organisation = await writer.call('ensureOrganisation', { id: newId(), createdAt: Date.now() });
  const { tracer } = watching;
  const store = tracedStore(database.openStore(watching.watch), tracer);
  opened.store = store;
  const watch = createStoreWatch(config.dataDir, Date.now);
  const blobs = watchedBlobs(openBlobs(ingestContentSettings(config).blobs), watch);
  await blobs.settle(store.files.known);
  const chroma = tracedChroma(openConfiguredChroma(config, organisation.id, log), tracer);
  opened.chroma = chroma;
  const { company } = database;
  const own = { role: config.role, shards: config.chromaShards };
  requireSameShards(company, own.shards);
  const state = async () => jointState(await thread.state(), company, own);
  const spaces = openSpaces({
    ...{ store, config, thread, state, log, signals: signalsOf(database) },
    traced: tracedEmbedder(tracer),
  });
  await Promise.all([spaces.open(), waitForChroma(chroma, log)]);
  const place = { ...chromaPlace(config), namespace: organisation.id };
  await beginIngestion(thread, place, {
    ...{ chroma, spaces, company, log },
    role: config.role,
  });
  return createMemoir({
    ...{ config, store, blobs, database, thread, state, chroma, spaces, log, folder, watch, watching },
    early: opened.early ?? null,
    ...{ ...options, dispose: () => dispose(opening) },
    searching: {
      limits: { rerankEverySearchMs: config.rerankEverySearchMs, ...options.searchLimits },
      reranker: reranker.current,
    },
    languageModels: openLanguageModels(config),
    orgId: organisation.id,
    localToken: folder.token,
  });
};

/** The driver of PostgreSQL is loaded where it is used. */
const openDatabase = async (
  { config, options, log }: Opening,
  died: (reason: Error) => void,
): Promise<OpenedDatabase> => {
  const { database: settings, queryDeadlineMs, role } = config;
  if (settings === null) return openEmbeddedDatabase(config, options, died);
  const { openPostgresDatabase } = await import('./database/postgres.ts');
  return openPostgresDatabase({ settings, role, queryDeadlineMs, log, replaced: died });
};

/** Opens everything; only `listen` of the result begins to answer requests. */
export const openMemoir = async (config: Config, options: MemoirOptions = {}): Promise<Memoir> => {
  // Before the first thread starts, so that all threads find what was compiled for them.
  setHeapOptions();
  const log = options.log ?? createLog({ level: config.logLevel });
  const folder = openDataFolder(config.dataDir);
  for (const warning of folder.warnings) log.warn(warning);
  const opened: Opened = {};
  const reranker = openReranker(rerankerOptions(config));
  if (config.rerankEverySearchMs !== null && reranker.current() === null) log.warn(NOTHING_RERANKS);
  const watching = await openWatching(config, log);
  const opening: Opening = { config, options, log, folder, opened, reranker, watching };
  try {
    if (config.database === null) checkDatabase(config.dataDir);
    if (options.serving === true)
      opened.early = await startHttpServer(
        await answerNotReady(log, 'Memoir is starting. Try again in a moment.'),
        config,
      );
    // While opening, the end of the writer thread already fails the call that waits for it.
    let open = false;
    const database = await openDatabase(opening, (reason) => {
      if (open) (options.fatal ?? rethrow)(reason);
    });
    opened.database = database;
    const { writer } = database;
    const settings = ingestSettings(config, options, database.company?.id ?? null);
    const thread = startIngestThread({ settings, writer, log });
    opened.thread = thread;
    const memoir = await openParts(opening, { database, thread });
    open = true;
    return memoir;
  } catch (error) {
    await dispose(opening);
    throw explainedStart(error, config.dataDir);
  }
};
