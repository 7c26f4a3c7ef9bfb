// The time of last use of each key: noted in memory and written about once a second, because a commit per request is expensive.
import type { KeyStore } from '../../../adapters/store/ports/keys.ts';

const FLUSH_MS = 1_000;

export interface KeyUses {
  note(id: string): void;
  /** The noted time that is not written yet. */
  pending(id: string): number | undefined;
  flush(): Promise<void>;
}

export interface KeyUsesDeps {
  keys: Pick<KeyStore, 'touch'>;
  now: () => number;
  onError(cause: unknown): void;
}

export const createKeyUses = ({ keys, now, onError }: KeyUsesDeps): KeyUses => {
  const noted = new Map<string, number>();
  let timer: NodeJS.Timeout | undefined;

  const giveBack = (uses: readonly { id: string; at: number }[]) => {
    for (const { id, at } of uses) noted.set(id, Math.max(at, noted.get(id) ?? 0));
  };

  async function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    if (noted.size === 0) return;
    const uses = [...noted].map(([id, at]) => ({ id, at }));
    noted.clear();
    try {
      await keys.touch(uses);
    } catch (cause) {
      giveBack(uses);
      throw cause;
    }
  }

  const schedule = () => {
    timer ??= setTimeout(() => flush().catch(onError), FLUSH_MS).unref();
  };

  return {
    note(id) {
      noted.set(id, now());
      schedule();
    },
    pending: (id) => noted.get(id),
    flush,
  };
};
