// The organisation's settings in the store, by name; and the reset that empties everything.
import type { AuditNote } from '../../../core/audit.ts';

/** The counts of what a reset deleted. */
export interface ResetCounts {
  documents: number;
  batches: number;
  memories: number;
  connections: number;
  /** Without the default tag. */
  tags: number;
  /** True if the default tag had settings of its own. */
  clearedDefault: boolean;
}

/** Never handed to an operation. */
export interface SettingsStore {
  /** Values as JSON; a name that was never set is missing. */
  read(): Promise<Record<string, unknown>>;
  /** Null deletes the name; returns all settings afterwards. */
  write(
    changes: Readonly<Record<string, unknown>>,
    note?: AuditNote | null,
  ): Promise<Record<string, unknown>>;
  /** Deletes all documents, memories, tags but the default one, and settings. */
  reset(defaultTag: string, note?: AuditNote | null): Promise<ResetCounts>;
}
