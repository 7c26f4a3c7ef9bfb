// The writing side: the only writing connection, its commands for requests, and its methods for the pipeline.
import { pause } from '../../../lib/async/wait.ts';
import type { BackfillStore } from '../ports/ingestion/backfill.ts';
import type { ClaimStore } from '../ports/ingestion/claims.ts';
import type { CommitStore } from '../ports/ingestion/commits.ts';
import type { EraseStore } from '../ports/ingestion/erasing.ts';
import type { IngestStore } from '../ports/ingestion/ingest.ts';
import type { OutboxStore } from '../ports/ingestion/outbox.ts';
import type { MemoryIngestStore, Relating } from '../ports/remembering.ts';
import type { SettingsStore } from '../ports/settings.ts';
import type { MergeIngestStore } from '../ports/tags.ts';
import { filesToErase, forgetFiles } from '../queries/documents/originals.ts';
import { findThreads } from '../queries/documents/threads.ts';
import { bringForward } from '../queries/ingestion/bring-forward.ts';
import {
  claimDocuments,
  failDocument,
  releaseClaims,
  reportProgress,
  retryDocumentLater,
  voidFormerLeases,
} from '../queries/ingestion/claim.ts';
import { commitDocuments } from '../queries/ingestion/commit.ts';
import { eraseFormerlyKept } from '../queries/ingestion/decided-submissions.ts';
import {
  acknowledgeOutbox,
  countOutbox,
  countVectors,
  enqueueSlice,
  readOutbox,
} from '../queries/ingestion/outbox.ts';
import { purgeSlice } from '../queries/ingestion/purge.ts';
import { forgetUnscrubbed, isUnscrubbed } from '../queries/ingestion/unscrubbed.ts';
import { findComparableMemories } from '../queries/memories/comparable.ts';
import {
  anyDocumentWaits,
  claimToRemember,
  countJobTokens,
  memoryFailed,
  memoryLater,
  storeHarvest,
} from '../queries/memories/remember.ts';
import { readSettings } from '../queries/organisation/settings.ts';
import { fillMissingVectors, readStoredPassages } from '../queries/spaces/backfill.ts';
import { listSpaces, switchSpace } from '../queries/spaces/spaces.ts';
import { mergeSlice } from '../queries/tags/merge-slice.ts';
import { compactFile, removeCopy } from '../sqlite/compact.ts';
import { openSqliteConnection, type SqliteConnection } from '../sqlite/connection.ts';
import { kyselyOver } from '../sqlite/dialect.ts';
import { migrate } from '../sqlite/migrate.ts';
import { mergeWordSegments } from '../sqlite/scrub.ts';
import { fileSpace, giveBackPages, roomToCompact } from '../sqlite/space.ts';
import { NO_CURSORS, nextDue } from '../sqlite/turns.ts';
import { chunksWithoutVector, readVectors } from '../sqlite/vectors.ts';
import { createWriter, type Writer } from '../sqlite/writer.ts';
import type { Db } from '../tables/tables.ts';
import { createCommands, forgetSpace, type WritingCommands } from './commands.ts';

const THREADS_FOUND_AT_ONCE = 500;

const outboxStore = (db: Db, writer: Writer): OutboxStore => ({
  outbox: (space, limit) => readOutbox(db, space, limit),
  acknowledge: (space, seqs) => writer.write((tx) => acknowledgeOutbox(tx, space, seqs), 'repeatable'),
  enqueueAll: (space, after, limit) => writer.write((tx) => enqueueSlice(tx, space, after, limit), 'ingest'),
  countVectors: (space) => countVectors(db, space),
  countOutbox: (space) => countOutbox(db, space),
});

/** A small index is merged at once, a large one in slices, so that other writes do not wait for it. */
const PAGES_MERGED_AT_ONCE = 200;

/** False: it is being read. */
const emptyLog = (connection: SqliteConnection): boolean =>
  connection.prepare('pragma wal_checkpoint(truncate)').all([])[0]?.busy === 0;

const LOG_LOOK_MS = 250;

/** Until the log is empty, the former content is in the file. */
const emptyLogAfterwards = async (connection: SqliteConnection, signal: AbortSignal): Promise<void> => {
  while (!emptyLog(connection) && !signal.aborted) await pause(LOG_LOOK_MS, signal);
};

interface ErasingDeps {
  file: string;
  db: Db;
  connection: SqliteConnection;
  writer: Writer;
}

const compactStore = ({
  file,
  connection,
  writer,
}: ErasingDeps): Pick<EraseStore, 'space' | 'room' | 'compact'> => ({
  space: () => fileSpace(connection),
  room: () => roomToCompact(file, fileSpace(connection)),
  compact: (report, signal) =>
    writer.pause(async () => {
      const { bytes, freeBytes } = fileSpace(connection);
      await compactFile({ file, total: bytes - freeBytes, report, signal });
      await emptyLogAfterwards(connection, signal);
    }),
});

const eraseStore = ({ file, db, connection, writer }: ErasingDeps): EraseStore => ({
  ...compactStore({ file, db, connection, writer }),
  filesToErase: (limit) => filesToErase(db, limit),
  forgetFiles: (keys) => writer.write((tx) => forgetFiles(tx, keys), 'ingest'),
  purge: (limit) => writer.write((tx) => purgeSlice(tx, limit), 'ingest'),
  eraseFormerlyKept: () => writer.write(eraseFormerlyKept, 'ingest'),
  needsScrub: () => isUnscrubbed(db),
  async scrub(signal) {
    let pages = -PAGES_MERGED_AT_ONCE;
    while (await writer.write((tx) => mergeWordSegments(tx, pages), 'ingest')) {
      if (signal?.aborted) return;
      pages = PAGES_MERGED_AT_ONCE;
    }
    while (await writer.write(async () => giveBackPages(connection), 'ingest')) if (signal?.aborted) return;
    await writer.idle();
    if (!emptyLog(connection))
      throw new Error('A reader uses the write-ahead log, so it was not emptied. The purger tries again.');
    await writer.write(forgetUnscrubbed, 'ingest');
  },
});

const claimStore = (db: Db, writer: Writer, now: () => number): ClaimStore => {
  let cursors = NO_CURSORS;
  return {
    async takeOver(boot) {
      while (await writer.write((tx) => findThreads(tx, THREADS_FOUND_AT_ONCE), 'ingest'));
      return writer.write((tx) => voidFormerLeases(tx, boot, now()), 'ingest');
    },
    async claim(boot, share) {
      const taken = await writer.write(
        (tx) => claimDocuments(tx, boot, { cursors, share }, now()),
        'repeatable',
      );
      cursors = taken.cursors;
      return taken.claims;
    },
    crowded: writer.crowded,
    nextDue: (heavy = true, full = []) => nextDue(db, heavy, full),
    bringForward: (longestMs) => writer.write((tx) => bringForward(tx, longestMs, now()), 'ingest'),
    report: (news) => writer.write((tx) => reportProgress(tx, news), 'repeatable'),
    fail: (held, reason) => writer.write((tx) => failDocument(tx, held, reason, now()), 'ingest'),
    retryLater: (held, reason, dueAt) =>
      writer.write((tx) => retryDocumentLater(tx, held, reason, dueAt), 'ingest'),
    release: (claims) => writer.write((tx) => releaseClaims(tx, claims), 'ingest'),
  };
};

const commitStore = (db: Db, writer: Writer, now: () => number): CommitStore => ({
  commit: (documents, spaces) =>
    writer.write((tx) => commitDocuments(tx, documents, spaces, now()), 'repeatable'),
  vectorsOf: (space, ns) => readVectors(db, space, ns),
});

const backfillStore = (db: Db, writer: Writer): BackfillStore => ({
  missing: (space, after, limit) => chunksWithoutVector(db, space, after, limit),
  storedPassages: (ns) => readStoredPassages(db, ns),
  fillVectors: (space, vectors) => writer.write((tx) => fillMissingVectors(tx, space, vectors), 'ingest'),
  spaces: () => listSpaces(db),
  switchTo: (space) => writer.write((tx) => switchSpace(tx, space), 'ingest'),
  forgetSpace: (space, signal) => forgetSpace(writer, space, signal),
});

const memoryIngest = (db: Db, writer: Writer, now: () => number): MemoryIngestStore => ({
  async claimToRemember(limit, dreaming) {
    if (!(await anyDocumentWaits(db, dreaming, now()))) return [];
    return writer.write((tx) => claimToRemember(tx, limit, dreaming, now()), 'repeatable');
  },
  known: (job, wanted, nearest) => findComparableMemories(db, { ...job, wanted, nearest }, now()),
  remember: (harvest, spaces) => writer.write((tx) => storeHarvest(tx, harvest, spaces, now()), 'repeatable'),
  memoryFailed: (job, failure) => writer.write((tx) => memoryFailed(tx, job, failure), 'ingest'),
  memoryLater: (job, dueAt) => writer.write((tx) => memoryLater(tx, job, dueAt), 'ingest'),
  spent: (job, tokens) => writer.write((tx) => countJobTokens(tx, job, tokens, now()), 'ingest'),
});

export interface WritingSide {
  commands: WritingCommands;
  ingest: IngestStore;
  memories: MemoryIngestStore;
  merges: MergeIngestStore;
  settings: Pick<SettingsStore, 'read'>;
  close(): Promise<void>;
}

export interface WritingOptions {
  file: string;
  now: () => number;
  /** Called after every write of a request: there may be work. */
  changed: () => void;
  /** Finds the relations of memories that are created directly or move to other tags; missing: they get none. */
  relating?: Relating;
  groupCommit?: boolean;
}

export const openWritingSide = (options: WritingOptions): WritingSide => {
  removeCopy(options.file);
  const connection = openSqliteConnection(options.file, { cacheMb: 64 });
  migrate(connection);
  const writer = createWriter(connection, kyselyOver(connection), {
    groupCommit: options.groupCommit ?? true,
  });
  // On the writing connection a read would see uncommitted changes.
  const reading = openSqliteConnection(options.file, { readOnly: true, cacheMb: 16 });
  const db = kyselyOver(reading);
  const { now, changed, relating = null } = options;
  const ingest: IngestStore = {
    ...claimStore(db, writer, now),
    ...commitStore(db, writer, now),
    ...outboxStore(db, writer),
    ...backfillStore(db, writer),
    ...eraseStore({ file: options.file, db, connection, writer }),
  };

  return {
    commands: createCommands(writer, { now, changed, relating }),
    ingest,
    memories: memoryIngest(db, writer, now),
    merges: { mergeSlice: (limit) => writer.write((tx) => mergeSlice(tx, limit, relating, now()), 'ingest') },
    settings: { read: () => readSettings(db) },
    async close() {
      await writer.idle();
      reading.close();
      connection.exec('pragma wal_checkpoint(truncate)');
      connection.close();
    },
  };
};
