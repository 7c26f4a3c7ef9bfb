// The embedded database: a file in the data folder, written by a thread of this process.
import { openSqliteStore } from '../../adapters/store/request-side/sqlite-store.ts';
import type { Config } from '../../config/config.ts';
import { fileSize } from '../../lib/files/file-size.ts';
import { writerSettings } from '../ingest-settings.ts';
import { searchAside, startQueryWorkers } from '../query-worker/handle.ts';
import { startWriterThread } from '../writer-thread/handle.ts';
import { type OpenedDatabase, watchedCalls } from './database.ts';

export const openEmbeddedDatabase = (
  config: Config,
  options: { groupCommit?: boolean },
  died: (reason: Error) => void,
): OpenedDatabase => {
  const settings = writerSettings(config, options);
  const { file } = settings;
  const writer = startWriterThread(settings, died);
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
