// The organisation's settings in the store, by name; and the reset that empties everything.

/** What a reset took away. */
export interface ResetCounts {
  documents: number;
  batches: number;
  memories: number;
  /** Beside the default one. */
  tags: number;
  /** The default tag said something of itself. */
  clearedDefault: boolean;
}

/** Never handed to an operation. */
export interface SettingsStore {
  /** Values as JSON; a name that was never set is missing. */
  read(): Promise<Record<string, unknown>>;
  /** Null takes the name away; answers with all there are afterwards. */
  write(changes: Readonly<Record<string, unknown>>): Promise<Record<string, unknown>>;
  /** Deletes all documents, memories, tags but the default one, and settings. */
  reset(defaultTag: string): Promise<ResetCounts>;
}
