// The failures of sources, as the engine of connections decides about them.
import { SourceError } from '../../adapters/connect/source-error.ts';
import type { SourceFailure } from '../../domain/connections/syncing/context.ts';

/** Null: it is no failure of a source. */
export const sourceFailure = (error: unknown): SourceFailure | null =>
  error instanceof SourceError
    ? {
        code: error.code,
        message: error.message,
        forCaller: error.forCaller,
        retryAfterMs: error.retryAfterMs,
      }
    : null;
