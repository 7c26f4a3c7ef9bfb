// The time for which each key has held a child process, over the last minutes: who used much of it waits for others.

export interface ReaderTimeOptions {
  readonly windowMs: number;
  /** A key that used more than this within the window is slowed. */
  readonly allowedMs: number;
  /** Any clock that never goes back. */
  readonly now: () => number;
}

export interface ReaderTime {
  /** A job of this key begins; the result ends it. Content without a key is never slowed. */
  begin(key: string | null): () => void;
  isSlowed(key: string | null): boolean;
  slowedKeys(): string[];
}

/** Time is added up in this many parts of the window. */
const PARTS = 10;

interface Account {
  /** By the number of the part. */
  readonly spent: Map<number, number>;
  readonly running: Set<{ readonly since: number }>;
}

export const createReaderTime = ({ windowMs, allowedMs, now }: ReaderTimeOptions): ReaderTime => {
  const accounts = new Map<string, Account>();
  const partMs = windowMs / PARTS;

  const usedMs = ({ spent, running }: Account): number => {
    const at = now();
    const oldest = Math.floor(at / partMs) - PARTS;
    let sum = 0;
    for (const [part, ms] of spent) {
      if (part <= oldest) spent.delete(part);
      else sum += ms;
    }
    for (const { since } of running) sum += at - since;
    return sum;
  };

  const isSlowed = (key: string | null): boolean => {
    const account = key === null ? undefined : accounts.get(key);
    return account !== undefined && usedMs(account) > allowedMs;
  };

  return {
    begin(key) {
      if (key === null) return () => undefined;
      const account = accounts.get(key) ?? { spent: new Map(), running: new Set() };
      accounts.set(key, account);
      const run = { since: now() };
      account.running.add(run);
      return () => {
        if (!account.running.delete(run)) return;
        const part = Math.floor(now() / partMs);
        account.spent.set(part, (account.spent.get(part) ?? 0) + now() - run.since);
      };
    },
    isSlowed,
    slowedKeys() {
      for (const [key, account] of accounts)
        if (usedMs(account) === 0 && account.running.size === 0) accounts.delete(key);
      return [...accounts.keys()].filter(isSlowed);
    },
  };
};
