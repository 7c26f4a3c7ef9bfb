// Opens a Memoir: builds all parts in order (config → adapters → domain → service), and closes them at the end. The threads
// start before the parts around them are loaded, so that all of them load at the same time.
import { openReranker } from '../adapters/rerank/open.ts';
import type { Memoir } from '../calls/memoir.ts';
import type { Config } from '../config/config.ts';
import { rerankerOptions } from '../config/settings/rerank.ts';
import { DatabaseUnavailableError } from '../core/errors.ts';
import { startHttpServer } from '../http/listen.ts';
import { setHeapOptions } from '../lib/threads/heap-options.ts';
import { endOnDemandThreads } from '../lib/threads/on-demand-thread.ts';
import { answerNotReady } from './answer-not-ready.ts';
import { startOwnChroma } from './chroma.ts';
import { checkDatabase } from './data-folder/check-database.ts';
import { openDataFolder } from './data-folder/data-folder.ts';
import { explainedStart } from './data-folder/start-failure.ts';
import { ingestSettings, writerSettings } from './ingest-settings.ts';
import { startIngestThread } from './ingest-thread/handle.ts';
import { createLog } from './log.ts';
import type { Opened, Opening, StartedDatabase } from './open-parts.ts';
import type { MemoirOptions } from './options.ts';
import { openWatching } from './watching/watching.ts';
import { startWriterThread } from './writer-thread/handle.ts';

const rethrow = (reason: Error): never => {
  throw reason;
};

const NOTHING_RERANKS =
  'MEMOIR_RERANK_EVERY_SEARCH_MS has no effect yet, because no reranker is set: run "memoir models add msmarco-minilm" and "memoir models use msmarco-minilm", or set MEMOIR_RERANK_URL.';

/** Read connections close before the writer thread, because the last connection folds the WAL into the file. */
const dispose = async ({ opened, reranker, folder, watching }: Omit<Opening, 'dispose'>): Promise<void> => {
  await opened.early?.close(0);
  await opened.store?.close();
  await opened.thread?.stop();
  await opened.writer?.stop();
  await opened.chroma?.close();
  await opened.chromaServer?.stop();
  await reranker.close();
  await endOnDemandThreads();
  await watching.tracer?.close();
  folder.close();
};

type Died = (reason: Error) => void;

const startEmbedded = async (
  { config, options, log, opened }: Opening,
  died: Died,
): Promise<StartedDatabase> => {
  const settings = writerSettings(config, options);
  const writer = startWriterThread(settings, died);
  opened.writer = writer;
  const thread = startIngestThread({ settings: ingestSettings(config, options, null), writer, log });
  opened.thread = thread;
  const { openEmbeddedDatabase } = await import('./database/embedded.ts');
  return { database: openEmbeddedDatabase(config, settings, writer), thread };
};

/** The driver of PostgreSQL is loaded where it is used. */
const startDatabase = async (opening: Opening, died: Died): Promise<StartedDatabase> => {
  const { config, options, log, opened } = opening;
  const { database: settings, queryDeadlineMs, role } = config;
  if (settings === null) return startEmbedded(opening, died);
  const { openPostgresDatabase } = await import('./database/postgres.ts');
  const database = await openPostgresDatabase({ settings, role, queryDeadlineMs, log, replaced: died });
  const { writer, company } = database;
  opened.writer = writer;
  const thread = startIngestThread({
    settings: ingestSettings(config, options, company?.id ?? null),
    ...{ writer, log },
  });
  opened.thread = thread;
  return { database, thread };
};

/** The sentence for a caller who may send the same again helps nobody who starts a process. */
const explainedOpening = async (error: unknown, { database, dataDir }: Config): Promise<unknown> => {
  if (database === null || !(error instanceof DatabaseUnavailableError))
    return explainedStart(error, dataDir);
  const { explainedDatabase } = await import('../adapters/store/postgres/opening/explain.ts');
  return explainedDatabase(error.cause, database.url);
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
  const known = { config, options, log, folder, opened, reranker, watching };
  const opening: Opening = { ...known, dispose: () => dispose(known) };
  try {
    if (config.database === null) checkDatabase(config.dataDir);
    if (options.serving === true)
      opened.early = await startHttpServer(
        await answerNotReady(log, 'Memoir is starting. Try again in a moment.'),
        config,
      );
    // Its process starts while the parts of this one are loaded.
    opened.chromaServer = startOwnChroma(config, log);
    // While opening, the end of the writer thread already fails the call that waits for it.
    let open = false;
    const started = await startDatabase(opening, (reason) => {
      if (open) (options.fatal ?? rethrow)(reason);
    });
    const { openParts } = await import('./open-parts.ts');
    const memoir = await openParts(opening, started);
    open = true;
    return memoir;
  } catch (error) {
    await opening.dispose();
    throw await explainedOpening(error, config);
  }
};
