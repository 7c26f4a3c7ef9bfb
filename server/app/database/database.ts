// The database of one start: the embedded one, or a PostgreSQL.

import type { OpenedStore } from '../../adapters/store/request-side/store.ts';
import type { PartHealth } from '../../core/health.ts';
import type { Company } from '../../core/processes/company.ts';
import type { RateCounts } from '../../core/processes/rate-counts.ts';
import { noSignals, type Signals } from '../../core/processes/signals.ts';
import type { WriterThread } from '../writer-thread/handle.ts';

export interface OpenedDatabase {
  readonly writer: WriterThread;
  /** The file or the address, for the health. */
  readonly place: string;
  openStore(): OpenedStore;
  /** The health of a database server; null: the database is a file of this process. */
  readonly health: (() => Promise<PartHealth>) | null;
  /** The time that counts: of the machine, or of the database that several machines use. */
  readonly now: () => number;
  /** Null: the database belongs to this process alone. */
  readonly company: Company | null;
  /** The counts of rate limits of all processes; null: this one counts alone. */
  readonly counts: RateCounts | null;
}

export const signalsOf = ({ company }: Pick<OpenedDatabase, 'company'>): Signals =>
  company?.signals ?? noSignals;
