// The writes about connections, by name: those of requests, and those of the thread that syncs.
import type { AuditNote } from '../../../core/audit.ts';
import type { Reach } from '../../../core/scope.ts';
import type { NamedLease } from '../../../lib/async/background/handover.ts';
import type { Writer } from '../engine/writer.ts';
import type {
  ConnectionChange,
  HeldRun,
  ItemFailure,
  LedgerRules,
  NewConnection,
  RunCounts,
  RunEnd,
  SeenPage,
  SignedIn,
  SignInEnd,
  SkippedItem,
  SyncTrigger,
  TakenItem,
} from '../ports/connections/connections.ts';
import { settleChoice } from '../queries/connections/choice.ts';
import {
  acceptRemovals,
  changeSettings,
  createConnection,
  includeItems,
  noteSignedIn,
  pauseConnection,
  renewSecrets,
  resumeConnection,
  secretsFor,
  wantLook,
} from '../queries/connections/connections.ts';
import { storeRenewedSecrets } from '../queries/connections/farewells.ts';
import { applyFilter } from '../queries/connections/filter.ts';
import { endWholeLook, noteGone, removeGone } from '../queries/connections/gone.ts';
import { removeSlice, startRemoval, unfinishedRemoval } from '../queries/connections/remove.ts';
import {
  endRun,
  giveBackConnection,
  holdsLease,
  leaseRun,
  renewRun,
  silenceAccount,
} from '../queries/connections/runs.ts';
import { storePage } from '../queries/connections/seen.ts';
import { failItem, noteHere, skipItem, takeItem } from '../queries/connections/take.ts';
import type { Db } from '../tables/tables.ts';
import { type Audited, ifDone } from './audited.ts';

interface Auditing {
  readonly writer: Writer;
  readonly now: () => number;
  readonly audited: Audited;
}

interface Leaving {
  id: string;
  keepDocuments: boolean;
}

/** Null: there is none that the caller may change. */
const removeConnection = async (
  { writer, now, audited }: Auditing,
  reach: Reach,
  { id, keepDocuments }: Leaving,
  note: AuditNote | null | undefined,
): Promise<number | null> => {
  const start = (tx: Db) => startRemoval({ tx, reach, now: now() }, id, keepDocuments);
  const started = await writer.write(audited(note, start, ifDone));
  if (!started) return null;
  let documents = 0;
  for (;;) {
    const slice = await writer.write((tx) => removeSlice(tx, id));
    documents += slice.documents;
    if (!slice.more) return documents;
  }
};

const ifFinished = (end: SignInEnd) => ifDone(end === 'finished');

const includedItems = (items: number) => (items === 0 ? null : { items });

export const createConnectionCommands = (
  { writer, now, audited }: Auditing,
  announced: <T>(work: Promise<T>) => Promise<T>,
) => {
  const write = (note: AuditNote | null | undefined, work: (tx: Db) => Promise<boolean>): Promise<boolean> =>
    announced(writer.write(audited(note, work, ifDone)));
  return {
    createConnection: (reach: Reach, connection: NewConnection, note?: AuditNote | null) =>
      write(note, (tx) => createConnection(tx, reach, connection)),
    pauseConnection: (reach: Reach, id: string, note?: AuditNote | null) =>
      write(note, (tx) => pauseConnection(tx, reach, id, now())),
    resumeConnection: (reach: Reach, id: string, note?: AuditNote | null) =>
      write(note, (tx) => resumeConnection(tx, reach, id, now())),
    acceptRemovals: (reach: Reach, id: string, note?: AuditNote | null) =>
      write(note, (tx) => acceptRemovals(tx, reach, id, now())),
    wantLook: (
      reach: Reach,
      wish: { id: string; trigger: Exclude<SyncTrigger, 'cron'> },
      note?: AuditNote | null,
    ) => write(note, (tx) => wantLook(tx, reach, wish, now())),
    changeConnection: (reach: Reach, id: string, change: ConnectionChange, note?: AuditNote | null) =>
      write(note, (tx) => changeSettings({ tx, reach, now: now() }, id, change)),
    signedIn: (reach: Reach, id: string, signedIn: SignedIn, note?: AuditNote | null) =>
      announced(
        writer.write(
          audited(note, (tx) => noteSignedIn({ tx, reach, now: now() }, id, signedIn), ifFinished),
        ),
      ),
    /** Requests themselves read no secrets. */
    readConnectionSecrets: (reach: Reach, id: string) => writer.write((tx) => secretsFor(tx, reach, id)),
    renewConnectionSecrets: (reach: Reach, id: string, sealed: string) =>
      writer.write((tx) => renewSecrets(tx, reach, id, sealed)),
    includeItems: (reach: Reach, id: string, items: readonly string[], note?: AuditNote | null) =>
      announced(
        writer.write(
          audited(note, (tx) => includeItems({ tx, reach, now: now() }, id, items), includedItems),
        ),
      ),
    removeConnection: (reach: Reach, leaving: Leaving, note?: AuditNote | null) =>
      announced(removeConnection({ writer, now, audited }, reach, leaving, note)),
  };
};

const ledgerWrites = (writer: Writer, now: () => number) => ({
  storePage: (held: HeldRun, page: SeenPage, rules: LedgerRules, forMs: number) =>
    writer.together((tx) => storePage(tx, held, { page, rules, until: now() + forMs }, now()), 'ingest'),
  settleChoice: (held: HeldRun) => writer.together((tx) => settleChoice(tx, held), 'ingest'),
  applyFilter: (held: HeldRun, changes: { leftOut: readonly string[]; back: readonly string[] }) =>
    writer.together((tx) => applyFilter(tx, held, changes), 'ingest'),
  endWholeLook: (held: HeldRun, rules: LedgerRules) =>
    writer.together((tx) => endWholeLook(tx, held, rules), 'ingest'),
  takeItem: (held: HeldRun, taken: TakenItem, rules: LedgerRules) =>
    writer.together((tx) => takeItem(tx, held, { taken, rules }, now()), 'ingest'),
  failItem: (held: HeldRun, id: string, failure: ItemFailure) =>
    writer.together((tx) => failItem(tx, held, id, failure), 'ingest'),
  skipItem: (held: HeldRun, skipped: SkippedItem, rules: LedgerRules) =>
    writer.together((tx) => skipItem({ tx, now: now() }, held, skipped, rules), 'ingest'),
  noteItemsGone: (held: HeldRun, ids: readonly string[], rules: LedgerRules) =>
    writer.together(async (tx) => {
      if (!(await holdsLease(tx, held))) return false;
      await noteGone(tx, held, { ids, rules });
      return true;
    }, 'ingest'),
  noteItemsHere: (held: HeldRun, ids: readonly string[]) =>
    writer.together((tx) => noteHere(tx, held, ids), 'ingest'),
  removeGone: (held: HeldRun, limit: number) =>
    writer.together((tx) => removeGone(tx, held, limit, now()), 'ingest'),
});

export const createSyncCommands = (writer: Writer, now: () => number) => ({
  ...ledgerWrites(writer, now),
  leaseRun: (connection: string, lease: NamedLease) =>
    writer.together((tx) => leaseRun(tx, connection, lease, now()), 'ingest'),
  giveBackConnection: (connection: string, lease: string) =>
    writer.together((tx) => giveBackConnection(tx, connection, lease), 'ingest'),
  renewRun: (held: HeldRun, forMs: number, counts: RunCounts) =>
    writer.together((tx) => renewRun(tx, held, { until: now() + forMs, counts }), 'ingest'),
  endRun: (held: HeldRun, end: RunEnd) => writer.together((tx) => endRun(tx, held, end, now()), 'ingest'),
  storeSecrets: (connection: string, sealed: string) =>
    writer.write((tx) => storeRenewedSecrets(tx, connection, sealed), 'ingest'),
  silenceConnection: (connection: string, until: number) =>
    writer.write(async (tx) => {
      await silenceAccount(tx, connection, until);
    }, 'ingest'),
  finishRemovals: () =>
    writer.write(async (tx) => {
      const id = await unfinishedRemoval(tx);
      if (id !== null) await removeSlice(tx, id);
      return id !== null;
    }, 'ingest'),
});
