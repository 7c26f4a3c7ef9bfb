// Leases what a worker does. A lease whose answer was lost, whose work could not be read, or whose end could not be stored belongs
// to a process that lives, so that nobody else would take the work before the lease ends, if it ends: it is given back before the
// next one.
import { newLease } from '../queries/memories/remembering/memory-lease.ts';

export interface LostLease<Work> {
  readonly lease: string;
  readonly work: Work;
}

export interface Handover<Work> {
  /** Call before work is chosen: that of lost leases is among it again. */
  recover(): Promise<void>;
  /** `take` leases the work and reads it. It may be repeated with the same lease. */
  under<T>(boot: string, work: Work, take: (lease: string) => Promise<T>): Promise<T>;
  /** Gives the lease back if its end cannot be stored. */
  ending<T>(held: LostLease<Work>, end: () => Promise<T>): Promise<T>;
}

export const createHandover = <Work>(
  giveBack: (lost: LostLease<Work>) => Promise<unknown>,
): Handover<Work> => {
  const lost = new Set<LostLease<Work>>();
  const ending: Handover<Work>['ending'] = async (held, end) => {
    try {
      return await end();
    } catch (error) {
      lost.add(held);
      throw error;
    }
  };
  return {
    async recover() {
      for (const one of lost) {
        await giveBack(one);
        lost.delete(one);
      }
    },
    async under(boot, work, take) {
      const lease = newLease(boot);
      return ending({ lease, work }, () => take(lease));
    },
    ending,
  };
};
