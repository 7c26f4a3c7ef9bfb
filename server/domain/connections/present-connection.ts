// Turns connections, runs and items into answers.
import type {
  ConnectionItemsOutput,
  ConnectionsOutput,
  SyncRunsOutput,
} from '../../../tools/connections/schemas/connections.ts';
import type {
  ConnectionRecord,
  ItemCounts,
  ItemRecord,
  SyncRunRecord,
} from '../../adapters/store/ports/connections/connections.ts';
import { defined } from '../../lib/defined.ts';
import { isoTime } from '../../lib/text/dates/format.ts';

type ConnectionOutput = ConnectionsOutput[number];

/** An item that is being removed is none any more. */
const progressOf = (counts: ItemCounts): NonNullable<ConnectionOutput['progress']> => {
  const { wanted = 0, taken = 0, skipped = 0, failed = 0, excluded = 0 } = counts;
  return {
    found: wanted + taken + skipped + failed + excluded,
    done: taken,
    waiting: wanted,
    skipped: skipped + excluded,
    failed,
  };
};

const lastRunOf = (run: SyncRunRecord | null): ConnectionOutput['lastSyncRun'] =>
  run === null
    ? undefined
    : {
        status: run.status,
        errorCode: run.errorCode,
        error: run.error,
        startedAt: isoTime(run.startedAt),
        ...(run.completedAt === null ? {} : { completedAt: isoTime(run.completedAt) }),
      };

const watchOf = ({ state, watch }: ConnectionRecord): NonNullable<ConnectionOutput['watch']> => {
  const { made, heardAt, endsAt, problem } = watch;
  if (!made || state !== 'active')
    return { state: 'schedule', ...defined({ problem: problem ?? undefined }) };
  return {
    state: heardAt === null ? 'registered' : 'alive',
    ...defined({
      problem: problem ?? undefined,
      lastHeardAt: heardAt === null ? undefined : isoTime(heardAt),
      endsAt: endsAt === null ? undefined : isoTime(endsAt),
    }),
  };
};

export const presentConnection = (record: ConnectionRecord, counts: ItemCounts): ConnectionOutput => ({
  id: record.id,
  provider: record.provider,
  createdAt: isoTime(record.createdAt),
  documentLimit: record.documentLimit,
  metadata: record.metadata,
  containerTags: record.tags,
  status: record.state,
  progress: progressOf(counts),
  ...defined({
    email: record.email ?? undefined,
    account: record.account ?? undefined,
    problem: record.problem ?? undefined,
    expiresAt: record.grantEndsAt === null ? undefined : isoTime(record.grantEndsAt),
    lastSyncRun: lastRunOf(record.lastRun),
    chosen: record.choice === null ? undefined : record.choice.map((one) => ({ ...one })),
    nextSyncAt: record.nextLookAt === null ? undefined : isoTime(record.nextLookAt),
    held: record.held === 0 ? undefined : { removals: record.held },
  }),
  watch: watchOf(record),
});

export const presentRuns = (runs: readonly SyncRunRecord[]): SyncRunsOutput =>
  runs.map((run) => ({
    id: run.id,
    connectionId: run.connectionId,
    status: run.status,
    triggerType: run.trigger,
    startedAt: isoTime(run.startedAt),
    completedAt: run.completedAt === null ? null : isoTime(run.completedAt),
    itemsProcessed: run.processed,
    itemsFailed: run.failed,
    error: run.error,
    errorCode: run.errorCode,
    itemsFound: run.looked,
    itemsAdded: run.added,
    itemsUpdated: run.updated,
    itemsUnchanged: run.unchanged,
    itemsRemoved: run.removed,
    itemsSkipped: run.skipped,
    itemsBeyondLimit: run.beyondLimit,
    requests: run.requests,
    bytes: run.bytes,
    waitedMs: run.waitedMs,
  }));

export const presentItems = (items: readonly ItemRecord[]): ConnectionItemsOutput =>
  items.map(({ id, state, doc, title, path, error, errorCode }) => ({
    ...{ id, state, title, path, error, errorCode },
    documentId: doc,
  }));
