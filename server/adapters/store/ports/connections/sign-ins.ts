// Sign-ins of connections that are under way: each has a state that works once, and only its hash is stored.
import type { AuditNote } from '../../../../core/audit.ts';
import type { ConnectionRecord, SignedIn, SignInEnd } from './connections.ts';

export interface NewSignIn {
  hash: string;
  connection: string;
  /** The verifier of the PKCE challenge. */
  sealed: string;
  redirectUrl: string | null;
  endsAt: number;
}

export interface TakenSignIn {
  outcome: 'open' | 'used' | 'expired';
  connection: ConnectionRecord;
  sealed: string;
  redirectUrl: string | null;
}

/** A state gives access to its connection alone, so no scope is needed. */
export interface SignInStore {
  begin(signIn: NewSignIn): Promise<void>;
  /** One of several calls at once gets `open`. `provider`: another one takes nothing. Null: there is no such sign-in. */
  take(hash: string, provider: string): Promise<TakenSignIn | null>;
  /** If several accounts sign in at the same time, one of them becomes that of the connection. */
  finish(connection: string, signedIn: SignedIn, note?: AuditNote): Promise<SignInEnd>;
}
