// Erases the remains of deleted documents and replaced texts: rows, words in the keyword index, and originals.

export interface FileSpace {
  /** The size of the whole database file. */
  bytes: number;
  /** Free pages inside it, which new content uses again. */
  freeBytes: number;
}

/** The space that a compaction needs on the disk, and the free space. */
export interface Room {
  neededBytes: number;
  availableBytes: number;
}

export interface CompactionStep {
  step: 'erasing' | 'copying' | 'replacing';
  /** Counted in bytes while copying, in pages while replacing. */
  done: number;
  total: number;
}

/** The database as a whole: its size, and what is left of erased rows. */
export interface Upkeep {
  space(): Promise<FileSpace>;
  room(): Promise<Room>;
  /** Rewrites the whole database. Writes wait meanwhile, reads go on. */
  compact(report: (step: CompactionStep) => void, signal: AbortSignal): Promise<void>;
  /** `mark`: that of what was erased before the scrub; null: nothing was. */
  scrub(mark: string | null, signal?: AbortSignal): Promise<void>;
}

/** Never handed to a caller: it sees every tag. */
export interface EraseStore extends Omit<Upkeep, 'scrub'> {
  /** Originals without a document. */
  filesToErase(limit: number): Promise<string[]>;
  /** Records that they were erased. */
  forgetFiles(keys: readonly string[]): Promise<void>;

  /** Erases a slice of the rows of deleted documents; false if there were none. */
  purge(limit: number): Promise<boolean>;
  /** Erases a slice of the submissions that earlier releases kept after they were decided; false: nothing is left. */
  eraseFormerlyKept(): Promise<boolean>;
  /** True if text was erased since the last scrub. */
  needsScrub(): Promise<boolean>;
  /** After erasing: rewrites the keyword index and empties the write-ahead log, so that nothing deleted stays readable. */
  scrub(signal?: AbortSignal): Promise<void>;
}
