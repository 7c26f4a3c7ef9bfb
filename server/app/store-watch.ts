// Watches the disk and the database file: which fault calls and writes met last, for the health.
import { statfsSync } from 'node:fs';
import type { BlobStore } from '../adapters/blobs/port.ts';
import { type StorageFault, storageFault } from '../lib/faults/storage-fault.ts';

/** The outcome of the last write. */
export interface WriteOutcome {
  /** Null: the last write was stored. */
  fault: StorageFault | null;
  /** The time of the last write that was stored. */
  storedAt: number;
}

export interface StoreWatch {
  note(error: unknown): void;
  /** A full disk is over with the next write that is stored once there is room; a damaged database stays damaged. */
  fault(written: WriteOutcome): StorageFault | null;
}

/** Small writes may find room where others do not. */
const ROOM_BYTES = 1024 * 1024;

const hasRoom = (dir: string): boolean => {
  const { bavail, bsize } = statfsSync(dir);
  return bavail * bsize >= ROOM_BYTES;
};

export const createStoreWatch = (dir: string, now: () => number): StoreWatch => {
  let isDamaged = false;
  let metAt = Number.NEGATIVE_INFINITY;
  let met: StorageFault | null = null;
  return {
    note(error) {
      const fault = storageFault(error);
      if (fault === null) return;
      isDamaged ||= fault === 'damaged';
      met = fault;
      metAt = now();
    },
    fault({ fault, storedAt }) {
      if (isDamaged || fault === 'damaged') return 'damaged';
      if (fault !== null) return fault;
      if (storedAt > metAt && hasRoom(dir)) met = null;
      return met;
    },
  };
};

/** Uploads are written outside of the database. */
export const watchedBlobs = (blobs: BlobStore, watch: StoreWatch): BlobStore => ({
  ...blobs,
  async receive(source) {
    try {
      return await blobs.receive(source);
    } catch (error) {
      watch.note(error);
      throw error;
    }
  },
});

/** For the writer thread: told the outcome of every write. */
export const createWriteWatch = (now: () => number) => {
  let outcome: WriteOutcome = { fault: null, storedAt: Number.NEGATIVE_INFINITY };
  return {
    wrote(error: unknown): void {
      if (error === null)
        outcome = { fault: outcome.fault === 'damaged' ? 'damaged' : null, storedAt: now() };
      else outcome = { ...outcome, fault: storageFault(error) ?? outcome.fault };
    },
    outcome: () => outcome,
  };
};
