// The memory for request bodies: one budget for all calls, and a part of it for each key.
import { MemoirError, unavailable } from '../../core/errors.ts';

const MIB = 1024 * 1024;
/** The largest body fits into the part of one key, even if the budget is small. */
const LEAST_PER_KEY = 64 * MIB;
/** So many keys that hold as much as they may use up the whole budget. */
const GREEDY_KEYS = 4;
/** Most calls take far less than a second. */
const RETRY_AFTER = { 'retry-after': '1', 'x-should-retry': 'true' };

/** The memory that the body of one call holds. */
export interface BodyShare {
  /** Refuses a body of an announced length that would not fit now. */
  check(bytes: number): void;
  /** Counts bytes that arrived. Throws 429 if the key holds too much, and 503 if all keys together do. */
  take(bytes: number): void;
  /** For bytes that left the memory before the end of the call. */
  giveBack(bytes: number): void;
  /** Gives everything back; nothing is counted afterwards. */
  close(): void;
}

export interface BodyBudget {
  open(keyId: string): BodyShare;
  /** The bytes that all calls hold now. */
  held(): number;
}

const keyHoldsTooMuch = (mostBytes: number): MemoirError =>
  new MemoirError(
    429,
    `The request bodies of this key that are in work hold ${Math.floor(mostBytes / MIB)} MiB of memory, the most that one key may use. Wait for their answers, then send this request again.`,
    { headers: RETRY_AFTER },
  );

const allHoldTooMuch = (): MemoirError =>
  unavailable(
    'The server has no memory left for request bodies. Send this request again in a moment, or in smaller parts. The owner can raise MEMOIR_BODY_MEMORY_MIB.',
    { headers: RETRY_AFTER },
  );

export const createBodyBudget = (totalBytes: number): BodyBudget => {
  const perKey = Math.max(LEAST_PER_KEY, Math.floor(totalBytes / GREEDY_KEYS));
  const heldBy = new Map<string, number>();
  let total = 0;

  const add = (keyId: string, bytes: number) => {
    const held = (heldBy.get(keyId) ?? 0) + bytes;
    total += bytes;
    if (held > 0) heldBy.set(keyId, held);
    else heldBy.delete(keyId);
  };

  return {
    held: () => total,
    open(keyId) {
      let mine = 0;
      let isOpen = true;
      const change = (bytes: number) => {
        mine += bytes;
        add(keyId, bytes);
      };
      const check = (bytes: number) => {
        if ((heldBy.get(keyId) ?? 0) + bytes > perKey) throw keyHoldsTooMuch(perKey);
        if (total + bytes > totalBytes) throw allHoldTooMuch();
      };
      return {
        check,
        take(bytes) {
          if (!isOpen) return;
          check(bytes);
          change(bytes);
        },
        giveBack(bytes) {
          if (isOpen) change(-Math.min(bytes, mine));
        },
        close() {
          if (isOpen) change(-mine);
          isOpen = false;
        },
      };
    },
  };
};
