// The database of one start: the embedded one, or a PostgreSQL.

import type { OpenedStore } from '../../adapters/store/request-side/store.ts';
import type { PartHealth } from '../../core/health.ts';
import type { Company } from '../../core/processes/company.ts';
import type { RateCounts } from '../../core/processes/rate-counts.ts';
import { noSignals, type Signals } from '../../core/processes/signals.ts';
import type { SearchElsewhere } from '../../domain/search/places.ts';
import { STORE_WRITE, unwatched, type WorkWatch } from '../../lib/async/work-watch.ts';
import type { Call, CommandHandlers } from '../../lib/threads/rpc.ts';
import type { WriterThread } from '../writer-thread/handle.ts';

export interface OpenedDatabase {
  readonly writer: WriterThread;
  /** The file or the address, for the health. */
  readonly place: string;
  openStore(watch: WorkWatch): OpenedStore;
  /** Runs whole searches on other threads; null: another process does their reads. */
  readonly searchElsewhere: SearchElsewhere | null;
  /** The size of the database in bytes. */
  bytes(): Promise<number>;
  /** The health of a database server; null: the database is a file of this process. */
  readonly health: (() => Promise<PartHealth>) | null;
  /** The time that counts: of the machine, or of the database that several machines use. */
  readonly now: () => number;
  /** Null: the database belongs to this process alone. */
  readonly company: Company | null;
  /** The counts of rate limits of all processes; null: this one counts alone. */
  readonly counts: RateCounts | null;
}

/** The writes of requests, each watched from its call to its commit. */
export const watchedCalls = <Commands extends CommandHandlers>(
  call: Call<Commands>,
  watch: WorkWatch,
): Call<Commands> =>
  watch === unwatched
    ? call
    : (command, ...args) =>
        watch(STORE_WRITE, () => call(command, ...args), { facts: { command: String(command) } });

export const signalsOf = ({ company }: Pick<OpenedDatabase, 'company'>): Signals =>
  company?.signals ?? noSignals;
