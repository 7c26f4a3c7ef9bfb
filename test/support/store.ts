// A real SQLite store in a temporary folder, with its writing side in the same thread.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { IngestStore } from '../../server/adapters/store/ingest-port.ts';
import type { MemoryIngestStore } from '../../server/adapters/store/memory-port.ts';
import { openWritingSide } from '../../server/adapters/store/sqlite/ingest-store.ts';
import { openSqliteStore, type SqliteStore } from '../../server/adapters/store/sqlite/store.ts';
import type { MergeIngestStore } from '../../server/adapters/store/tag-port.ts';

export interface TestStore {
  store: SqliteStore;
  ingest: IngestStore;
  /** The remember step's side. */
  remembering: MemoryIngestStore;
  merges: MergeIngestStore;
  file: string;
  close(): Promise<void>;
}

export const openTestStore = (options: { now?: () => number } = {}): TestStore => {
  const folder = mkdtempSync(join(tmpdir(), 'memoir-store-'));
  const file = join(folder, 'memoir.db');
  const now = options.now ?? Date.now;
  const writing = openWritingSide({ file, now, changed: () => undefined });
  const store = openSqliteStore({
    file,
    now,
    call: (method, ...args) => {
      const command = writing.commands[method];
      if (!command) throw new Error(`The store has no command ${method}`);
      return command(...(args as never[])) as Promise<never>;
    },
  });
  return {
    store,
    ingest: writing.ingest,
    remembering: writing.memories,
    merges: writing.merges,
    file,
    async close() {
      await store.close();
      await writing.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
};
