// The writes about connections, by name: those of requests, and those of the thread that syncs.
import type { Reach } from '../../../core/scope.ts';
import type { Writer } from '../engine/writer.ts';
import type {
  HeldRun,
  ItemFailure,
  NewConnection,
  RunEnd,
  SeenItem,
  SyncTrigger,
  WantedItem,
} from '../ports/connections.ts';
import {
  acceptRemovals,
  createConnection,
  pauseConnection,
  removeConnection,
  resumeConnection,
  wantLook,
} from '../queries/connections/connections.ts';
import { endWholeLook, failItem, forgetItems, noteTaken, storePage } from '../queries/connections/ledger.ts';
import { endRun, leaseRun } from '../queries/connections/runs.ts';

export const createConnectionCommands = (writer: Writer, now: () => number) => ({
  createConnection: (reach: Reach, connection: NewConnection) =>
    writer.write((tx) => createConnection(tx, reach, connection)),
  pauseConnection: (reach: Reach, id: string) => writer.write((tx) => pauseConnection(tx, reach, id)),
  resumeConnection: (reach: Reach, id: string) =>
    writer.write((tx) => resumeConnection(tx, reach, id, now())),
  acceptRemovals: (reach: Reach, id: string) => writer.write((tx) => acceptRemovals(tx, reach, id, now())),
  wantLook: (reach: Reach, wish: { id: string; trigger: Exclude<SyncTrigger, 'cron'> }) =>
    writer.write((tx) => wantLook(tx, reach, wish, now())),
  removeConnection: (reach: Reach, id: string) => writer.write((tx) => removeConnection(tx, reach, id)),
});

export const createSyncCommands = (writer: Writer, now: () => number) => ({
  leaseRun: (forMs: number) => writer.write((tx) => leaseRun(tx, forMs, now()), 'ingest'),
  storePage: (held: HeldRun, page: { items: readonly SeenItem[]; cursor: unknown }, forMs: number) =>
    writer.write((tx) => storePage(tx, held, { ...page, until: now() + forMs }, now()), 'ingest'),
  endWholeLook: (held: HeldRun) => writer.write((tx) => endWholeLook(tx, held), 'ingest'),
  itemTaken: (held: HeldRun, item: Pick<WantedItem, 'id' | 'mark' | 'face'>, doc: string) =>
    writer.write((tx) => noteTaken(tx, held, item, doc), 'ingest'),
  failItem: (held: HeldRun, id: string, failure: ItemFailure) =>
    writer.write((tx) => failItem(tx, held, id, failure), 'ingest'),
  forgetItems: (held: HeldRun, ids: readonly string[]) =>
    writer.write((tx) => forgetItems(tx, held, ids), 'ingest'),
  endRun: (held: HeldRun, end: RunEnd) => writer.write((tx) => endRun(tx, held, end, now()), 'ingest'),
});
