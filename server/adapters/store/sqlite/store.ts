// The request side: narrow reads on a read-only connection of its own, wide reads on the reading thread,
// writes sent to the one writer.
import type { Calls } from '../../../lib/rpc.ts';
import { reachOf } from '../../../lib/scope.ts';
import type { MemoryStore } from '../memory-port.ts';
import type {
  AccessStore,
  DocumentStore,
  KeywordMatches,
  Organisation,
  SearchStore,
  Store,
  VectorMatch,
} from '../port.ts';
import {
  chunksOfDocument,
  contentsOf,
  findDocument,
  listDocuments,
  neighbourChunks,
} from '../queries/documents-read.ts';
import { fileByDocumentId, fileOfDocument, knownFiles } from '../queries/files.ts';
import { keyBy, listKeys } from '../queries/keys.ts';
import {
  findMemory,
  inferredMemories,
  listMemories,
  liveMemories,
  memoriesAmong,
  memoriesByNumber,
  memoriesOfDocuments,
  relativesOf,
} from '../queries/memory-read.ts';
import { changesOf, remembered, sources, stated, statements } from '../queries/memory-recall.ts';
import { readMerge } from '../queries/merges.ts';
import { countEverything } from '../queries/organisation.ts';
import { passages, places } from '../queries/passages.ts';
import { readSettings } from '../queries/settings.ts';
import { listSpaces, spaceProgress } from '../queries/spaces.ts';
import { getTag, listTags } from '../queries/tags.ts';
import { threadPlaces } from '../queries/threads.ts';
import { tokensOfKeys } from '../queries/usage.ts';
import type { Named, RecallStore } from '../recall-port.ts';
import type { SettingsStore } from '../settings-port.ts';
import type { Db } from '../tables.ts';
import type { TagStore } from '../tag-port.ts';
import type { UsageStore } from '../usage-port.ts';
import { openConnection } from './connection.ts';
import { kyselyOver } from './dialect.ts';
import { createGrantStore } from './grant-commands.ts';
import { createReads } from './reads.ts';
import { createWideReader, type WideReader } from './wide-reader.ts';

type Call = Calls['call'];

const documentStore = (db: Db, call: Call): DocumentStore => ({
  submit: (scope, items) => call('submit', reachOf(scope), items),
  find: (scope, ref) => findDocument(db, reachOf(scope), ref),
  list: (scope, query) => listDocuments(db, reachOf(scope), query),
  update: (scope, ref, patch) => call('update', reachOf(scope), ref, patch),
  remove: (scope, target) => call('remove', reachOf(scope), target),
  chunks: (scope, documentN) => chunksOfDocument(db, reachOf(scope), documentN),
  file: (scope, documentN) => fileOfDocument(db, reachOf(scope), documentN),
});

const searchStore = (db: Db, wide: WideReader): SearchStore => {
  const reads = createReads(db);
  return {
    extent: (scope, restriction, bound) => reads.extent(reachOf(scope), restriction, bound),
    keyword: (scope, restriction, terms, options) =>
      options.wide
        ? wide.call<KeywordMatches>('keyword', reachOf(scope), restriction, terms, options)
        : reads.keyword(reachOf(scope), restriction, terms, options),
    scan: (scope, restriction, request) =>
      request.wide
        ? wide.call<VectorMatch[]>('scan', reachOf(scope), restriction, request)
        : reads.scan(reachOf(scope), restriction, request),
    pending: (scope, space, limit) => wide.call<number[] | null>('pending', reachOf(scope), space, limit),
    compare: (scope, restriction, request) =>
      wide.call<VectorMatch[]>('compare', reachOf(scope), restriction, request),
    passages: (scope, restriction, ns) => passages(db, reachOf(scope), restriction, ns),
    neighbours: (scope, stretches) => neighbourChunks(db, reachOf(scope), stretches),
    places: (scope, ns) => places(db, reachOf(scope), ns),
    threads: (scope, documents, count) => threadPlaces(db, reachOf(scope), documents, count),
    contents: (scope, documentNs) => contentsOf(db, reachOf(scope), documentNs),
  };
};

const memoryStore = (db: Db, call: Call, now: () => number): MemoryStore => ({
  find: (scope, target) => findMemory(db, reachOf(scope), target, now()),
  among: (scope, request) => memoriesAmong(db, reachOf(scope), request, now()),
  list: (scope, query) => listMemories(db, reachOf(scope), query, now()),
  inferred: (scope, limit) => inferredMemories(db, reachOf(scope), limit, now()),
  live: (scope, query) => liveMemories(db, reachOf(scope), query, now()),
  memories: (scope, restriction, ns) => memoriesByNumber(db, reachOf(scope), restriction, ns, now()),
  relatives: (scope, ns, forgotten = false) => relativesOf(db, reachOf(scope), ns, forgotten, now()),
  ofDocuments: (scope, documents) => memoriesOfDocuments(db, reachOf(scope), documents, now()),
  create: (scope, request, spaces) => call('createMemories', reachOf(scope), request, spaces),
  revise: (scope, id, revision, spaces) => call('reviseMemory', reachOf(scope), id, revision, spaces),
  forget: (scope, ids, request) => call('forgetMemories', reachOf(scope), ids, request),
  review: (scope, id, action) => call('reviewMemory', reachOf(scope), id, action),
});

const recallStore = (db: Db, wide: WideReader, now: () => number): RecallStore => ({
  statements: (scope, restriction, ns) => statements(db, reachOf(scope), restriction, ns, now()),
  remembered: (scope, query) => remembered(db, reachOf(scope), query, now()),
  sources: (scope, memories) => sources(db, reachOf(scope), memories),
  stated: (scope, chunks) => stated(db, reachOf(scope), chunks),
  named: (scope, id) => wide.call<Named | null>('named', reachOf(scope), id),
  changes: (scope, tag) => changesOf(db, reachOf(scope), tag),
});

const tagStore = (db: Db, call: Call, now: () => number): TagStore => ({
  list: (scope) => listTags(db, reachOf(scope), now()),
  get: (scope, tag) => getTag(db, reachOf(scope), tag),
  upsert: (scope, tag, changes) => call('upsertTag', reachOf(scope), tag, changes),
  remove: (scope, tag) => call('removeTag', reachOf(scope), tag),
  merge: (scope, request) => call('mergeTags', reachOf(scope), request),
  mergeStatus: (scope, id) => readMerge(db, reachOf(scope), id),
});

const usageStore = (db: Db, call: Call): UsageStore => ({
  ofKeys: () => tokensOfKeys(db),
  add: (what, tokens) => call('addTokens', what, tokens),
});

const settingsStore = (db: Db, call: Call): SettingsStore => ({
  read: () => readSettings(db),
  write: (changes) => call('writeSettings', changes),
  reset: (defaultTag) => call('resetEverything', defaultTag),
});

const accessStore = (db: Db, call: Call): AccessStore => ({
  keys: {
    byHash: (hash) => keyBy(db, 'hash', hash),
    byId: (id) => keyBy(db, 'id', id),
    list: () => listKeys(db),
    create: (key) => call('createKey', key),
    setEnabled: (id, enabled) => call('enableKey', id, enabled),
    touch: (uses) => call('touchKeys', uses),
  },
  grants: createGrantStore(db, call),
  files: { ofDocument: (id) => fileByDocumentId(db, id), known: (keys) => knownFiles(db, keys) },
  spaces: {
    list: () => listSpaces(db),
    create: (space) => call('createSpace', space),
    calibrate: (id, calibration) => call('calibrateSpace', id, calibration),
    progress: (id) => spaceProgress(db, id),
  },
  organisation: (fresh: Organisation) => call<Organisation>('ensureOrganisation', fresh),
  counts: () => countEverything(db),
});

export interface SqliteStore extends Store, AccessStore {
  memories: MemoryStore;
  tags: TagStore;
  settings: SettingsStore;
  usage: UsageStore;
  recall: RecallStore;
  close(): Promise<void>;
}

/** The file exists and is migrated: the writing side was opened before this one. */
export const openSqliteStore = (options: { file: string; call: Call; now?: () => number }): SqliteStore => {
  const connection = openConnection(options.file, { readOnly: true, scopedReads: true });
  const db = kyselyOver(connection);
  const wide = createWideReader(options.file);
  return {
    documents: documentStore(db, options.call),
    search: searchStore(db, wide),
    memories: memoryStore(db, options.call, options.now ?? Date.now),
    recall: recallStore(db, wide, options.now ?? Date.now),
    tags: tagStore(db, options.call, options.now ?? Date.now),
    settings: settingsStore(db, options.call),
    usage: usageStore(db, options.call),
    ...accessStore(db, options.call),
    async close() {
      await wide.close();
      connection.close();
    },
  };
};
