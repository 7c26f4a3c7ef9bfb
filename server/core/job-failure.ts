// The failure of a background job: the error that is stored for its owner, and the log entry for the operator.
import { IngestError } from './errors.ts';
import type { Logger } from './log.ts';

export interface JobFailure {
  code: string;
  message: string;
  retryable: boolean;
}

/** The beginning of the codes of an embedder that is at fault. Its documents are tried again. */
export const EMBEDDER_FAULT = 'embedding_';
/** The codes of a text for which an embedder that answers others gives no vector. */
export const TEXT_FAULTS = ['text_refused', 'text_not_embedded'] as const;

const INTERNAL_ERROR: JobFailure = {
  code: 'internal_error',
  message: 'Something failed inside Memoir; the log has the cause. Send the document again to retry.',
  retryable: true,
};

/** An error without a message for the owner is a bug; a retry may succeed all the same. */
export const jobFailure = (error: unknown): JobFailure =>
  error instanceof IngestError
    ? { code: error.code, message: error.message, retryable: error.retryable || error.byProvider }
    : { ...INTERNAL_ERROR };

/** The failure of a provider, which says nothing about the content; null: any other error. */
export const providerFault = (error: unknown): IngestError | null =>
  error instanceof IngestError && error.byProvider ? error : null;

/** The wait that the failed service requested. */
export const askedWait = (error: unknown): number | undefined =>
  error instanceof IngestError ? error.retryAfterMs : undefined;

/** Reports the failed round of a worker; the worker begins another round after the wait. */
export const failedRound =
  (log: Pick<Logger, 'error'>, work: string) =>
  (error: unknown, waitMs: number): void =>
    log.error({ err: error, waitMs }, `${work} failed. The next attempt follows after the wait.`);
