// The scope of one call: what it may see and change. It is the first parameter of every port method that a caller can reach.

/** The call behind a scope: whose turn its reads take, and the end of its client's patience. */
export interface ScopeCall {
  /** The key or grant. */
  readonly principal: string;
  /** Aborted when the client has left. */
  readonly signal: AbortSignal;
}

/** Only `domain/access` mints a scope (test/layout.test.ts checks this), so every store call has been authorised. */
export class Scope {
  /** Documents that carry any of these tags may be read; null: all. */
  readonly reads: readonly string[] | null;
  /** A document may be changed or deleted only if all of its tags are among these; null: all. */
  readonly holds: readonly string[] | null;
  /** Null: the server reads for itself. */
  readonly call: ScopeCall | null;
  readonly #minted = true;

  private constructor(
    reads: readonly string[] | null,
    holds: readonly string[] | null,
    call: ScopeCall | null,
  ) {
    this.reads = reads;
    this.holds = holds;
    this.call = call;
  }

  static mint(
    reads: readonly string[] | null,
    holds: readonly string[] | null,
    call: ScopeCall | null = null,
  ): Scope {
    return new Scope(reads, holds, call);
  }

  static is(value: unknown): value is Scope {
    return value instanceof Scope && value.#minted;
  }
}

/** A scope as plain data, for crossing a thread inside one adapter. */
export interface Reach {
  reads: readonly string[] | null;
  holds: readonly string[] | null;
}

/** The reach of the server itself, for which every tag is open. */
export const WHOLE_REACH: Reach = { reads: null, holds: null };

export const reachOf = (scope: Scope): Reach => ({ reads: scope.reads, holds: scope.holds });
