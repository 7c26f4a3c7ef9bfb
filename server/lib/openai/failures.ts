// What went wrong with an OpenAI-compatible service, as a sentence for the owner of the document. No secret is ever repeated.
import { IngestError } from '../../errors.ts';

/** What a message may name, and what it must not. */
export interface RemoteService {
  /** "embedding service": what it is to the reader of a message. */
  readonly title: string;
  /** The first part of its error codes: "embedding". */
  readonly code: string;
  /** The setting that names the model. */
  readonly modelSetting: string;
  /** What else may be wrong with a request that is refused. */
  readonly refusedHint: string;
  readonly host: string;
  readonly model: string;
  readonly secrets: readonly string[];
}

const LONGEST_QUOTE = 200;
/** When an account has run dry, asking again within minutes helps nobody. */
const QUOTA_RETRY_MS = 3_600_000;

type Field = Readonly<Record<string, unknown>>;
const asFields = (value: unknown): Field =>
  typeof value === 'object' && value !== null ? (value as Field) : {};

function scrub(text: string, secrets: readonly string[]): string {
  const known = secrets.reduce((scrubbed, secret) => scrubbed.replaceAll(secret, '***'), text);
  return known.replace(/\bsk-[\w*-]{6,}/g, '***');
}

/** The error as it may be logged: the client's own carries the answer's whole body, which may repeat the key. */
function safeCause(error: unknown, secrets: readonly string[]): Error {
  const given = error instanceof Error ? error : new Error(String(error));
  const cause = new Error(
    scrub(given.message, secrets),
    given.cause ? { cause: safeCause(given.cause, secrets) } : {},
  );
  cause.name = given.name;
  cause.stack = scrub(given.stack ?? '', secrets);
  return cause;
}

/** What the service itself said, cut to a readable length; "" when it said nothing. */
function quoteOf(error: unknown, secrets: readonly string[]): string {
  const { status, message } = asFields(error);
  if (typeof status !== 'number' || typeof message !== 'string') return '';
  const said = message.replace(/^\d{3} /, '');
  const plain = scrub(said, secrets).replace(/\s+/g, ' ').trim().slice(0, LONGEST_QUOTE).toWellFormed();
  return plain === '' || plain === 'status code (no body)' ? '' : ` It said: "${plain}".`;
}

/** "ECONNREFUSED" from however deep in the chain of causes. */
function networkCode(error: unknown, depth = 0): string | undefined {
  const { code, cause } = asFields(error);
  if (typeof code === 'string') return code;
  return cause === undefined || depth > 4 ? undefined : networkCode(cause, depth + 1);
}

export function retryAfterMs(headers: unknown, now = Date.now()): number | undefined {
  if (!(headers instanceof Headers)) return undefined;
  const exact = Number.parseFloat(headers.get('retry-after-ms') ?? '');
  if (exact >= 0) return exact;
  const given = headers.get('retry-after') ?? '';
  const ms = /^\s*\d/.test(given) ? Number.parseFloat(given) * 1000 : Date.parse(given) - now;
  return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}

function unavailable(service: RemoteService, error: unknown, what: string, afterMs?: number): IngestError {
  const message = `The ${service.title} at ${service.host} ${what}.${quoteOf(error, service.secrets)} The step is tried again later.`;
  return new IngestError(`${service.code}_unavailable`, message, {
    retryable: true,
    ...(afterMs === undefined ? {} : { retryAfterMs: afterMs }),
    cause: safeCause(error, service.secrets),
  });
}

function refused(
  service: RemoteService,
  error: unknown,
  code: string,
  what: string,
  next: string,
): IngestError {
  const message = `The ${service.title} at ${service.host} ${what}.${quoteOf(error, service.secrets)} ${next}`;
  return new IngestError(code, message, { cause: safeCause(error, service.secrets) });
}

function fromStatus(service: RemoteService, status: number, error: unknown): IngestError {
  const { headers, code } = asFields(error);
  if (status === 429 && code === 'insufficient_quota') {
    return unavailable(service, error, 'has no quota left for this key (429)', QUOTA_RETRY_MS);
  }
  if (status === 429) return unavailable(service, error, 'is asked too often (429)', retryAfterMs(headers));
  if (status >= 500 || status === 408 || status === 409) {
    return unavailable(service, error, `failed (${status})`, retryAfterMs(headers));
  }
  if (status === 401 || status === 403) {
    const next = `Set OPENAI_API_KEY to a key that may use the model "${service.model}" and send the document again.`;
    return refused(service, error, `${service.code}_auth`, `refused the key (${status})`, next);
  }
  if (status === 404) {
    const next = `Check ${service.modelSetting} and OPENAI_BASE_URL and send the document again.`;
    return refused(
      service,
      error,
      `${service.code}_model`,
      `does not know the model "${service.model}" (404)`,
      next,
    );
  }
  return refused(
    service,
    error,
    `${service.code}_refused`,
    `refused the request (${status})`,
    service.refusedHint,
  );
}

/** The error of a call that was not aborted by its caller. */
export function serviceError(service: RemoteService, error: unknown, timedOutAfterMs?: number): IngestError {
  if (timedOutAfterMs !== undefined) {
    return unavailable(
      service,
      new Error('No answer in time.'),
      `did not answer within ${timedOutAfterMs / 1000} s`,
    );
  }
  const { status } = asFields(error);
  if (typeof status === 'number') return fromStatus(service, status, error);
  if (error instanceof SyntaxError)
    return unusableAnswer(service, 'answered with something that is not JSON', error);
  const code = networkCode(error);
  return unavailable(service, error, `cannot be reached${code ? ` (${code})` : ''}; check OPENAI_BASE_URL`);
}

/** An answer that arrived and cannot be used. */
export function unusableAnswer(service: RemoteService, what: string, error?: unknown): IngestError {
  const next = `Check ${service.modelSetting} and OPENAI_BASE_URL, then send the document again.`;
  const cause = error === undefined ? {} : { cause: safeCause(error, service.secrets) };
  return new IngestError(
    `${service.code}_invalid`,
    `The ${service.title} at ${service.host} ${what}. ${next}`,
    cause,
  );
}
