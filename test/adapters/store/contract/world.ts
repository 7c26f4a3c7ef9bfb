// A store under test, a clock, and short functions for its tests.

import type { AuditKeeping, AuditStore } from '../../../../server/adapters/store/ports/audit.ts';
import type {
  ConnectionIngestStore,
  ConnectionStore,
} from '../../../../server/adapters/store/ports/connections/connections.ts';
import type {
  HookIngestStore,
  HookStore,
} from '../../../../server/adapters/store/ports/connections/hooks.ts';
import type { SignInStore } from '../../../../server/adapters/store/ports/connections/sign-ins.ts';
import type {
  DocumentRecord,
  ListQuery,
  Patch,
  Submission,
  Submitted,
} from '../../../../server/adapters/store/ports/documents.ts';
import type { Restriction } from '../../../../server/adapters/store/ports/filters.ts';
import type { ClaimShare } from '../../../../server/adapters/store/ports/ingestion/claims.ts';
import type { IngestStore } from '../../../../server/adapters/store/ports/ingestion/ingest.ts';
import type { MemoryStore } from '../../../../server/adapters/store/ports/memories/memories.ts';
import type { RecallStore } from '../../../../server/adapters/store/ports/memories/recall.ts';
import type { MemoryIngestStore } from '../../../../server/adapters/store/ports/memories/remembering.ts';
import type { SecretStore } from '../../../../server/adapters/store/ports/secrets.ts';
import type { SettingsStore } from '../../../../server/adapters/store/ports/settings.ts';
import type { FillSpace } from '../../../../server/adapters/store/ports/spaces.ts';
import type { AccessStore, Store } from '../../../../server/adapters/store/ports/store.ts';
import type { MergeIngestStore, TagStore } from '../../../../server/adapters/store/ports/tags.ts';
import type {
  AnalyticsStore,
  UsageKeeping,
} from '../../../../server/adapters/store/ports/usage/analytics.ts';
import type { QuotaStore } from '../../../../server/adapters/store/ports/usage/quotas.ts';
import type { UsageStore } from '../../../../server/adapters/store/ports/usage/usage.ts';
import { Scope } from '../../../../server/core/scope.ts';
import { sha256 } from '../../../../server/lib/hash.ts';
import { newId } from '../../../../server/lib/ids.ts';
import { type Clock, createClock } from '../../../support/clock.ts';
import type { BetweenWrites } from '../../../support/store.ts';
import { FLOAT_SPACE, type Reading, readClaim, SPACE } from './reading.ts';

export type Row = Record<string, unknown>;

/** A database as a hostile statement of the request side sees it. */
export interface RequestSide {
  /** Every table, partition and view that its catalogue lists, with its schema, and without it where that leads elsewhere. */
  readonly tables: readonly string[];
  /** Statements that only this database understands, in an order in which one may prepare the next. */
  readonly tricks: readonly string[];
}

/** The parts that a database provides for the contract. */
export interface StoreUnderTest {
  store: Store &
    AccessStore & {
      memories: MemoryStore;
      tags: TagStore;
      usage: UsageStore;
      settings: SettingsStore;
      connections: ConnectionStore;
      signIns: SignInStore;
      hooks: HookStore;
      secrets: SecretStore;
      audit: AuditStore;
      auditing: AuditKeeping;
      recall: RecallStore;
      analytics: AnalyticsStore;
      counting: UsageKeeping;
      quotas: QuotaStore;
    };
  ingest: IngestStore;
  /** The remember step's side. */
  remembering: MemoryIngestStore;
  merges: MergeIngestStore;
  /** The side of the thread that syncs connections. */
  syncing: ConnectionIngestStore;
  hookDuty: HookIngestStore;
  /** A look behind the port: what the tables hold, by a statement that every database understands. */
  rows(statement: string): Promise<Row[]>;
  /** A statement without a view of its own, on a connection of the request side, for a caller who reads these tags. */
  asRequest(reads: readonly string[], statement: string): Promise<Row[]>;
  requestSide(): Promise<RequestSide>;
  /** Changes the tables behind the port, as an intruder would. */
  meddle(statements: string): Promise<void>;
  /** The numbers of the vectors of a space, as the tables hold them, in order. */
  vectors(space: number): Promise<number[]>;
  /** The numbers of the chunks in the keyword index, in order. */
  words(): Promise<number[]>;
  /** The bytes of every file, or of every row where the files belong to a database server: an intruder could read them. */
  bytes(): Promise<Buffer>;
  close(): Promise<void>;
}

export interface OpenStoreOptions {
  readonly now: () => number;
  /** The most documents and memories that a search lists for a condition of its filter. Default: that of the store. */
  readonly mostListed?: number;
  readonly between?: BetweenWrites;
}

export type OpenStore = (options: OpenStoreOptions) => Promise<StoreUnderTest>;

export const everything = Scope.mint(null, null);
export const only = (...tags: string[]): Scope => Scope.mint(tags, tags);

export const WIDE_SHARE: ClaimShare = { documents: 1000, containers: 100 };

export interface World extends StoreUnderTest, AsyncDisposable {
  clock: Clock;
  space: number;
  /** Sends it; the id that was answered. */
  add(content: string, more?: Partial<Submission>, scope?: Scope): Promise<string>;
  send(content: string, more?: Partial<Submission>, scope?: Scope): Promise<Submitted>;
  patch(ref: string, patch: Patch, scope?: Scope): Promise<string>;
  get(ref: string, scope?: Scope): Promise<DocumentRecord>;
  /** Takes all that waits and makes it searchable, each paragraph a chunk. */
  index(reading?: Partial<Reading>): Promise<number>;
  list(query?: Partial<ListQuery>, scope?: Scope): Promise<DocumentRecord[]>;
  /** The contents of what a restriction lets through, in the order in which they came. */
  chosen(restriction: Restriction, scope?: Scope): Promise<(string | null)[]>;
}

export const submission = (content: string, more: Partial<Submission> = {}): Submission => ({
  id: newId(),
  customId: null,
  tags: ['a'],
  defaultTags: ['default'],
  content,
  hash: sha256(content),
  type: 'text',
  replace: false,
  metadata: null,
  title: null,
  filepath: null,
  url: null,
  source: null,
  taskType: 'memory',
  dreaming: 'dynamic',
  entityContext: null,
  ...more,
});

/** The port lists any new content with its hash. */
export const contentPatch = (content: string): Patch => ({ content, hash: sha256(content), type: 'text' });

const ofDocument = (answer: Submitted): string => {
  if (answer.outcome !== 'accepted') throw new Error(`The store answered ${JSON.stringify(answer)}`);
  return answer.id;
};

export const openWorld = async (
  open: OpenStore,
  options: Omit<OpenStoreOptions, 'now'> = {},
): Promise<World> => {
  const clock = createClock();
  const opened = await open({ ...options, now: clock.now });
  const { store, ingest } = opened;
  const { id: space } = await store.spaces.create({
    embedder: 'test',
    model: 'paragraphs',
    dimensions: SPACE.dimensions,
    state: 'active',
    calibration: null,
  });

  const send: World['send'] = async (content, more, scope = everything) => {
    const [answer] = await store.documents.submit(scope, [submission(content, more)]);
    if (answer === undefined) throw new Error('The store did not answer');
    return answer;
  };

  const list: World['list'] = async (query, scope = everything) => {
    const page = { sort: 'createdAt', order: 'asc', limit: 1000, offset: 0, content: true } as const;
    return (await store.documents.list(scope, { ...page, ...query })).documents;
  };

  return {
    ...opened,
    clock,
    space,
    send,
    add: async (content, more, scope) => ofDocument(await send(content, more, scope)),
    async patch(ref, patch, scope = everything) {
      const answer = await store.documents.update(scope, ref, patch);
      if (answer.outcome !== 'updated') throw new Error(`The store answered ${JSON.stringify(answer)}`);
      return answer.step;
    },
    async get(ref, scope = everything) {
      const found = await store.documents.find(scope, ref);
      if (found.outcome !== 'found') throw new Error(`${ref} is ${found.outcome}`);
      return found.document;
    },
    async index(reading = {}) {
      const { spaces: ids = [space], dimensions = SPACE.dimensions, exact = null } = reading;
      const spaces: FillSpace[] = ids.map((id) => ({ id, dimensions, keepExact: false }));
      if (exact !== null) spaces.push({ id: exact, ...FLOAT_SPACE });
      let committed = 0;
      for (;;) {
        const claims = await ingest.claim('boot', WIDE_SHARE);
        if (claims.length === 0) return committed;
        const read = claims.map((claim) => readClaim(claim, { spaces: ids, ...reading }));
        committed += await ingest.commit(read, spaces);
      }
    },
    list,
    chosen: async (restriction, scope) =>
      (await list(restriction, scope)).map((document) => document.content),
    [Symbol.asyncDispose]: () => opened.close(),
  };
};
