// What one call may see and change. The first parameter of every port method that a caller can reach.

/** Minted only by `domain/access` (kept by test/layout.test.ts), so no store call can be written without one. */
export class Scope {
  /** Documents that carry any of these tags may be read; null: all. */
  readonly reads: readonly string[] | null;
  /** A document may be changed or deleted only if all of its tags are among these; null: all. */
  readonly holds: readonly string[] | null;
  readonly #minted = true;

  private constructor(reads: readonly string[] | null, holds: readonly string[] | null) {
    this.reads = reads;
    this.holds = holds;
  }

  static mint(reads: readonly string[] | null, holds: readonly string[] | null): Scope {
    return new Scope(reads, holds);
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

export const reachOf = (scope: Scope): Reach => ({ reads: scope.reads, holds: scope.holds });
