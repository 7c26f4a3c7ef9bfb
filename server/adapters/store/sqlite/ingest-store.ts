// The writing side: the only writing connection, what requests may ask of it, and what the pipeline does with it.
import { sql } from 'kysely';
import type { Handlers } from '../../../lib/rpc.ts';
import type { FillSpace, IngestStore, StoredPassage } from '../ingest-port.ts';
import type { MemoryIngestStore, Relating } from '../memory-port.ts';
import { claim, fail, release, report, retryLater, takeOver } from '../queries/claim.ts';
import { commitDocuments } from '../queries/commit.ts';
import { filesToErase, forgetFiles } from '../queries/files.ts';
import {
  anyWaits,
  claimToRemember,
  memoryFailed,
  memoryLater,
  remember,
  spent,
} from '../queries/memory-jobs.ts';
import { known } from '../queries/memory-known.ts';
import { mergeSlice } from '../queries/merge-slice.ts';
import { forgetUnscrubbed, isUnscrubbed, mergeWords, purgeSlice } from '../queries/purge.ts';
import { readSettings } from '../queries/settings.ts';
import { chunksWithoutVector, listSpaces, switchSpace } from '../queries/spaces.ts';
import { findThreads } from '../queries/threads.ts';
import { NO_CURSORS, nextDue } from '../queries/turns.ts';
import { enqueue, readVectors, stillWithout, writeVectors } from '../queries/vectors.ts';
import { inList } from '../queries/visible.ts';
import type { SettingsStore } from '../settings-port.ts';
import type { Db } from '../tables.ts';
import type { MergeIngestStore } from '../tag-port.ts';
import { createCommands, forgetSpace } from './commands.ts';
import { type Connection, openConnection } from './connection.ts';
import { kyselyOver } from './dialect.ts';
import { migrate } from './migrate.ts';
import { createWriter, type Writer } from './writer.ts';

const THREADS_FOUND_AT_ONCE = 500;

/** A turn is embedded with the turns around it, so those come along. */
const storedPassages = async (db: Db, ns: readonly number[]): Promise<StoredPassage[]> => {
  const { rows } =
    await sql<StoredPassage>`select n, n as document, 0 as position, 0 as part, 0 as flags, memory as text,
      null as title, null as speaker, document_date as date
    from memories where n in ${inList(ns)} union all select distinct near.n, near.doc as document, near.position, near.part,
      near.flags, near.content as text, near.title, near.speaker, near.date
    from chunks as target inner join chunks as near on near.doc = target.doc
      and near.position between target.position - 3 and target.position + 3
    where target.n in ${inList(ns)} order by 2, 3, 4`.execute(db);
  return rows;
};

const fillVectors = async (
  tx: Db,
  space: FillSpace,
  vectors: readonly { n: number; vector: Float32Array }[],
): Promise<void> => {
  const without = await stillWithout(
    tx,
    space,
    vectors.map(({ n }) => n),
  );
  await writeVectors(
    tx,
    space,
    vectors.filter(({ n }) => without.has(n)),
  );
};

const enqueueAll = async (tx: Db, space: number, after: number, limit: number): Promise<number | null> => {
  const { rows } = await sql<{
    n: number;
  }>`select n from chunks where n > ${after} union all select n from memories where n > ${after}
    order by n limit 0 + ${limit}`.execute(tx);
  await enqueue(
    tx,
    space,
    rows.map((row) => row.n),
    'upsert',
  );
  return rows.length < limit ? null : (rows.at(-1)?.n ?? null);
};

const countVectors = async (db: Db, space: number): Promise<number> => {
  const row = await db.selectFrom('spaces').select('vectors').where('id', '=', space).executeTakeFirst();
  return row?.vectors ?? 0;
};

const countOutbox = async (db: Db, space: number): Promise<number> => {
  const { rows } = await sql<{
    count: number;
  }>`select count(*) as count from vector_outbox where space = ${space}`.execute(db);
  return rows[0]?.count ?? 0;
};

const outboxOf = (
  db: Db,
  writer: Writer,
): Pick<IngestStore, 'outbox' | 'acknowledge' | 'enqueueAll' | 'countVectors' | 'countOutbox'> => ({
  outbox: (space, limit) =>
    db
      .selectFrom('vector_outbox')
      .select(['seq', 'n', 'op'])
      .where('space', '=', space)
      .orderBy('seq')
      .limit(limit)
      .execute(),
  acknowledge: (space, seqs) =>
    writer.write(async (tx) => {
      await tx
        .deleteFrom('vector_outbox')
        .where('space', '=', space)
        .where('seq', 'in', inList(seqs))
        .execute();
    }, 'repeatable'),
  enqueueAll: (space, after, limit) => writer.write((tx) => enqueueAll(tx, space, after, limit), 'ingest'),
  countVectors: (space) => countVectors(db, space),
  countOutbox: (space) => countOutbox(db, space),
});

/** Merged at once; a large index is merged slice by slice, so that nobody waits behind it. */
const PAGES_MERGED_AT_ONCE = 200;

const emptyLog = (connection: Connection): void => {
  const [row] = connection.prepare('pragma wal_checkpoint(truncate)').all([]);
  if (row?.busy !== 0)
    throw new Error('The write-ahead log is being read and was not emptied; it is tried again.');
};

const erasing = (
  db: Db,
  connection: Connection,
  writer: Writer,
): Pick<IngestStore, 'purge' | 'needsScrub' | 'scrub'> => ({
  purge: (limit) => writer.write((tx) => purgeSlice(tx, limit), 'ingest'),
  needsScrub: () => isUnscrubbed(db),
  async scrub(signal) {
    let pages = -PAGES_MERGED_AT_ONCE;
    while (await writer.write((tx) => mergeWords(tx, pages), 'ingest')) {
      if (signal?.aborted) return;
      pages = PAGES_MERGED_AT_ONCE;
    }
    await writer.idle();
    emptyLog(connection);
    await writer.write(forgetUnscrubbed, 'ingest');
  },
});

const memoryIngest = (db: Db, writer: Writer, now: () => number): MemoryIngestStore => ({
  async claimToRemember(limit, dreaming) {
    if (!(await anyWaits(db, dreaming, now()))) return [];
    return writer.write((tx) => claimToRemember(tx, limit, dreaming, now()), 'repeatable');
  },
  known: (job, wanted, nearest) => known(db, job, wanted, nearest, now()),
  remember: (harvest, spaces) => writer.write((tx) => remember(tx, harvest, spaces, now()), 'repeatable'),
  memoryFailed: (job, failure) => writer.write((tx) => memoryFailed(tx, job, failure), 'ingest'),
  memoryLater: (job, dueAt) => writer.write((tx) => memoryLater(tx, job, dueAt), 'ingest'),
  spent: (job, tokens) => writer.write((tx) => spent(tx, job, tokens, now()), 'ingest'),
});

export interface WritingSide {
  commands: Handlers;
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
  /** How memories that are made directly, or come under other tags, stand to those that are there; none: each by itself. */
  relating?: Relating;
  groupCommit?: boolean;
}

export const openWritingSide = (options: WritingOptions): WritingSide => {
  const connection = openConnection(options.file, { cacheMb: 64 });
  migrate(connection);
  const writer = createWriter(connection, kyselyOver(connection), {
    groupCommit: options.groupCommit ?? true,
  });
  // On the writing connection a read would see what is not committed yet, and may never be.
  const reading = openConnection(options.file, { readOnly: true, cacheMb: 16 });
  const db = kyselyOver(reading);
  const { now, changed, relating = null } = options;
  let cursors = NO_CURSORS;

  const ingest: IngestStore = {
    async takeOver(boot) {
      while (await writer.write((tx) => findThreads(tx, THREADS_FOUND_AT_ONCE), 'ingest'));
      return writer.write((tx) => takeOver(tx, boot, now()), 'ingest');
    },
    async claim(boot, share) {
      const taken = await writer.write((tx) => claim(tx, boot, cursors, share, now()), 'repeatable');
      cursors = taken.cursors;
      return taken.claims;
    },
    crowded: writer.crowded,
    nextDue: (heavy = true) => nextDue(db, heavy),
    report: (news) => writer.write((tx) => report(tx, news), 'repeatable'),
    commit: (documents, spaces) =>
      writer.write((tx) => commitDocuments(tx, documents, spaces, now()), 'repeatable'),
    fail: (held, reason) => writer.write((tx) => fail(tx, held, reason, now()), 'ingest'),
    retryLater: (held, reason, dueAt) => writer.write((tx) => retryLater(tx, held, reason, dueAt), 'ingest'),
    release: (claims) => writer.write((tx) => release(tx, claims), 'ingest'),
    vectorsOf: (space, ns) => readVectors(db, space, ns),
    missing: (space, after, limit) => chunksWithoutVector(db, space, after, limit),
    storedPassages: (ns) => storedPassages(db, ns),
    fillVectors: (space, vectors) => writer.write((tx) => fillVectors(tx, space, vectors), 'ingest'),
    spaces: () => listSpaces(db),
    switchTo: (space) => writer.write((tx) => switchSpace(tx, space), 'ingest'),
    forgetSpace: (space, signal) => forgetSpace(writer, space, signal),
    filesToErase: (limit) => filesToErase(db, limit),
    forgetFiles: (keys) => writer.write((tx) => forgetFiles(tx, keys), 'ingest'),
    ...outboxOf(db, writer),
    ...erasing(db, connection, writer),
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
