// Leases documents and hands them to a worker. A lease whose answer was lost, or whose documents could not be read, belongs to a
// process that lives, so that nobody else would ever take them: it is given back before the next one.
import { newLease } from '../queries/memories/remembering/memory-lease.ts';

export interface LostLease {
  readonly lease: string;
  readonly ns: readonly number[];
}

export interface Handover {
  /** Call before documents are chosen: those of lost leases are among them again. */
  recover(): Promise<void>;
  /** `take` leases the documents and reads them. It may be repeated with the same lease. */
  under<T>(boot: string, ns: readonly number[], take: (lease: string) => Promise<T>): Promise<T>;
}

export const createHandover = (giveBack: (lost: LostLease) => Promise<unknown>): Handover => {
  const lost = new Set<LostLease>();
  return {
    async recover() {
      for (const one of lost) {
        await giveBack(one);
        lost.delete(one);
      }
    },
    async under(boot, ns, take) {
      const lease = newLease(boot);
      try {
        return await take(lease);
      } catch (error) {
        lost.add({ lease, ns });
        throw error;
      }
    },
  };
};
