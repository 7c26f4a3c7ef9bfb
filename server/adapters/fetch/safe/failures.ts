// The failures of fetching: a code, and a sentence for the sender of the address.
import { IngestError } from '../../../core/errors.ts';

export type FetchCode =
  | 'bad_url'
  | 'bad_scheme'
  | 'url_credentials'
  | 'blocked_host'
  | 'blocked_address'
  | 'blocked_port'
  | 'dns_failed'
  | 'dns_empty'
  | 'timeout'
  | 'too_large'
  | 'too_many_redirects'
  | 'bad_redirect'
  | 'bad_encoding'
  | 'fetch_failed'
  | 'not_shared'
  | 'video_unavailable'
  | 'transcript_unavailable'
  | 'rate_limited';

/** Their meanings, for the documentation. The code of an HTTP status is `http_` and the status. */
export const fetchFailures: Readonly<Record<FetchCode, { meaning: string; retryable: boolean }>> = {
  bad_url: { meaning: 'This is not a web address.', retryable: false },
  bad_scheme: { meaning: 'The address is neither http nor https.', retryable: false },
  url_credentials: { meaning: 'The address holds a user name or a password.', retryable: false },
  blocked_host: { meaning: 'The host name belongs to a private network.', retryable: false },
  blocked_address: { meaning: 'The host leads to an address that is not public.', retryable: false },
  blocked_port: { meaning: 'Only the ports 80, 443, 8080 and 8443 are used.', retryable: false },
  dns_failed: { meaning: 'The host name is not known.', retryable: false },
  dns_empty: { meaning: 'The host name has no address.', retryable: false },
  timeout: { meaning: 'The server took too long.', retryable: true },
  too_large: {
    meaning: 'A page has more than 10 MiB, or a file more than 50 MiB, when unpacked.',
    retryable: false,
  },
  too_many_redirects: { meaning: 'The address redirects more than five times.', retryable: false },
  bad_redirect: { meaning: 'The address redirects to something that is not an address.', retryable: false },
  bad_encoding: { meaning: 'The answer cannot be unpacked.', retryable: false },
  fetch_failed: { meaning: 'The connection failed.', retryable: true },
  not_shared: { meaning: 'The spreadsheet is not shared with everybody who has its link.', retryable: false },
  video_unavailable: { meaning: 'The video does not exist any more, or is private.', retryable: false },
  transcript_unavailable: {
    meaning: 'The video has neither a transcript nor a title or description.',
    retryable: false,
  },
  rate_limited: { meaning: 'The video site limits the rate of requests.', retryable: true },
};

interface FetchErrorOptions {
  /** Default: that of the code. */
  retryable?: boolean;
  cause?: unknown;
}

export const fetchError = (code: FetchCode, message: string, options: FetchErrorOptions = {}): IngestError =>
  new IngestError(code, message, { retryable: fetchFailures[code].retryable, ...options });

/** A retry may succeed after these; any other status is permanent. */
const TEMPORARY = new Set([408, 425, 429, 500, 502, 503, 504]);

const ADVICE: Readonly<Record<number, string>> = {
  401: 'The page requires a sign-in. Send its text or upload the file.',
  403: 'Access is restricted. Send its text or upload the file.',
  404: 'There is no page at this address. Check it.',
  410: 'The page was removed. Check the address.',
  429: 'It limits the rate of requests; it is retried later.',
};

const LONGEST_WAIT_MS = 10 * 60_000;

const retryDelayMs = (retryAfter: string | undefined): number | undefined => {
  const seconds = Number(retryAfter);
  return retryAfter === undefined || !Number.isFinite(seconds) || seconds < 0
    ? undefined
    : Math.min(seconds * 1000, LONGEST_WAIT_MS);
};

export const httpError = (host: string, status: number, retryAfter?: string): IngestError => {
  const retryable = TEMPORARY.has(status);
  const advice =
    ADVICE[status] ?? (retryable ? 'It is retried later.' : 'Check the address, or send the text itself.');
  const retryAfterMs = retryDelayMs(retryAfter);
  return new IngestError(`http_${status}`, `The server ${host} answered with status ${status}. ${advice}`, {
    retryable,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  });
};
