// The sources of connections, as the domain sees them.
import type { SourceKind, SourceValue } from '../../adapters/connect/port.ts';
import type { SignInClient } from '../../adapters/connect/signin-port.ts';
import type { OpenedConnection, SourceFailure } from './syncing/context.ts';

export interface OpenGrant {
  /** Null: it is not stored yet. */
  readonly id: string | null;
  readonly provider: string;
  readonly account: string | null;
  readonly metadata: Readonly<Record<string, SourceValue>>;
  /** Opened. */
  readonly secrets: Readonly<Record<string, string>>;
}

export interface OpenHooks {
  /** The secrets of a sign-in, as they are stored now. */
  load(): Promise<Readonly<Record<string, string>>>;
  store(secrets: Readonly<Record<string, string>>): Promise<void>;
  /** Nothing is asked before then. */
  silenced?(until: number): void;
}

export interface ConnectionSources {
  /** Null: there is no such source. */
  kind(provider: string): Promise<SourceKind | null>;
  /** For a stored connection, `hooks` keep what a renewal of its sign-in brings. */
  open(grant: OpenGrant, hooks?: OpenHooks): Promise<OpenedConnection>;
  seal(connection: string, secrets: Readonly<Record<string, string>>): string;
  unseal(connection: string, sealed: string | null): Readonly<Record<string, string>>;
  /** The sign-in by OAuth. */
  readonly signInClient: SignInClient;
  /** Null: it is no failure of a source. */
  failureOf(error: unknown): SourceFailure | null;
}
