// The sources of connections, as the domain sees them.
import type { SourceKind, SourceValue } from '../../adapters/connect/port.ts';
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

export interface ConnectionSources {
  /** Null: there is no such source. */
  kind(provider: string): Promise<SourceKind | null>;
  open(grant: OpenGrant): Promise<OpenedConnection>;
  seal(connection: string, secrets: Readonly<Record<string, string>>): string;
  unseal(connection: string, sealed: string | null): Readonly<Record<string, string>>;
  /** Null: it is no failure of a source. */
  failureOf(error: unknown): SourceFailure | null;
}

/** The sign-in of sources by OAuth. */
export interface SignIns {
  /** The address that the owner of the source opens, for a connection that is stored already. */
  begin(connection: {
    id: string;
    provider: string;
    redirectUrl: string | null;
  }): Promise<{ authLink: string }>;
  /** Throws with the settings that are missing, before a connection is stored. */
  require(provider: string): Promise<void>;
}
