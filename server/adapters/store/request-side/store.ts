// The request side of the store: reads by a reader, writes as commands.

import { reachOf, type Scope, WHOLE_REACH } from '../../../core/scope.ts';
import type { Call } from '../../../lib/threads/rpc.ts';
import type { AuditKeeping, AuditStore } from '../ports/audit.ts';
import type { ConnectionStore } from '../ports/connections/connections.ts';
import type { HookStore } from '../ports/connections/hooks.ts';
import type { SignInStore } from '../ports/connections/sign-ins.ts';
import type { DocumentStore } from '../ports/documents.ts';
import type { MemoryStore } from '../ports/memories/memories.ts';
import type { RecallStore } from '../ports/memories/recall.ts';
import type { Organisation } from '../ports/organisation.ts';
import type { SearchStore } from '../ports/search.ts';
import type { SecretStore } from '../ports/secrets.ts';
import type { SettingsStore } from '../ports/settings.ts';
import type { AccessStore, Store } from '../ports/store.ts';
import type { TagStore } from '../ports/tags.ts';
import type { AnalyticsStore, UsageKeeping } from '../ports/usage/analytics.ts';
import type { QuotaStore } from '../ports/usage/quotas.ts';
import type { UsageStore } from '../ports/usage/usage.ts';
import { keyBy, listKeys } from '../queries/access/keys.ts';
import { tokensOfKeys } from '../queries/access/usage.ts';
import { fileByDocumentId, knownFiles, originalReads } from '../queries/documents/originals.ts';
import { chunkReads, documentReads } from '../queries/documents/read.ts';
import { threadReads } from '../queries/documents/threads.ts';
import { memoryReads } from '../queries/memories/read.ts';
import { recallReads } from '../queries/memories/recall.ts';
import { redrawReads } from '../queries/memories/remembering/redraw.ts';
import {
  countEverything,
  oldestWaiting,
  readModelChoices,
  readSigningKeys,
  waitingConnections,
} from '../queries/organisation/organisation.ts';
import { readSettings } from '../queries/organisation/settings.ts';
import { foundChunkReads } from '../queries/search/chunks-with-documents.ts';
import { listSpaces, spaceProgress } from '../queries/spaces/spaces.ts';
import { mergeReads } from '../queries/tags/merges.ts';
import { tagReads } from '../queries/tags/tags.ts';
import type { ScopedRead } from '../statements/contexts.ts';
import type { Db } from '../tables/tables.ts';
import type { WritingCommands } from '../writing-side/commands.ts';
import { createAnalyticsStore, createQuotaStore, createUsageKeeping } from './analytics-store.ts';
import { createAuditKeeping, createAuditStore } from './audit-store.ts';
import { createConnectionStore } from './connection-store.ts';
import { createGrantStore } from './grant-store.ts';
import { createHookStore } from './hook-store.ts';
import { unpackKeywordMatches, unpackVectorMatches } from './packed.ts';
import type { Reader } from './reader.ts';
import type { DbOf } from './reads.ts';
import { createSignInStore } from './sign-in-store.ts';
import { createMailStore, createTeamStore } from './team-store.ts';

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

const documentStore = (context: ReadContext, reader: Reader, call: WriteCall): DocumentStore => ({
  ...bindReads(context, { ...documentReads, ...originalReads }),
  async list(scope, asked) {
    const { read, query, size } = await reader.listing(scope, asked, 'documents');
    return read('listDocuments', reader.bounds(scope), query, size?.documents ?? null);
  },
  async listChunks(scope, asked) {
    const { read, query } = await reader.listing(scope, asked, 'documents');
    return read('listChunks', reader.bounds(scope), query);
  },
  submit: (scope, items) => call('submit', reachOf(scope), items),
  update: (scope, ref, patch) => call('update', reachOf(scope), ref, patch),
  remove: (scope, target, note) => call('remove', reachOf(scope), target, note),
  retry: (scope, ref) => call('retry', reachOf(scope), ref),
  retryAll: (scope, ids) => call('retryAll', reachOf(scope), ids),
});

const searchStore = (context: ReadContext, reader: Reader): SearchStore => ({
  ...bindReads(context, { ...foundChunkReads, ...chunkReads, ...threadReads }),
  async extent(scope, asked, bound) {
    const { read, restriction } = await reader.within(scope, asked);
    return read('extent', reachOf(scope), restriction, bound);
  },
  async keyword(scope, asked, terms, { aside, ...options }) {
    const { read, restriction, isAside } = await reader.within(scope, asked, aside);
    const request = { restriction, terms, ...options };
    if (!isAside) return read('keyword', reachOf(scope), request);
    return unpackKeywordMatches(await read('packedKeyword', reachOf(scope), request));
  },
  async scan(scope, asked, request) {
    const { read, restriction, isAside } = await reader.within(scope, asked, request.aside);
    if (!isAside) return read('scan', reachOf(scope), restriction, request);
    return unpackVectorMatches(await read('packedScan', reachOf(scope), restriction, request));
  },
  pending: (scope, space, limit) => reader.at(scope, true)('pending', reachOf(scope), space, limit),
  leftOut: (scope, request) => reader.at(scope, true)('leftOut', reachOf(scope), request),
  async compare(scope, asked, request) {
    const { read, restriction } = await reader.within(scope, asked, true);
    return read('compare', reachOf(scope), restriction, request);
  },
  async passages(scope, asked, ns) {
    const { read, restriction } = await reader.within(scope, asked);
    return read('passages', reader.bounds(scope), restriction, ns);
  },
});

const memoryStore = (context: ReadContext, reader: Reader, call: WriteCall): MemoryStore => ({
  ...bindReads(context, { ...memoryReads, ...redrawReads }),
  redraw: (scope, tags) => call('redrawMemories', reachOf(scope), tags),
  async list(scope, asked) {
    const { read, query } = await reader.listing(scope, asked, 'memories');
    return read('listMemories', reader.bounds(scope), query);
  },
  async live(scope, asked) {
    const { read, query } = await reader.listing(scope, asked, 'memories');
    return read('liveMemories', reader.bounds(scope), query);
  },
  async memories(scope, asked, ns) {
    const { read, restriction } = await reader.within(scope, asked);
    return read('memories', reader.bounds(scope), restriction, ns);
  },
  create: (scope, request, spaces) => call('createMemories', reachOf(scope), request, spaces),
  revise: (scope, id, revision, spaces) => call('reviseMemory', reachOf(scope), id, revision, spaces),
  forget: (scope, ids, request, note) => call('forgetMemories', reachOf(scope), ids, request, note),
  review: (scope, id, action) => call('reviewMemory', reachOf(scope), id, action),
});

const recallStore = (context: ReadContext, reader: Reader): RecallStore => ({
  ...bindReads(context, recallReads),
  async statements(scope, asked, ns) {
    const { read, restriction } = await reader.within(scope, asked);
    return read('statements', reader.bounds(scope), restriction, ns);
  },
  async remembered(scope, asked) {
    const { read, query } = await reader.listing(scope, asked, 'memories');
    return read('remembered', reader.bounds(scope), query);
  },
  named: (scope, id) => reader.at(scope, true)('named', reachOf(scope), id),
});

const tagStore = (context: ReadContext, call: WriteCall): TagStore => ({
  ...bindReads(context, { ...tagReads, ...mergeReads }),
  upsert: (scope, tag, changes, note) => call('upsertTag', reachOf(scope), tag, changes, note),
  remove: (scope, tag, note) => call('removeTag', reachOf(scope), tag, note),
  merge: (scope, request, note) => call('mergeTags', reachOf(scope), request, note),
});

const usageStore = (db: Db, call: WriteCall): UsageStore => ({
  ofKeys: () => tokensOfKeys(db),
  add: (what, tokens) => call('addTokens', what, tokens),
});

const settingsStore = (db: Db, call: WriteCall): SettingsStore => ({
  read: () => readSettings(db),
  write: (changes, note) => call('writeSettings', changes, note),
  reset: (defaultTag, note) => call('resetEverything', defaultTag, note),
});

/** Requests read no secrets, so the writer lists them. */
const secretStore = (call: WriteCall): SecretStore => ({
  ofConnections: (of, after, limit) => call('secretsOfConnections', of, { after, limit }),
  replace: (secret, sealed) => call('replaceSecret', secret, sealed),
});

const accessStore = (db: Db, call: WriteCall, now: () => number): AccessStore => ({
  keys: {
    byHash: (hash) => keyBy(db, 'hash', hash),
    byId: (id) => keyBy(db, 'id', id),
    list: () => listKeys(db),
    create: (key, note) => call('createKey', key, note),
    createFirst: (key, given, note) => call('createFirstKey', key, given, note),
    setEnabled: (id, enabled, note) => call('enableKey', id, enabled, note),
    change: (id, changes, note) => call('changeKey', id, changes, note),
    replace: (replacement, note) => call('replaceKey', replacement, note),
    touch: (uses) => call('touchKeys', uses),
  },
  grants: createGrantStore(db, call),
  team: createTeamStore(db, call),
  mails: createMailStore(db, call, now),
  files: { ofDocument: (id) => fileByDocumentId(db, id), known: (keys) => knownFiles(db, keys) },
  spaces: {
    list: () => listSpaces(db),
    create: (space) => call('createSpace', space),
    calibrate: (id, calibration) => call('calibrateSpace', id, calibration),
    abandon: (id) => call('abandonSpace', id),
    progress: (id) => spaceProgress(db, id),
  },
  organisation: (fresh: Organisation) => call('ensureOrganisation', fresh),
  signingKeys: {
    read: () => readSigningKeys(db),
    replace: (read, sealed) => call('replaceSigningKeys', read, sealed),
  },
  modelChoices: {
    read: () => readModelChoices(db),
    keep: (choices) => call('keepModelChoices', choices),
  },
  counts: () => countEverything(db),
  oldestWaiting: () => oldestWaiting(db),
  waitingConnections: (limit) => waitingConnections(db, limit),
});

/** The store as requests, the rules of access and the operations of the service read and write it. */
export interface RequestStore extends Store, AccessStore {
  memories: MemoryStore;
  tags: TagStore;
  settings: SettingsStore;
  secrets: SecretStore;
  usage: UsageStore;
  recall: RecallStore;
  connections: ConnectionStore;
  signIns: SignInStore;
  hooks: HookStore;
  audit: AuditStore;
  auditing: AuditKeeping;
  analytics: AnalyticsStore;
  counting: UsageKeeping;
  quotas: QuotaStore;
}

/** One that holds connections or files open. */
export interface OpenedStore extends RequestStore {
  close(): Promise<void>;
}

export const createRequestStore = (dbOf: DbOf, reader: Reader, call: WriteCall): RequestStore => {
  const db = dbOf(WHOLE_REACH);
  const context: ReadContext = (scope) => {
    const bounds = reader.bounds(scope);
    return { db: dbOf(bounds.reach), ...bounds };
  };
  return {
    documents: documentStore(context, reader, call),
    search: searchStore(context, reader),
    memories: memoryStore(context, reader, call),
    recall: recallStore(context, reader),
    tags: tagStore(context, call),
    settings: settingsStore(db, call),
    secrets: secretStore(call),
    usage: usageStore(db, call),
    connections: createConnectionStore(db, call),
    signIns: createSignInStore(call),
    hooks: createHookStore(db, call),
    audit: createAuditStore(reader),
    auditing: createAuditKeeping(db, call),
    analytics: createAnalyticsStore(reader),
    counting: createUsageKeeping(call),
    quotas: createQuotaStore(db, call),
    ...accessStore(db, call, reader.now),
  };
};
