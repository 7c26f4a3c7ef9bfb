// Webhooks of connections in the store: the deliveries that come in, the duty that keeps them, and what is ended at the source
// after a connection was removed.
import type { AuditNote } from '../../../../core/audit.ts';
import type { Scope } from '../../../../core/scope.ts';
import type { ConnectionRecord } from './connections.ts';

/** As the source named it; what ends it. */
export interface StoredWatch {
  id: string;
  endsAt: number | null;
  how?: unknown;
}

export interface FoundHook {
  connection: string;
  provider: string;
  /** Null: it does not end. */
  endsAt: number | null;
}

/** A genuine delivery. */
export interface HeardDelivery {
  tokenHash: string;
  provider: string;
  /** The name that a repeated call has too; null: the source names none. */
  delivery: string | null;
  /** The connection looks soon. */
  wakes: boolean;
}

/** A hook that a person makes at the source. */
export interface HandMadeHook {
  tokenHash: string;
  sealed: string;
  base: string;
}

/** A token gives access to its connection alone, so deliveries need no scope. */
export interface HookStore {
  /** Null: it is unknown, or its connection follows nothing at the moment. */
  find(tokenHash: string): Promise<FoundHook | null>;
  /** Null: the hook is no more. */
  secret(tokenHash: string): Promise<string | null>;
  /** False: it was heard before. */
  heard(delivery: HeardDelivery): Promise<boolean>;
  /** False: another secret was stored meanwhile. */
  replaceSecret(tokenHash: string, sealed: string, replacement: string): Promise<boolean>;
  /** Takes the place of a former one. False: there is no connection that the caller may change. */
  makeByHand(scope: Scope, connection: string, hook: HandMadeHook, note?: AuditNote | null): Promise<boolean>;
  /** Null: there is none, or the caller may not change the connection. */
  byHand(scope: Scope, connection: string): Promise<KeptHook | null>;
}

export interface KeptHook {
  tokenHash: string;
  sealed: string;
  base: string;
  watches: StoredWatch[];
  byHand: boolean;
  heardAt: number | null;
}

/** The lease of a connection without a run. */
export interface HeldHooks {
  connection: string;
  lease: string;
  /** The time at which its hooks came due. */
  dueAt: number;
}

export interface LeasedHooks extends HeldHooks {
  record: ConnectionRecord;
  sealed: string | null;
  hooks: KeptHook[];
  /** Attempts that failed one after the other. */
  failures: number;
}

export interface HooksEnd {
  /** The hooks that the source made for a token; null: none. */
  made: { tokenHash: string; watches: StoredWatch[]; endsAt: number | null } | null;
  /** The tokens of hooks that are no more. */
  ended: readonly string[];
  /** Null: they need nothing. */
  dueAt: number | null;
  failed: boolean;
  problem: string | null;
}

/** A connection that was removed, with what is still to be ended at its source. */
export interface Farewell {
  id: string;
  lease: string;
  provider: string;
  account: string | null;
  metadata: ConnectionRecord['metadata'];
  sealed: string | null;
  watches: StoredWatch[];
  /** False: another connection uses the same access. */
  revokes: boolean;
  attempts: number;
}

export interface HookIngestStore {
  /** A connection whose hooks are to be made, renewed or ended, and which is not being synced. Null: there is none. */
  leaseHooks(forMs: number): Promise<LeasedHooks | null>;
  /** Before the source is told the address, because it may call at once. */
  beginHook(held: HeldHooks, hook: HandMadeHook): Promise<boolean>;
  /** False: another process has taken the connection. */
  endHooks(held: HeldHooks, end: HooksEnd): Promise<boolean>;
  /** Hooks of another address of this server are due. */
  noteHookBase(base: string | null): Promise<void>;
  /** Hooks that have ended, and deliveries of long ago. */
  forgetOldHooks(): Promise<void>;
  leaseFarewell(forMs: number): Promise<Farewell | null>;
  /** Null: there is nothing left to do, and its secret is erased. */
  endFarewell(farewell: Pick<Farewell, 'id' | 'lease'>, dueAt: number | null): Promise<void>;
}
