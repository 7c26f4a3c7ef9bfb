// The request side: narrow reads on a read-only connection of its own, wide reads on the reading thread,
// writes sent to the one writer.

import { reachOf, type Scope } from '../../../core/scope.ts';
import type { Call } from '../../../lib/threads/rpc.ts';
import type { DocumentStore } from '../ports/documents.ts';
import type { MemoryStore } from '../ports/memories.ts';
import type { Organisation } from '../ports/organisation.ts';
import type { RecallStore } from '../ports/recall.ts';
import type { SearchStore } from '../ports/search.ts';
import type { SettingsStore } from '../ports/settings.ts';
import type { AccessStore, Store } from '../ports/store.ts';
import type { TagStore } from '../ports/tags.ts';
import type { UsageStore } from '../ports/usage.ts';
import { keyBy, listKeys } from '../queries/access/keys.ts';
import { tokensOfKeys } from '../queries/access/usage.ts';
import { fileByDocumentId, knownFiles, originalReads } from '../queries/documents/originals.ts';
import { chunkReads, documentReads } from '../queries/documents/read.ts';
import { threadReads } from '../queries/documents/threads.ts';
import { memoryReads } from '../queries/memories/read.ts';
import { recallReads } from '../queries/memories/recall.ts';
import { countEverything } from '../queries/organisation/organisation.ts';
import { readSettings } from '../queries/organisation/settings.ts';
import { foundChunkReads } from '../queries/search/chunks-with-documents.ts';
import { listSpaces, spaceProgress } from '../queries/spaces/spaces.ts';
import { mergeReads } from '../queries/tags/merges.ts';
import { tagReads } from '../queries/tags/tags.ts';
import { openSqliteConnection } from '../sqlite/connection.ts';
import { kyselyOver } from '../sqlite/dialect.ts';
import type { ScopedRead } from '../statements/contexts.ts';
import type { Db } from '../tables/tables.ts';
import type { WritingCommands } from '../writing-side/commands.ts';
import { createGrantStore } from './grant-store.ts';
import { createReads } from './reads.ts';
import { createWideReader, type WideReader } from './wide-reader.ts';

type WriteCall = Call<WritingCommands>;

type ReadContext = (scope: Scope) => ScopedRead;

type Read = (read: ScopedRead, ...args: never[]) => Promise<unknown>;

/** A query as the port names it: the caller hands over the scope, and the read connection is bound. */
type Scoped<Query> = Query extends (read: ScopedRead, ...args: infer Args) => infer Answer
  ? (scope: Scope, ...args: Args) => Answer
  : never;

type ScopedReads<Queries> = { [Name in keyof Queries]: Scoped<Queries[Name]> };

/** Binds the reads of a file of queries: a new read needs no line here. */
const bindReads = <Queries extends Readonly<Record<string, Read>>>(
  context: ReadContext,
  queries: Queries,
): ScopedReads<Queries> => {
  const bound = Object.entries(queries).map(([name, query]) => [
    name,
    (scope: Scope, ...args: never[]) => query(context(scope), ...args),
  ]);
  return Object.fromEntries(bound) as ScopedReads<Queries>;
};

const documentStore = (context: ReadContext, call: WriteCall): DocumentStore => ({
  ...bindReads(context, { ...documentReads, ...originalReads }),
  submit: (scope, items) => call('submit', reachOf(scope), items),
  update: (scope, ref, patch) => call('update', reachOf(scope), ref, patch),
  remove: (scope, target) => call('remove', reachOf(scope), target),
});

const searchStore = (context: ReadContext, db: Db, wide: WideReader): SearchStore => {
  const reads = createReads(db);
  return {
    ...bindReads(context, { ...foundChunkReads, ...chunkReads, ...threadReads }),
    extent: (scope, restriction, bound) => reads.extent(reachOf(scope), restriction, bound),
    keyword: (scope, restriction, terms, options) =>
      options.wide
        ? wide.call('keyword', reachOf(scope), { restriction, terms, limit: options.limit })
        : reads.keyword(reachOf(scope), { restriction, terms, limit: options.limit }),
    scan: (scope, restriction, request) =>
      request.wide
        ? wide.call('scan', reachOf(scope), restriction, request)
        : reads.scan(reachOf(scope), restriction, request),
    pending: (scope, space, limit) => wide.call('pending', reachOf(scope), space, limit),
    compare: (scope, restriction, request) => wide.call('compare', reachOf(scope), restriction, request),
  };
};

const memoryStore = (context: ReadContext, call: WriteCall): MemoryStore => ({
  ...bindReads(context, memoryReads),
  create: (scope, request, spaces) => call('createMemories', reachOf(scope), request, spaces),
  revise: (scope, id, revision, spaces) => call('reviseMemory', reachOf(scope), id, revision, spaces),
  forget: (scope, ids, request) => call('forgetMemories', reachOf(scope), ids, request),
  review: (scope, id, action) => call('reviewMemory', reachOf(scope), id, action),
});

const recallStore = (context: ReadContext, wide: WideReader): RecallStore => ({
  ...bindReads(context, recallReads),
  named: (scope, id) => wide.call('named', reachOf(scope), id),
});

const tagStore = (context: ReadContext, call: WriteCall): TagStore => ({
  ...bindReads(context, { ...tagReads, ...mergeReads }),
  upsert: (scope, tag, changes) => call('upsertTag', reachOf(scope), tag, changes),
  remove: (scope, tag) => call('removeTag', reachOf(scope), tag),
  merge: (scope, request) => call('mergeTags', reachOf(scope), request),
});

const usageStore = (db: Db, call: WriteCall): UsageStore => ({
  ofKeys: () => tokensOfKeys(db),
  add: (what, tokens) => call('addTokens', what, tokens),
});

const settingsStore = (db: Db, call: WriteCall): SettingsStore => ({
  read: () => readSettings(db),
  write: (changes) => call('writeSettings', changes),
  reset: (defaultTag) => call('resetEverything', defaultTag),
});

const accessStore = (db: Db, call: WriteCall): AccessStore => ({
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
  organisation: (fresh: Organisation) => call('ensureOrganisation', fresh),
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
export const openSqliteStore = (options: {
  file: string;
  call: WriteCall;
  now?: () => number;
}): SqliteStore => {
  const connection = openSqliteConnection(options.file, { readOnly: true, scopedReads: true });
  const db = kyselyOver(connection);
  const wide = createWideReader(options.file);
  const now = options.now ?? Date.now;
  const context: ReadContext = (scope) => ({ db, reach: reachOf(scope), now: now() });
  return {
    documents: documentStore(context, options.call),
    search: searchStore(context, db, wide),
    memories: memoryStore(context, options.call),
    recall: recallStore(context, wide),
    tags: tagStore(context, options.call),
    settings: settingsStore(db, options.call),
    usage: usageStore(db, options.call),
    ...accessStore(db, options.call),
    async close() {
      await wide.close();
      connection.close();
    },
  };
};
