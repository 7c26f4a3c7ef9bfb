// The retry policy of documents: the number of attempts and the waits.
import type { RetryPlan } from '../../../lib/async/retry.ts';

export const INGEST_RETRIES: RetryPlan = { attempts: 8, firstWaitMs: 1000, longestWaitMs: 10 * 60_000 };
