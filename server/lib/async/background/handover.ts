// Hands over what is leased to the worker that asked. A lease whose answer was lost, whose work could not be read, or whose end
// could not be stored belongs to a process that lives, so that nobody else would take the work before the lease ends, if it ends:
// it is given back before the next one.

/** The caller names the lease: a write that is repeated after a lost answer takes the same work. */
export interface NamedLease {
  readonly lease: string;
  readonly forMs: number;
}

export interface HeldLease<Work> {
  readonly lease: string;
  readonly work: Work;
}

export interface Handover<Work> {
  /** Call before work is chosen: that of lost leases is among it again. */
  recover(): Promise<void>;
  /** `step` takes the work and reads it, or ends it. If it fails, the lease is lost. */
  under<T>(held: HeldLease<Work>, step: () => Promise<T>): Promise<T>;
  /** Takes the work that is due under this lease. `due` reads without a write, which all others would wait for. Null: none is due. */
  claim<T>(
    lease: string,
    due: () => Promise<Work | null>,
    take: (held: HeldLease<Work>) => Promise<T | null>,
  ): Promise<T | null>;
}

export const createHandover = <Work>(
  giveBack: (lost: HeldLease<Work>) => Promise<unknown>,
): Handover<Work> => {
  const lost = new Set<HeldLease<Work>>();
  const recover = async (): Promise<void> => {
    for (const one of lost) {
      await giveBack(one);
      lost.delete(one);
    }
  };
  const under = async <T>(held: HeldLease<Work>, step: () => Promise<T>): Promise<T> => {
    try {
      return await step();
    } catch (error) {
      lost.add(held);
      throw error;
    }
  };
  return {
    ...{ recover, under },
    async claim(lease, due, take) {
      await recover();
      const work = await due();
      return work === null ? null : under({ lease, work }, () => take({ lease, work }));
    },
  };
};
