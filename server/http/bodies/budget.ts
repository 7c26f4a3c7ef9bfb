// The memory for request bodies: one budget for all calls, and a part of it for each key.
import { MemoirError, unavailable } from '../../core/errors.ts';
import { createWaitingRoom, type WaitingRoom } from './waiting-room.ts';

const MIB = 1024 * 1024;
/** The largest body fits into the part of one key, even if the budget is small. */
const LEAST_PER_KEY = 64 * MIB;
/** The number of keys that use up the whole budget if each holds as much as it may. */
const GREEDY_KEYS = 4;
/** Most calls take far less than a second. */
const RETRY_AFTER = { 'retry-after': '1', 'x-should-retry': 'true' };

/** The memory that the body of one call holds. */
export interface BodyShare {
  /**
   * Keeps room for a body of an announced length. Where there is none it waits a moment, then throws 429 if the key holds too
   * much, and 503 if all keys together do. `client`: aborted when it has left.
   */
  reserve(bytes: number, client: AbortSignal): Promise<void>;
  /** Counts bytes that arrived, those beyond the reserved ones as more. Throws 429 or 503 without a wait. */
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

/** The bytes that are held, by all calls and by those of each key. */
const createLedger = (totalBytes: number) => {
  const perKey = Math.max(LEAST_PER_KEY, Math.floor(totalBytes / GREEDY_KEYS));
  const heldBy = new Map<string, number>();
  let total = 0;
  return {
    held: () => total,
    /** Null: so many more bytes fit. */
    refusalOf(keyId: string, bytes: number): MemoirError | null {
      if ((heldBy.get(keyId) ?? 0) + bytes > perKey) return keyHoldsTooMuch(perKey);
      return total + bytes > totalBytes ? allHoldTooMuch() : null;
    },
    add(keyId: string, bytes: number) {
      const held = (heldBy.get(keyId) ?? 0) + bytes;
      total += bytes;
      if (held > 0) heldBy.set(keyId, held);
      else heldBy.delete(keyId);
    },
  };
};

type Ledger = ReturnType<typeof createLedger>;

const openShare = (ledger: Ledger, room: WaitingRoom, keyId: string): BodyShare => {
  let held = 0;
  let arrived = 0;
  let isOpen = true;
  const add = (bytes: number) => {
    held += bytes;
    ledger.add(keyId, bytes);
    if (bytes < 0) room.letIn();
  };
  /** Null: the call holds so many bytes now. */
  const holdAtLeast = (bytes: number): MemoirError | null => {
    const more = bytes - held;
    const refusal = more > 0 ? ledger.refusalOf(keyId, more) : null;
    if (more > 0 && refusal === null) add(more);
    return refusal;
  };
  return {
    async reserve(bytes, client) {
      let refusal = holdAtLeast(bytes);
      if (refusal === null) return;
      const enter = () => {
        refusal = holdAtLeast(bytes);
        return refusal === null;
      };
      if (!(await room.wait(keyId, enter, client)) && refusal !== null) throw refusal;
    },
    take(bytes) {
      if (!isOpen) return;
      const refusal = holdAtLeast(arrived + bytes);
      if (refusal !== null) throw refusal;
      arrived += bytes;
    },
    giveBack(bytes) {
      if (!isOpen) return;
      arrived = Math.max(0, arrived - bytes);
      add(-Math.min(bytes, held));
    },
    close() {
      if (isOpen) add(-held);
      isOpen = false;
    },
  };
};

export const createBodyBudget = (totalBytes: number, room = createWaitingRoom()): BodyBudget => {
  const ledger = createLedger(totalBytes);
  return { held: ledger.held, open: (keyId) => openShare(ledger, room, keyId) };
};
