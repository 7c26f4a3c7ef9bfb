// A real SQLite store in a temporary folder, with its writing side in the same thread.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openIngestSide } from '../../server/adapters/store/ingest-side/sqlite-ingest-side.ts';
import type { ConnectionIngestStore } from '../../server/adapters/store/ports/connections/connections.ts';
import type { HookIngestStore } from '../../server/adapters/store/ports/connections/hooks.ts';
import type { IngestStore } from '../../server/adapters/store/ports/ingestion/ingest.ts';
import type {
  MemoryIngestStore,
  WriterRelating,
} from '../../server/adapters/store/ports/memories/remembering.ts';
import type { MergeIngestStore } from '../../server/adapters/store/ports/tags.ts';
import { openSqliteStore } from '../../server/adapters/store/request-side/sqlite-store.ts';
import type { OpenedStore } from '../../server/adapters/store/request-side/store.ts';
import { openSqliteConnection } from '../../server/adapters/store/sqlite/connection.ts';
import { migrate } from '../../server/adapters/store/sqlite/migrate.ts';
import { openWritingSide } from '../../server/adapters/store/writing-side/sqlite-writing-side.ts';
import { defined } from '../../server/lib/defined.ts';
import { once } from '../../server/lib/once.ts';
import { directCall } from '../../server/lib/threads/direct-call.ts';
import type { CommandHandlers } from '../../server/lib/threads/rpc.ts';
import { newDataFolder } from './data-folder.ts';

export interface TestStore {
  store: OpenedStore;
  ingest: IngestStore;
  /** The remember step's side. */
  remembering: MemoryIngestStore;
  merges: MergeIngestStore;
  syncing: ConnectionIngestStore;
  hookDuty: HookIngestStore;
  file: string;
  close(): Promise<void>;
}

/** The bytes of a database without rows: making its tables costs more than most tests. */
const withoutRows = once((): Uint8Array => {
  const folder = newDataFolder();
  const connection = openSqliteConnection(join(folder, 'memoir.db'));
  try {
    migrate(connection);
    connection.close();
    return readFileSync(join(folder, 'memoir.db'));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

/** Stands before the writer. */
export type BetweenWrites = <Commands extends CommandHandlers>(handlers: Commands) => Commands;

export interface TestStoreOptions {
  now?: () => number;
  /** The bytes of a database that exists already. */
  database?: Uint8Array;
  relating?: WriterRelating;
  mostListed?: number;
  between?: BetweenWrites;
}

export const openTestStore = (options: TestStoreOptions = {}): TestStore => {
  const folder = newDataFolder();
  const file = join(folder, 'memoir.db');
  writeFileSync(file, options.database ?? withoutRows());
  const now = options.now ?? Date.now;
  const writing = openWritingSide({
    file,
    now,
    changed: () => undefined,
    ...defined({ relating: options.relating }),
  });
  const { between = (handlers) => handlers } = options;
  const ingesting = openIngestSide({ file, now, call: directCall(between(writing.ingest)) });
  const { mostListed } = options;
  const call = directCall(between(writing.commands));
  const store = openSqliteStore({ file, now, call, ...defined({ mostListed }) });
  return {
    store,
    ingest: ingesting.ingest,
    remembering: ingesting.memories,
    merges: ingesting.merges,
    syncing: ingesting.connections,
    hookDuty: ingesting.hooks,
    file,
    async close() {
      await store.close();
      ingesting.close();
      await writing.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
};
