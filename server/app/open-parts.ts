// The parts of a Memoir around its database and threads: store, files, vector index, spaces, service.
import { openBlobs } from '../adapters/blobs/open.ts';
import type { ChosenReranker } from '../adapters/rerank/port.ts';
import type { OpenedStore } from '../adapters/store/request-side/store.ts';
import type { Chroma } from '../adapters/vectors/chroma/open-chroma.ts';
import type { ChromaServer } from '../adapters/vectors/chroma/server/supervisor.ts';
import type { Memoir } from '../calls/memoir.ts';
import type { Config } from '../config/config.ts';
import { chromaPlace } from '../config/settings/chroma.ts';
import type { Company } from '../core/processes/company.ts';
import { requireGoodChosenKey } from '../domain/access/keys/first-key.ts';
import type { Listening } from '../http/listen.ts';
import { newId } from '../lib/ids.ts';
import { openConfiguredChroma, waitForChroma } from './chroma.ts';
import type { DataFolder } from './data-folder/data-folder.ts';
import { giveUpLostSecrets, requireKeyOfSecrets } from './data-folder/lost-secrets.ts';
import { keyIdOf, openSecretKeys, type SecretKeys } from './data-folder/secret-key.ts';
import { type OpenedDatabase, signalsOf } from './database/database.ts';
import { ingestContentSettings } from './ingest-settings.ts';
import { beginIngestion } from './ingest-thread/begin.ts';
import type { IngestThread } from './ingest-thread/handle.ts';
import { jointState, requireSameIndex, requireSameKey } from './ingest-thread/joint-state.ts';
import { openLanguageModels } from './language-models.ts';
import type { Log } from './log.ts';
import { createMemoir } from './memoir.ts';
import type { MemoirOptions } from './options.ts';
import { noSharedChoices, openSharedChoices, type SharedChoices } from './shared-choices.ts';
import { openSpaces } from './spaces.ts';
import { createStoreWatch, watchedBlobs } from './store-watch.ts';
import { tracedChroma, tracedDatabase, tracedEmbedder, tracedStore } from './watching/traced.ts';
import type { Watching } from './watching/watching.ts';
import type { WriterThread } from './writer-thread/handle.ts';

/** The parts opened so far, which a failure must close. */
export interface Opened {
  early?: Listening;
  writer?: WriterThread;
  thread?: IngestThread;
  store?: OpenedStore;
  chromaServer?: ChromaServer | null;
  chroma?: Chroma;
}

export interface Opening {
  readonly config: Config;
  readonly options: MemoirOptions;
  readonly log: Log;
  readonly folder: DataFolder;
  readonly opened: Opened;
  readonly reranker: ChosenReranker;
  readonly watching: Watching;
  /** Closes what was opened. */
  readonly dispose: () => Promise<void>;
}

export interface StartedDatabase {
  database: OpenedDatabase;
  thread: IngestThread;
}

/** A start with keys that cannot work is refused here, before any background work begins. */
const openKeys = async (
  { config, options }: Opening,
  store: OpenedStore,
  company: Company | null,
): Promise<SecretKeys> => {
  const keys = openSecretKeys(config);
  if (options.givenUp === undefined) await requireKeyOfSecrets(store, keys);
  else options.givenUp(await giveUpLostSecrets(store, keys, company));
  requireSameKey(company, keyIdOf(keys));
  await requireGoodChosenKey(store.keys, config.apiKey);
  return keys;
};

const openChoices = (
  { config, log }: Opening,
  store: OpenedStore,
  { company, reload }: { company: Company | null; reload: () => Promise<void> },
): SharedChoices =>
  company === null
    ? noSharedChoices
    : openSharedChoices({
        ...{ folder: config.local.folder, store: store.modelChoices, signals: company.signals },
        ...{ reloadLanguageModel: reload, log },
      });

export const openParts = async (opening: Opening, started: StartedDatabase): Promise<Memoir> => {
  const { config, options, log, folder, opened, reranker, watching } = opening;
  const { thread } = started;
  const database = tracedDatabase(started.database, watching.tracer);
  const { writer } = database;
  const organisation = await writer.call('ensureOrganisation', { id: newId(), createdAt: Date.now() });
  const { tracer } = watching;
  const store = tracedStore(database.openStore(watching.watch), tracer);
  opened.store = store;
  const { company } = database;
  const secretKeys = await openKeys(opening, store, company);
  const watch = createStoreWatch(config.dataDir, Date.now);
  const blobs = watchedBlobs(openBlobs(ingestContentSettings(config).blobs), watch);
  await blobs.settle(store.files.known);
  const chroma = tracedChroma(
    openConfiguredChroma(config, organisation.id, opened.chromaServer ?? null),
    tracer,
  );
  opened.chroma = chroma;
  const index = { shards: config.chromaShards, indexFrom: config.chromaIndexFrom };
  const own = { role: config.role, ...index };
  requireSameIndex(company, index);
  const state = async () => jointState(await thread.state(), company, own);
  const languageModels = openLanguageModels(config);
  const reloadLanguageModel = async (): Promise<void> => {
    languageModels.reload();
    await thread.call('reloadReader');
  };
  const choices = openChoices(opening, store, { company, reload: reloadLanguageModel });
  await choices.look();
  const spaces = openSpaces({
    ...{ store, config, thread, state, log, signals: signalsOf(database) },
    traced: tracedEmbedder(tracer),
  });
  await Promise.all([spaces.open(), waitForChroma(chroma, log)]);
  const place = { ...chromaPlace(config), ...index, namespace: organisation.id };
  await beginIngestion(thread, place, {
    ...{ chroma, spaces, company, choices, log },
    ...{ role: config.role, keyId: keyIdOf(secretKeys) },
  });
  return createMemoir({
    ...{ config, secretKeys, store, blobs, database, thread, state, chroma, spaces, log },
    ...{ folder, watch, watching },
    early: opened.early ?? null,
    ...{ ...options, dispose: opening.dispose },
    searching: {
      limits: { rerankEverySearchMs: config.rerankEverySearchMs, ...options.searchLimits },
      reranker: reranker.current,
    },
    ...{ languageModels, reloadLanguageModel, choices },
    orgId: organisation.id,
    localToken: folder.token,
  });
};
