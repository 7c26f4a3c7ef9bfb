// The database of one start: the embedded one, or a PostgreSQL.
import type { OpenedStore } from '../../adapters/store/request-side/store.ts';
import type { PartHealth } from '../../core/health.ts';
import type { WriterThread } from '../writer-thread/handle.ts';

export interface OpenedDatabase {
  readonly writer: WriterThread;
  /** The file or the address, for the health. */
  readonly place: string;
  openStore(): OpenedStore;
  /** The health of a database server; null: the database is a file of this process. */
  readonly health: (() => Promise<PartHealth>) | null;
}
