// The writes of ingestion, by name: the ingest thread sends them, the writer thread runs them. Each is one short transaction.

import type { Outline } from '../../../lib/text/outline/draw-outline.ts';
import type { Writer } from '../engine/writer.ts';
import type { StoredFailure } from '../ports/documents.ts';
import type { HeldClaim } from '../ports/ingestion/claims.ts';
import type { CommittedDocument } from '../ports/ingestion/commits.ts';
import type {
  HarvestSlice,
  HeldJob,
  JobOutline,
  MemoryJob,
  Relating,
} from '../ports/memories/remembering.ts';
import type { FillSpace } from '../ports/spaces.ts';
import type { TokenCount } from '../ports/usage/usage.ts';
import { forgetFiles } from '../queries/documents/originals.ts';
import { findThreads } from '../queries/documents/threads.ts';
import { bringForward } from '../queries/ingestion/bring-forward.ts';
import {
  failDocument,
  type HeldNews,
  leaseDocuments,
  releaseClaims,
  reportProgress,
  retryDocumentLater,
} from '../queries/ingestion/claim.ts';
import { commitDocuments } from '../queries/ingestion/commit.ts';
import { eraseFormerlyKept } from '../queries/ingestion/decided-submissions.ts';
import { holdClaims, holdWaiting, releaseHeldDocuments, wakeWaiting } from '../queries/ingestion/hold.ts';
import { acknowledgeOutbox, enqueueSlice } from '../queries/ingestion/outbox.ts';
import { storeOutlines } from '../queries/ingestion/outlines.ts';
import { purgeSlice } from '../queries/ingestion/purge.ts';
import { noteUnscrubbed } from '../queries/ingestion/unscrubbed.ts';
import { type FormerLeases, giveBackLeases, voidFormerLeases } from '../queries/ingestion/void-leases.ts';
import { type SettledFacts, settleFacts } from '../queries/memories/remembering/given-facts.ts';
import {
  type FreshLease,
  giveBackReading,
  leaseToRemember,
} from '../queries/memories/remembering/memory-lease.ts';
import { endRedraw, leaseToRedraw, type RedrawEnd } from '../queries/memories/remembering/redraw.ts';
import {
  countJobTokens,
  markRead,
  memoryFailed,
  memoryLater,
  storeHarvestSlice,
} from '../queries/memories/remembering/remember.ts';
import { storeWrittenOutline } from '../queries/memories/remembering/written-outline.ts';

import { fillMissingVectors } from '../queries/spaces/backfill.ts';
import { enqueueContainer, indexAnew } from '../queries/spaces/indexed-containers.ts';
import { forgetSlice, switchSpace } from '../queries/spaces/spaces.ts';
import { mergeSlice } from '../queries/tags/merge-slice.ts';
import { createSyncCommands } from './connection-commands.ts';
import { createHookDutyCommands } from './hook-commands.ts';

export interface IngestWriteDeps {
  writer: Writer;
  now: () => number;
  /** The leases that a boot finds void. */
  former: (boot: string) => FormerLeases;
  /** Finds the relations of memories that move to other tags; null: they get none. */
  relating: Relating | null;
}

/**
 * A write with which the lease ends is repeated if it is lost, because the lease is not. One on which a later write of the same work
 * builds has to stay.
 */
const endsWork = (ends: boolean): 'repeatable' | 'ingest' => (ends ? 'repeatable' : 'ingest');

const claimWrites = ({ writer, now, former }: IngestWriteDeps) => ({
  findThreads: (limit: number) => writer.write((tx) => findThreads(tx, limit), 'ingest'),
  takeOver: (boot: string, crashed: boolean) =>
    writer.together((tx) => voidFormerLeases(tx, { former: former(boot), crashed }, now()), 'ingest'),
  giveBackLeases: (boot: string) => writer.together((tx) => giveBackLeases(tx, boot), 'ingest'),
  /** `crowded`: several requests waited at once a moment ago, so smaller shares let them through sooner. */
  lease: async (fresh: FreshLease, ns: readonly number[]) => {
    await writer.together((tx) => leaseDocuments(tx, fresh, ns), 'repeatable');
    return { crowded: writer.crowded() };
  },
  bringForward: (longestMs: number) => writer.write((tx) => bringForward(tx, longestMs, now()), 'ingest'),
  report: (news: readonly HeldNews[]) => writer.together((tx) => reportProgress(tx, news), 'repeatable'),
  fail: (held: HeldClaim, reason: StoredFailure) =>
    writer.together((tx) => failDocument(tx, held, reason, now()), 'ingest'),
  retryLater: (held: HeldClaim, reason: StoredFailure, dueAt: number) =>
    writer.together((tx) => retryDocumentLater(tx, held, reason, dueAt), 'ingest'),
  hold: (claims: readonly HeldClaim[], reason: StoredFailure, dueAt: number) =>
    writer.together((tx) => holdClaims(tx, claims, reason, dueAt), 'ingest'),
  holdWaiting: (ns: readonly number[], reason: StoredFailure, dueAt: number) =>
    writer.together((tx) => holdWaiting(tx, ns, reason, dueAt), 'ingest'),
  releaseHeld: (faults: 'embedder' | 'any', limit: number) =>
    writer.write((tx) => releaseHeldDocuments(tx, faults, limit, now()), 'ingest'),
  wakeWaiting: () => writer.write((tx) => wakeWaiting(tx, now()), 'ingest'),
  release: (claims: readonly HeldClaim[]) => writer.together((tx) => releaseClaims(tx, claims), 'ingest'),
  commit: (documents: readonly CommittedDocument[], spaces: readonly FillSpace[]) =>
    writer.together(
      (tx) => commitDocuments(tx, documents, spaces, now()),
      endsWork(documents.every(({ slice }) => slice?.last !== false)),
    ),
  storeOutlines: (outlines: readonly { n: number; revision: number; outline: Outline }[]) =>
    writer.together((tx) => storeOutlines(tx, outlines), 'ingest'),
});

const spaceWrites = ({ writer }: IngestWriteDeps) => ({
  acknowledge: (space: number, seqs: readonly number[]) =>
    writer.together((tx) => acknowledgeOutbox(tx, space, seqs), 'repeatable'),
  enqueueAll: (space: number, after: number, limit: number) =>
    writer.together((tx) => enqueueSlice(tx, space, after, limit), 'ingest'),
  indexAnew: (space: number, from: number) => writer.write((tx) => indexAnew(tx, space, from), 'ingest'),
  /** Alone: writes that store vectors of the container meanwhile would not know that the index holds them. */
  enqueueContainer: (space: FillSpace, container: number, limit: number) =>
    writer.write((tx) => enqueueContainer(tx, space, container, limit), 'ingest'),
  fillVectors: (space: FillSpace, vectors: readonly { n: number; vector: Float32Array }[]) =>
    writer.together((tx) => fillMissingVectors(tx, space, vectors), 'ingest'),
  switchTo: (space: number) => writer.write((tx) => switchSpace(tx, space), 'ingest'),
  forgetSpace: (space: number, limit: number) =>
    writer.write((tx) => forgetSlice(tx, space, limit), 'ingest'),
});

const eraseWrites = ({ writer }: IngestWriteDeps) => ({
  forgetFiles: (keys: readonly string[]) => writer.together((tx) => forgetFiles(tx, keys), 'ingest'),
  purge: (limit: number) => writer.together((tx) => purgeSlice(tx, limit), 'ingest'),
  eraseFormerlyKept: () => writer.write(eraseFormerlyKept, 'ingest'),
});

const memoryWrites = ({ writer, now, relating }: IngestWriteDeps) => ({
  leaseToRemember: (fresh: FreshLease, ns: readonly number[]) =>
    writer.together((tx) => leaseToRemember(tx, fresh, ns), 'repeatable'),
  giveBackReading: (lease: string, ns: readonly number[]) =>
    writer.together((tx) => giveBackReading(tx, lease, ns), 'ingest'),
  storeHarvest: (slice: HarvestSlice, spaces: readonly FillSpace[]) =>
    writer.together(
      (tx) => storeHarvestSlice(tx, slice, spaces, now()),
      endsWork(slice.last && slice.read.length > 0),
    ),
  settleFacts: (job: HeldJob, settled: SettledFacts) =>
    writer.together(async (tx) => {
      const erased = await settleFacts(tx, job, settled);
      if (erased) await noteUnscrubbed(tx);
      return erased;
    }, 'ingest'),
  leaseToRedraw: (fresh: FreshLease, ns: readonly number[]) =>
    writer.together((tx) => leaseToRedraw(tx, fresh, ns), 'repeatable'),
  endRedraw: (job: HeldJob, end: RedrawEnd) =>
    writer.together(async (tx) => {
      const dropped = await endRedraw(tx, job, end);
      if (dropped) await noteUnscrubbed(tx);
      return dropped;
    }, 'ingest'),
  markRead: (job: HeldJob, ns: readonly number[], last: boolean) =>
    writer.together((tx) => markRead(tx, job, ns, last), endsWork(last)),
  storeWrittenOutline: (job: HeldJob, outline: JobOutline) =>
    writer.together((tx) => storeWrittenOutline(tx, job, outline), 'ingest'),
  memoryFailed: (job: HeldJob, failure: StoredFailure) =>
    writer.together((tx) => memoryFailed(tx, job, failure), 'ingest'),
  memoryLater: (job: HeldJob, dueAt: number) =>
    writer.together((tx) => memoryLater(tx, job, dueAt), 'ingest'),
  spent: (job: Pick<MemoryJob, 'document' | 'sentBy' | 'tags'>, tokens: TokenCount) =>
    writer.together((tx) => countJobTokens(tx, job, tokens, now()), 'ingest'),
  mergeSlice: (limit: number) => writer.write((tx) => mergeSlice(tx, limit, relating, now()), 'ingest'),
});

export const createIngestCommands = (deps: IngestWriteDeps) => ({
  ...claimWrites(deps),
  ...spaceWrites(deps),
  ...eraseWrites(deps),
  ...memoryWrites(deps),
  ...createSyncCommands(deps.writer, deps.now),
  ...createHookDutyCommands(deps.writer, deps.now),
});

/** The writes that the ingest thread sends. */
export type IngestWrites = ReturnType<typeof createIngestCommands>;
