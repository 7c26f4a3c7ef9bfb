// Whether a call is tried again, and after how long.
import { APIUserAbortError } from './errors.ts';

const FIRST_MS = 500;
const LONGEST_MS = 8000;

export function isWorthRetrying({ status, headers }: Response): boolean {
  const told = headers.get('x-should-retry');
  if (told === 'true' || told === 'false') return told === 'true';
  return status === 408 || status === 409 || status === 429 || status >= 500;
}

/** What the server asks for; undefined: it says nothing that can be read. */
function askedWait(headers: Headers, now: number): number | undefined {
  const ms = Number.parseFloat(headers.get('retry-after-ms') ?? '');
  if (ms >= 0) return ms;
  const after = headers.get('retry-after') ?? '';
  const seconds = Number(after);
  if (after !== '' && seconds >= 0) return seconds * 1000;
  const until = Date.parse(after) - now;
  return Number.isNaN(until) ? undefined : Math.max(0, until);
}

/** Doubles with each attempt; up to a quarter less, so that clients that failed together do not return together. */
const ownWait = (attempt: number): number =>
  Math.min(FIRST_MS * 2 ** (attempt - 1), LONGEST_MS) * (1 - Math.random() / 4);

/** Undefined: longer than anybody should wait, so the call is given up. */
export function waitBefore(attempt: number, headers: Headers | null, longest: number): number | undefined {
  const asked = headers === null ? undefined : askedWait(headers, Date.now());
  if (asked === undefined) return Math.min(Math.round(ownWait(attempt)), longest);
  return asked <= longest ? asked : undefined;
}

export const aborted = (signal: AbortSignal): APIUserAbortError =>
  new APIUserAbortError('The call was aborted.', { cause: signal.reason });

export function sleep(ms: number, signal?: AbortSignal | null): Promise<void> {
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
}
