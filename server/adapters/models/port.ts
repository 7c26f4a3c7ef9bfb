// The port of the models on this machine: the list, the installation, and the choice.
import type { ModelPurpose } from '../../lib/models/model-folder.ts';
import type { ModelRow } from '../../lib/models/model-row.ts';

export interface InstalledFiles {
  readonly installedAt: string;
  readonly source: string;
  /** The SHA-256 of each file. */
  readonly files: Readonly<Record<string, string>>;
}

export interface ListedModel {
  readonly row: ModelRow;
  /** Described by the owner of this machine. */
  readonly isOwn: boolean;
  /** Null: it is not installed. */
  readonly installed: InstalledFiles | null;
}

export interface InstallProgress {
  readonly step: 'model' | 'runtime';
  readonly bytes: number;
  readonly total: number | null;
}

export interface ModelLibrary {
  list(): readonly ListedModel[];
  /** `from`: a folder with the files; null: they are downloaded. Throws a `ModelFailure` with a sentence. */
  install(
    row: ModelRow,
    from: string | null,
    progress: (progress: InstallProgress) => void,
    signal: AbortSignal,
  ): Promise<void>;
  remove(name: string): void;
  /** The model that a person chose for a purpose; null: none. */
  inUse(purpose: ModelPurpose): string | null;
  use(purpose: ModelPurpose, name: string | null): void;
  /** Remembers the longest text of a model that a server on this machine runs. */
  keepMostTokens(name: string, mostTokens: number): void;
}
