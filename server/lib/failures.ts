// The message and the code of anything that was thrown, and whether its time was over.

export const isTimeout = (error: unknown): boolean => error instanceof Error && error.name === 'TimeoutError';

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** `ENOENT`, `SQLITE_BUSY` …; undefined where the error carries no code. */
export const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
