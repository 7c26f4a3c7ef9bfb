// The context of a run of a connection: its source, its lease and its way to the store.
import type { BlobStore } from '../../../adapters/blobs/port.ts';
import type { OpenSource, SourceKind } from '../../../adapters/connect/port.ts';
import type {
  ConnectionIngestStore,
  LeasedRun,
  LedgerRules,
  RunCounts,
} from '../../../adapters/store/ports/connections/connections.ts';
import type { Logger } from '../../../core/log.ts';
import type { WorkWatch } from '../../../lib/async/work-watch.ts';
import { messageOf } from '../../../lib/failures.ts';
import type { LeaveOutRules } from './leave-out.ts';

export interface OpenedConnection {
  readonly kind: SourceKind;
  readonly source: OpenSource;
  /** The counts of requests since the last call. */
  counted(): RunCounts;
  /** Ends the access that a sign-in gave, where the source can. */
  revoke(signal: AbortSignal): Promise<void>;
}

/** A failure of a source, as the engine decides about it. */
export interface SourceFailure {
  readonly code: string;
  /** As a sync tells it. */
  readonly message: string;
  /** As the caller gets it who had the source asked. */
  readonly forCaller: string;
  readonly retryAfterMs: number | null;
}

/** For an error that no source caused. */
export const internalFailure = (error: unknown): SourceFailure => {
  const message = messageOf(error);
  return { code: 'internal', message, forCaller: message, retryAfterMs: null };
};

/** Webhooks of connections that are due, and what is ended for removed ones. */
export interface HookDuty {
  /** The next piece of work, under its lease; null: nothing is due. */
  next(stopping: AbortSignal): Promise<(() => Promise<void>) | null>;
}

export interface SyncDeps {
  readonly store: ConnectionIngestStore;
  readonly blobs: Pick<BlobStore, 'receive' | 'keep' | 'erase'>;
  /** Rejects with a failure where the source cannot be opened, as after the key for secrets was lost. */
  readonly open: (run: LeasedRun) => Promise<OpenedConnection>;
  readonly hookDuty: HookDuty;
  /** Null: it is no failure of a source. */
  readonly failureOf: (error: unknown) => SourceFailure | null;
  /** A failure of this program's own, for the same way. */
  readonly failWith: (code: 'provider_unavailable' | 'too_large', message: string) => Error;
  readonly rules: () => Promise<LeaveOutRules | null>;
  readonly newId: () => string;
  readonly now: () => number;
  readonly random: () => number;
  readonly pause: (ms: number, signal?: AbortSignal) => Promise<void>;
  /** Minutes between two looks; null: as the source says; 0: never by itself. */
  readonly lookMinutes: number | null;
  readonly log: Logger;
  readonly watch: WorkWatch;
  /** Documents wait for the pipeline. */
  readonly submitted: () => void;
  /** Documents were removed. */
  readonly removed: () => void;
}

export interface RunContext {
  readonly deps: SyncDeps;
  readonly run: LeasedRun;
  readonly opened: OpenedConnection;
  readonly rules: LedgerRules;
  readonly signal: AbortSignal;
}

export const LEASE_MS = 2 * 60_000;

/** Another run has taken the connection, or it was paused or removed. */
export class LeaseLostError extends Error {
  constructor() {
    super('The run of the connection was taken over or ended.');
    this.name = 'LeaseLostError';
  }
}

export const requireLease = <T>(answer: T | false): T => {
  if (answer === false) throw new LeaseLostError();
  return answer;
};

/** Null: it never looks by itself. */
export const lookEvery = (
  { lookMinutes }: Pick<SyncDeps, 'lookMinutes'>,
  kind: SourceKind,
): number | null => {
  if (lookMinutes === 0) return null;
  return lookMinutes === null ? kind.pace.lookEveryMs : lookMinutes * 60_000;
};

/** Only what was chosen is synced, unless the whole was asked for. */
export const selectsByChoice = (kind: SourceKind, metadata: Readonly<Record<string, unknown>>): boolean =>
  kind.choosing === 'must' && !(kind.whole && metadata.syncScope === 'full');

export const ledgerRulesOf = (
  kind: SourceKind,
  metadata: Readonly<Record<string, unknown>>,
): LedgerRules => ({
  folders: kind.folders,
  selects: kind.folders && selectsByChoice(kind, metadata),
  moves: kind.moves === true,
});
