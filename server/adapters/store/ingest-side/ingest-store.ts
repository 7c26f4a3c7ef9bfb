// The ingest side: it reads every tag, and sends its writes to a writer.

import { createHandover, type HeldLease } from '../../../lib/async/background/handover.ts';
import type { ConnectionIngestStore } from '../ports/connections/connections.ts';
import type { HookIngestStore } from '../ports/connections/hooks.ts';
import type { BackfillStore } from '../ports/ingestion/backfill.ts';
import type { Claim, ClaimStore, FullShares, HeldClaim } from '../ports/ingestion/claims.ts';
import type { CommitStore, CommittedDocument, DocumentToCommit } from '../ports/ingestion/commits.ts';
import type { Upkeep } from '../ports/ingestion/erasing.ts';
import type { IngestStore } from '../ports/ingestion/ingest.ts';
import type { IndexedContainerStore, OutboxStore } from '../ports/ingestion/outbox.ts';
import type { OutlineStore } from '../ports/ingestion/outlines.ts';
import type { MemoryIngestStore } from '../ports/memories/remembering.ts';
import type { SettingsStore } from '../ports/settings.ts';
import type { MergeIngestStore } from '../ports/tags.ts';
import { readClaims } from '../queries/ingestion/claim.ts';
import { countOutbox, countVectors, readOutbox } from '../queries/ingestion/outbox.ts';
import { readWithoutOutline } from '../queries/ingestion/outlines.ts';
import { NO_CURSORS, nextDue, nextTurns } from '../queries/ingestion/turns.ts';
import { newLease } from '../queries/memories/remembering/memory-lease.ts';
import { readSettings } from '../queries/organisation/settings.ts';
import { readStoredPassages } from '../queries/spaces/backfill.ts';
import {
  containersToIndex,
  indexableNumbers,
  readIndexedFrom,
} from '../queries/spaces/indexed-containers.ts';
import { listSpaces } from '../queries/spaces/spaces.ts';
import { chunksWithoutVector, readVectors } from '../queries/spaces/vectors.ts';
import { unfinishedMerges } from '../queries/tags/merges.ts';
import { connectionIngestStore } from './connection-ingest-store.ts';
import { type IngestSideContext, plainSpace } from './context.ts';
import { eraseStore } from './erase-store.ts';
import { hookIngestStore } from './hook-ingest-store.ts';
import { memoryIngestStore } from './memory-ingest-store.ts';

const heldClaim = ({ n, lease }: Claim): HeldClaim => ({ n, lease });

const NO_IDS: ReadonlySet<string> = new Set();

/** Only what the writer needs: a copy of it crosses the threads. Before the last slice that is the chunks alone. */
const committedDocument = ({ claim, ...document }: DocumentToCommit): CommittedDocument => {
  const { container, tagNumbers, chunkSize, revision, given, more } = claim;
  const submissions = claim.submissions.map(({ n, mode }) => ({ n, mode }));
  const held = { ...heldClaim(claim), container, tagNumbers, chunkSize, revision, given, more, submissions };
  const sent = { ...document, claim: held };
  if (document.slice?.last !== false) return sent;
  const added = document.removed.length > 0 ? document.slice.added : NO_IDS;
  return { ...sent, content: null, layout: null, slice: { last: false, added } };
};

const NOTHING_FULL: FullShares = { containers: [], keys: [] };
const THREADS_FOUND_AT_ONCE = 500;
const RELEASED_AT_ONCE = 500;

type Holding = Pick<ClaimStore, 'hold' | 'holdWaiting' | 'releaseHeld' | 'releaseRefused'>;

const holdingStore = ({ db, call, now }: IngestSideContext): Holding => {
  let cursors = NO_CURSORS;
  return {
    hold: (claims, reason, dueAt) => call('hold', claims.map(heldClaim), reason, dueAt),
    async holdWaiting(share, reason, dueAt) {
      const chosen = await nextTurns(db, cursors, share, now());
      cursors = chosen.cursors;
      if (chosen.ns.length > 0) await call('holdWaiting', chosen.ns, reason, dueAt);
      return chosen.ns.length;
    },
    releaseHeld: (limit) => call('releaseHeld', 'embedder', limit),
    async releaseRefused() {
      while ((await call('releaseHeld', 'any', RELEASED_AT_ONCE)) === RELEASED_AT_ONCE);
    },
  };
};

const claimStore = (context: IngestSideContext): ClaimStore => {
  const { db, call, now, losses } = context;
  const handover = createHandover(({ lease, work: ns }: HeldLease<readonly number[]>) =>
    call(
      'release',
      ns.map((n) => ({ n, lease })),
    ),
  );
  let cursors = NO_CURSORS;
  let crowded = false;
  return {
    ...holdingStore(context),
    async takeOver(boot, crashed = false) {
      while (await call('findThreads', THREADS_FOUND_AT_ONCE));
      while ((await call('releaseHeld', 'embedder', RELEASED_AT_ONCE)) === RELEASED_AT_ONCE);
      await call('wakeWaiting');
      return call('takeOver', boot, crashed);
    },
    async voidFormerLeases(boot) {
      await losses?.repair(() => call('giveBackLeases', boot));
      return call('takeOver', boot, false);
    },
    async claim(boot, share) {
      await handover.recover();
      const chosen = await nextTurns(db, cursors, share, now());
      cursors = chosen.cursors;
      if (chosen.ns.length === 0) return [];
      const lease = newLease(boot);
      return handover.under({ lease, work: chosen.ns }, async () => {
        const leased = await call('lease', { boot, lease }, chosen.ns);
        crowded = leased.crowded;
        return readClaims(db, lease, chosen.ns);
      });
    },
    crowded: () => crowded,
    nextDue: (heavy = true, full = NOTHING_FULL) => nextDue(db, heavy, full),
    bringForward: (longestMs) => call('bringForward', longestMs),
    report: (news) =>
      call(
        'report',
        news.map((each) => ({ ...each, claim: heldClaim(each.claim) })),
      ),
    fail: (claim, reason) => call('fail', heldClaim(claim), reason),
    retryLater: (claim, reason, dueAt) => call('retryLater', heldClaim(claim), reason, dueAt),
    release: (claims) => call('release', claims.map(heldClaim)),
  };
};

const commitStore = ({ db, call }: IngestSideContext): CommitStore => ({
  commit: (documents, spaces) => call('commit', documents.map(committedDocument), spaces.map(plainSpace)),
  vectorsOf: (space, ns) => readVectors(db, space, ns),
});

const outboxStore = ({ db, call }: IngestSideContext): OutboxStore => ({
  outbox: (space, limit) => readOutbox(db, space, limit),
  acknowledge: (space, seqs) => call('acknowledge', space, seqs),
  enqueueAll: (space, after, limit) => call('enqueueAll', space, after, limit),
  countVectors: (space) => countVectors(db, space),
  countOutbox: (space) => countOutbox(db, space),
});

const indexedContainerStore = ({ db, call }: IngestSideContext): IndexedContainerStore => ({
  indexedFrom: (space) => readIndexedFrom(db, space),
  indexAnew: (space, from) => call('indexAnew', space, from),
  containersToIndex: (space, among) => containersToIndex(db, space, among),
  enqueueContainer: (space, container, limit) =>
    call('enqueueContainer', plainSpace(space), container, limit),
  indexable: (space, ns) => indexableNumbers(db, space, ns),
});

const outlineStore = ({ db, call }: IngestSideContext): OutlineStore => ({
  withoutOutline: (limit) => readWithoutOutline(db, limit),
  storeOutlines: (outlines) => call('storeOutlines', outlines),
});

const VECTORS_ERASED_AT_ONCE = 200;

const backfillStore = ({ db, call }: IngestSideContext): BackfillStore => ({
  missing: (space, after, limit) => chunksWithoutVector(db, space, after, limit),
  storedPassages: (ns) => readStoredPassages(db, ns),
  fillVectors: (space, vectors) => call('fillVectors', plainSpace(space), vectors),
  spaces: () => listSpaces(db),
  switchTo: (space) => call('switchTo', space),
  async forgetSpace(space, signal) {
    let more = true;
    while (more && signal?.aborted !== true) more = await call('forgetSpace', space, VECTORS_ERASED_AT_ONCE);
  },
});

/** The store as the ingest thread reads and writes it. */
export interface IngestSide {
  ingest: IngestStore;
  memories: MemoryIngestStore;
  merges: MergeIngestStore;
  settings: Pick<SettingsStore, 'read'>;
  connections: ConnectionIngestStore;
  hooks: HookIngestStore;
}

export const createIngestSide = (context: IngestSideContext, upkeep: Upkeep): IngestSide => ({
  ingest: {
    ...claimStore(context),
    ...commitStore(context),
    ...outboxStore(context),
    ...indexedContainerStore(context),
    ...backfillStore(context),
    ...outlineStore(context),
    ...eraseStore(context, upkeep),
  },
  memories: memoryIngestStore(context),
  // Looked for without a write, which all others would wait for.
  merges: {
    mergeSlice: async (limit) =>
      (await unfinishedMerges(context.db)).length > 0 && context.call('mergeSlice', limit),
  },
  settings: { read: () => readSettings(context.db) },
  connections: connectionIngestStore(context),
  hooks: hookIngestStore(context),
});
