// Builds everything once: config → adapters → domain → Service. Disposes in reverse.
import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { operations } from '../tools/registry.generated.ts';
import {
  contentSettings,
  embedSettings,
  ingestSettings,
  placeOf,
  rerankSettings,
} from './adapter-settings.ts';
import { createDiskBlobs } from './adapters/blobs/disk.ts';
import type { BlobStore } from './adapters/blobs/port.ts';
import { createBuiltinEmbedder } from './adapters/embed/builtin.ts';
import { type EmbedSettings, isWanted, openStored, openWanted } from './adapters/embed/open.ts';
import { createWebDocuments } from './adapters/fetch/documents.ts';
import { openSearchModel } from './adapters/model/openai-search.ts';
import { openSummariser } from './adapters/model/openai-summary.ts';
import { createRulesReader } from './adapters/model/rules/reader.ts';
import { openReranker } from './adapters/rerank/open.ts';
import { openSqliteStore, type SqliteStore } from './adapters/store/sqlite/store.ts';
import { type Chroma, type ChromaPlace, openChroma } from './adapters/vectors/chroma.ts';
import type { Config } from './config.ts';
import { type DataFolder, openDataFolder } from './data-folder.ts';
import { createAccess } from './domain/access/access.ts';
import { createConnections } from './domain/connections/connections.ts';
import { createDocuments, type Documents } from './domain/documents/documents.ts';
import { createFiles, type Files } from './domain/files/files.ts';
import { createMemories, type Memories } from './domain/memories/memories.ts';
import { serving } from './domain/memories/serving.ts';
import { statementSpaces } from './domain/memories/statement.ts';
import { recognise } from './domain/pipeline/recognise.ts';
import { createProfile } from './domain/profile/profile.ts';
import { fitCalibration } from './domain/search/calibrate.ts';
import { createSearch, type Search, type SearchDeps } from './domain/search/search.ts';
import { createSettings, type Settings } from './domain/settings/settings.ts';
import { createSpaces, type Spaces, type WantedSpace } from './domain/spaces/spaces.ts';
import { createTags } from './domain/tags/tags.ts';
import { createEvents } from './events.ts';
import { createHealth } from './health.ts';
import { createHttp } from './http/app.ts';
import { type Listening, listen } from './http/listen.ts';
import { createWaiting } from './http/waiting.ts';
import type { IngestState } from './ingest.ts';
import { type IngestThread, startIngestThread } from './ingest-thread.ts';
import { createInvoke } from './invoke.ts';
import { DEFAULT_TAG } from './lib/default-tag.ts';
import { newId } from './lib/ids.ts';
import { isOwnResource } from './lib/own-address.ts';
import { createLog, type Log } from './log.ts';
import { createMcpDoor } from './mcp/door.ts';
import type { Memoir, MemoirOptions } from './memoir.ts';
import { openOauthKeys } from './oauth-keys.ts';
import { waitForChroma } from './patience.ts';
import { openSecretKey } from './secret-key.ts';
import type { Service } from './service-parts.ts';
import { VERSION } from './version.ts';

export type { Health, PartHealth } from './health.ts';
export type { Memoir, MemoirOptions } from './memoir.ts';
export type { Service } from './service-parts.ts';

/** How long a search waits for Chroma; comparing a hundred thousand vectors takes a twentieth of it. */
const CHROMA_QUERY_MS = 2000;
/** Of the nine seconds that a shutdown takes at the most: requests, then the ingest thread, then Chroma. */
const DRAIN_MS = 3500;
/** For connections on which no request is under way. */
const CLOSE_MS = 300;

const wantedSpace = ({ model, dimensions }: EmbedSettings): WantedSpace =>
  model === null ? { ...createBuiltinEmbedder().space } : { embedder: 'openai', model, dimensions };

const chromaFor = (config: Config, orgId: string, log: Log): Chroma =>
  openChroma({
    ...placeOf(config),
    folder: join(config.dataDir, 'chroma'),
    namespace: orgId,
    limits: { queryMs: CHROMA_QUERY_MS },
    log: (level, text) => log[level]({ part: 'chroma' }, text),
  });

const openSpaces = (store: SqliteStore, config: Config, thread: IngestThread, log: Log): Spaces => {
  const settings = embedSettings(config);
  return createSpaces({
    store: store.spaces,
    wanted: wantedSpace(settings),
    isWanted: (space) => isWanted(settings, space),
    openWanted: () => openWanted(settings),
    openStored: (space) => openStored(settings, space),
    calibrate: fitCalibration,
    announce: () => thread.call('reloadSpaces'),
    filling: async () => (await thread.call<IngestState>('state')).filling,
    now: Date.now,
    log,
  });
};

const throwIt = (reason: Error): never => {
  throw reason;
};

interface Parts {
  config: Config;
  store: SqliteStore;
  thread: IngestThread;
  chroma: Chroma;
  spaces: Spaces;
  orgId: string;
  localToken: string;
  draining: () => boolean;
  blobs: BlobStore;
  /** What links begin with. */
  base: () => string;
  searching: Pick<SearchDeps, 'limits' | 'reranker' | 'model'>;
  log: Log;
}

const openMemories = ({ store, spaces, orgId }: Parts, search: Search): Memories =>
  createMemories({
    store: store.memories,
    orgId,
    newId,
    spaces: () => statementSpaces(spaces.active()),
    reader: createRulesReader(),
    search: search.findMemories,
  });

const openSettings = ({ config, store, orgId }: Parts): Settings =>
  createSettings({
    store: store.settings,
    tags: store.tags,
    orgId,
    defaultTag: DEFAULT_TAG,
    secretKey: openSecretKey({
      given: config.secretKey,
      dir: config.dataDir,
      purpose: 'secrets in the settings',
    }),
  });

const openFiles = ({ config, store, blobs, base }: Parts, { find }: Documents): Files =>
  createFiles({
    documents: store.documents,
    files: store.files,
    find,
    blobs,
    base,
    secret: openSecretKey({ given: config.secretKey, dir: config.dataDir, purpose: 'links to files' }),
    now: Date.now,
  });

const buildService = (parts: Parts): Service => {
  const { store, thread, chroma, spaces, orgId, log } = parts;
  const health = createHealth({
    counts: store.counts,
    ingest: () => thread.call<IngestState>('state'),
    space: spaces.status,
    chroma: chroma.state,
    draining: parts.draining,
  });
  const search = createSearch({
    store: store.search,
    memories: store.memories,
    recall: store.recall,
    index: chroma.index,
    isWhole: chroma.holds,
    space: spaces.active,
    now: Date.now,
    ...parts.searching,
    trouble: (sentence, cause) => log.warn({ err: cause }, sentence),
  });
  const memories = openMemories(parts, search);
  const settings = openSettings(parts);
  const { blobs } = parts;
  const documents = createDocuments({ store, blobs, memoriesOf: memories.ofDocuments, newId, recognise });
  const profile = createProfile({
    recall: store.recall,
    search,
    buckets: settings.buckets,
    summariser: openSummariser(parts.config.reading),
    spent: store.usage.add,
    now: Date.now,
    log,
  });
  return {
    orgId,
    documents,
    files: openFiles(parts, documents),
    memories,
    ...serving(
      { search, profile },
      { tell: (tags, texts) => thread.tell('served', tags, texts), defaultTag: DEFAULT_TAG },
    ),
    access: createAccess({
      ...{ store, orgId, now: Date.now, log, localToken: parts.localToken },
      isOwnResource: (resource) => isOwnResource(parts.config.baseUrl ?? '', resource),
    }),
    spaces,
    tags: createTags({ store: store.tags, newId }),
    connections: createConnections(),
    settings,
    health,
  };
};

/** The thread follows Chroma from address to address. */
const startIngestion = async (
  thread: IngestThread,
  place: ChromaPlace & { namespace: string },
  chroma: Chroma,
  spaces: Spaces,
  log: Log,
): Promise<void> => {
  chroma.watch((url) => thread.tell('chromaAt', url));
  thread.onNews((news) => {
    if (news.event === 'index') chroma.heard(news);
    else
      spaces
        .reload()
        .then(() => thread.tell('switched'))
        .catch((error) => log.warn({ err: error }, 'The space that serves now could not be opened.'));
  });
  await thread.call('begin', { ...place, url: chroma.url() });
};

const waiting = (log: Log, why: string) => createWaiting({ version: VERSION, why, log });

interface Assembled
  extends Omit<Parts, 'draining' | 'base'>,
    Pick<MemoirOptions, 'mcpExtension' | 'standIns'> {
  folder: DataFolder;
  /** Listening already, and answering that it is not ready. */
  early: Listening | null;
  dispose: () => Promise<void>;
}

const assemble = async (parts: Assembled): Promise<Memoir> => {
  const { config, folder, early, log, orgId } = parts;
  let draining = false;
  let listening: Listening | null = null;
  const base = () => config.baseUrl ?? listening?.url ?? '';
  const service = buildService({ ...parts, base, draining: () => draining });
  const invoke = createInvoke({ service, events: createEvents({ log }) });
  const mcp = createMcpDoor({ operations, invoke, log, version: VERSION, extension: parts.mcpExtension });
  const web = createWebDocuments(`Memoir/${VERSION}`, parts.standIns);
  const firstKey = await service.access.ensureFirstKey({ given: config.apiKey });
  return {
    service,
    invoke,
    orgId,
    log,
    files: parts.blobs,
    localToken: folder.token,
    firstKey,
    get url() {
      return listening?.url ?? null;
    },
    async listen() {
      const app = createHttp({
        ...{ invoke, operations, log, version: VERSION, baseUrl: config.baseUrl, files: parts.blobs },
        health: service.health,
        openLink: service.files.open,
        mcp,
        oauth: {
          ...{ ...openOauthKeys(config), clients: config.oauthClients },
          ...{ fetchDocument: web.open, grants: service.access.grants },
        },
      });
      early?.answerWith(app);
      listening = early ?? (await listen(app, config));
      folder.announce(listening.url);
      mcp.warm();
      return listening.url;
    },
    async close() {
      draining = true;
      listening?.answerWith(waiting(log, 'Memoir is stopping. Try again when it is back.'));
      await Promise.all([mcp.close(), web.close()]);
      await listening?.quiet(DRAIN_MS);
      await listening?.close(CLOSE_MS);
      service.profile.close();
      await service.access.close();
      await parts.dispose();
    },
  };
};

/** Everything up to, but not including, the answering of requests. */
export const openMemoir = async (config: Config, options: MemoirOptions = {}): Promise<Memoir> => {
  const log = options.log ?? createLog({ level: config.logLevel });
  mkdirSync(config.dataDir, { recursive: true, mode: 0o700 });
  const folder = openDataFolder(config.dataDir);
  const opened: { early?: Listening; thread?: IngestThread; store?: SqliteStore; chroma?: Chroma } = {};
  const reranker = openReranker(rerankSettings(config));
  /** Who reads the database before the thread that writes it: the last one to leave folds the log into the file. */
  const dispose = async (): Promise<void> => {
    await opened.early?.close(0);
    await opened.store?.close();
    await opened.thread?.stop();
    await opened.chroma?.close();
    await reranker?.close();
    folder.close();
  };
  try {
    if (options.serving === true)
      opened.early = await listen(waiting(log, 'Memoir is starting. Try again in a moment.'), config);
    const boot = randomBytes(12).toString('base64url');
    // Until everything is open, whoever waits for the thread is told why it ended.
    let open = false;
    const thread = startIngestThread(ingestSettings(config, options, boot), (reason) => {
      if (open) (options.fatal ?? throwIt)(reason);
    });
    opened.thread = thread;
    const organisation = await thread.call<{ id: string }>('ensureOrganisation', {
      id: newId(),
      createdAt: Date.now(),
    });
    const store = openSqliteStore({ file: join(config.dataDir, 'memoir.db'), call: thread.call });
    opened.store = store;
    const blobs = createDiskBlobs(contentSettings(config).blobs);
    await blobs.settle(store.files.known);
    const chroma = chromaFor(config, organisation.id, log);
    opened.chroma = chroma;
    const spaces = openSpaces(store, config, thread, log);
    await Promise.all([spaces.open(), waitForChroma(chroma, log)]);
    const place = { ...placeOf(config), namespace: organisation.id };
    await startIngestion(thread, place, chroma, spaces, log);
    const memoir = await assemble({
      config,
      store,
      blobs,
      thread,
      chroma,
      spaces,
      log,
      folder,
      early: opened.early ?? null,
      ...{ ...options, dispose },
      searching: { limits: options.searchLimits ?? {}, reranker, model: openSearchModel(config.reading) },
      orgId: organisation.id,
      localToken: folder.token,
    });
    open = true;
    return memoir;
  } catch (error) {
    await dispose();
    throw error;
  }
};
