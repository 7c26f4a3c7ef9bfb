// Decides about retries of calls and the wait before them.
import { APIUserAbortError } from './errors.ts';

const FIRST_MS = 500;
const LONGEST_MS = 8000;

export const isWorthRetrying = ({ status, headers }: Response): boolean => {
  const shouldRetry = headers.get('x-should-retry');
  if (shouldRetry === 'true' || shouldRetry === 'false') return shouldRetry === 'true';
  return status === 408 || status === 409 || status === 429 || status >= 500;
};

/** The wait that the server requests; undefined if it sends none, or an invalid one. */
const waitOfServer = (headers: Headers, now: number): number | undefined => {
  const ms = Number.parseFloat(headers.get('retry-after-ms') ?? '');
  if (ms >= 0) return ms;
  const after = headers.get('retry-after') ?? '';
  const seconds = Number(after);
  if (after !== '' && seconds >= 0) return seconds * 1000;
  const until = Date.parse(after) - now;
  return Number.isNaN(until) ? undefined : Math.max(0, until);
};

/** Doubles with each attempt, minus a random part of up to a quarter, so that clients do not retry all at once. */
const ownWait = (attempt: number): number =>
  Math.min(FIRST_MS * 2 ** (attempt - 1), LONGEST_MS) * (1 - Math.random() / 4);

/** Returns the wait before a retry; undefined if the server requests a longer wait than allowed. */
export const retryWait = (attempt: number, headers: Headers | null, longest: number): number | undefined => {
  const requested = headers === null ? undefined : waitOfServer(headers, Date.now());
  if (requested === undefined) return Math.min(Math.round(ownWait(attempt)), longest);
  return requested <= longest ? requested : undefined;
};

export const aborted = (signal: AbortSignal): APIUserAbortError =>
  new APIUserAbortError('The call was aborted.', { cause: signal.reason });

export const sleep = (ms: number, signal?: AbortSignal | null): Promise<void> => {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(aborted(signal));
    const stop = () => {
      clearTimeout(timer);
      if (signal) reject(aborted(signal));
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    signal?.addEventListener('abort', stop, { once: true });
  });
};
