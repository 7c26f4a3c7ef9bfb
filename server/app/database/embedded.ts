// The embedded database: a file in the data folder, written by a thread of this process.
import { openSqliteStore } from '../../adapters/store/request-side/sqlite-store.ts';
import type { Config } from '../../config/config.ts';
import { fileSize } from '../../lib/files/file-size.ts';
import { searchAside, startQueryWorkers } from '../query-worker/handle.ts';
import type { WriterSettings } from '../writer-thread/commands.ts';
import type { WriterThread } from '../writer-thread/handle.ts';
import { type OpenedDatabase, watchedCalls } from './database.ts';

/** The writer thread of this file runs already. */
export const openEmbeddedDatabase = (
  config: Config,
  { file }: WriterSettings,
  writer: WriterThread,
): OpenedDatabase => {
  const queryWorkers = startQueryWorkers(file, config.queryDeadlineMs);
  return {
    writer,
    place: file,
    openStore: (watch) => openSqliteStore({ file, call: watchedCalls(writer.call, watch), queryWorkers }),
    searchElsewhere: searchAside(queryWorkers),
    // With the log of what was written lately.
    bytes: async () => fileSize(file) + fileSize(`${file}-wal`),
    health: null,
    now: Date.now,
    company: null,
    counts: null,
  };
};
