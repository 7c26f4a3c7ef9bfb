// Turns a failure of an OpenAI-compatible service into a message for the owner of the document. Secrets are removed.
import { fieldsOf } from '../objects.ts';
import type { ServiceSettings } from './settings.ts';

/** Makes the error that the caller throws, from its code, its message and the advice about retries. */
export type FailureMaker = (
  code: string,
  message: string,
  options: { retryable?: boolean; retryAfterMs?: number; explanation?: string; cause?: unknown },
) => Error;

/** The service as messages describe it. */
export interface RemoteService {
  /** The name in messages, as in "embedding service". */
  readonly title: string;
  /** The first part of its error codes, as in "embedding". */
  readonly code: string;
  /** The setting that names the model. */
  readonly modelSetting: string;
  readonly settings: ServiceSettings;
  /** The advice for a refused request. */
  readonly refusedHint: string;
  /** The sentence after the advice, for a failure that a retry within seconds cannot mend. */
  readonly afterwards: string;
  readonly host: string;
  readonly model: string;
  /** No message or log may contain these. */
  readonly secrets: readonly string[];
  readonly failure: FailureMaker;
}

const LONGEST_QUOTE = 200;
/** A retry within minutes cannot help an account without quota. */
const QUOTA_RETRY_MS = 3_600_000;

const ABOUT_LENGTH =
  /context.?(?:length|window|size)|too many tokens|maximum (?:context|tokens)|too long|exceeds? the|n_ctx|prompt is too/i;
/** Some servers call it a failure of their own. */
const OWN_FAILURE = /too large to process|context.?(?:length|size)/i;

/** True: the service takes no text of this length. */
export const refusesLength = (error: unknown): boolean => {
  const { status, code, message } = fieldsOf(error);
  if (code === 'context_length_exceeded' || status === 413) return true;
  if (status === 500) return OWN_FAILURE.test(String(message));
  return (status === 400 || status === 422) && ABOUT_LENGTH.test(String(message));
};

const scrubSecrets = (text: string, secrets: readonly string[]): string => {
  const known = secrets.reduce((scrubbed, secret) => scrubbed.replaceAll(secret, '***'), text);
  return known.replace(/\bsk-[\w*-]{6,}/g, '***');
};

/** A copy that may be logged: the client's error holds the whole response body, which may repeat the key. */
const safeCause = (error: unknown, secrets: readonly string[]): Error => {
  const original = error instanceof Error ? error : new Error(String(error));
  const cause = new Error(
    scrubSecrets(original.message, secrets),
    original.cause ? { cause: safeCause(original.cause, secrets) } : {},
  );
  cause.name = original.name;
  cause.stack = scrubSecrets(original.stack ?? '', secrets);
  return cause;
};

/** The service's own message, cut to a readable length; "" when it sent none. */
const quotedMessage = (error: unknown, secrets: readonly string[]): string => {
  const { status, message } = fieldsOf(error);
  if (typeof status !== 'number' || typeof message !== 'string') return '';
  const plain = scrubSecrets(message.replace(/^\d{3} /, ''), secrets)
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, LONGEST_QUOTE)
    .toWellFormed();
  return plain === '' || plain === 'status code (no body)' ? '' : ` It said: "${plain}".`;
};

/** The first system error code in the chain of causes, as in "ECONNREFUSED". */
const networkCode = (error: unknown, depth = 0): string | undefined => {
  const { code, cause } = fieldsOf(error);
  if (typeof code === 'string') return code;
  return cause === undefined || depth > 4 ? undefined : networkCode(cause, depth + 1);
};

export const retryAfterMs = (headers: unknown, now = Date.now()): number | undefined => {
  if (!(headers instanceof Headers)) return undefined;
  const exact = Number.parseFloat(headers.get('retry-after-ms') ?? '');
  if (exact >= 0) return exact;
  const value = headers.get('retry-after') ?? '';
  const ms = /^\s*\d/.test(value) ? Number.parseFloat(value) * 1000 : Date.parse(value) - now;
  return Number.isNaN(ms) ? undefined : Math.max(0, ms);
};

const unavailableError = (service: RemoteService, error: unknown, what: string, afterMs?: number): Error => {
  const explanation = `The ${service.title} at ${service.host} ${what}.${quotedMessage(error, service.secrets)}`;
  return service.failure(`${service.code}_unavailable`, `${explanation} The step will be retried.`, {
    retryable: true,
    explanation,
    ...(afterMs === undefined ? {} : { retryAfterMs: afterMs }),
    cause: safeCause(error, service.secrets),
  });
};

interface Refusal {
  readonly code: string;
  /** The predicate of the message: "refused the key (401)". */
  readonly what: string;
  /** The advice at the end of the message. */
  readonly next: string;
}

const refusedError = (service: RemoteService, error: unknown, { code, what, next }: Refusal): Error => {
  const explanation = `The ${service.title} at ${service.host} ${what}.${quotedMessage(error, service.secrets)} ${next}`;
  const message = code === 'refused' ? explanation : `${explanation} ${service.afterwards}`;
  const cause = safeCause(error, service.secrets);
  return service.failure(`${service.code}_${code}`, message, { explanation, cause });
};

const refusalFromStatus = (service: RemoteService, status: number): Refusal => {
  if (status === 401 || status === 403) {
    const next = `Set ${service.settings.key} to a key that may use the model "${service.model}".`;
    return { code: 'auth', what: `refused the key (${status})`, next };
  }
  if (status === 404) {
    const next = `Check ${service.modelSetting} and ${service.settings.address}.`;
    return { code: 'model', what: `does not know the model "${service.model}" (404)`, next };
  }
  return { code: 'refused', what: `refused the request (${status})`, next: service.refusedHint };
};

const errorFromStatus = (service: RemoteService, status: number, error: unknown): Error => {
  const { headers, code } = fieldsOf(error);
  if (status === 429 && code === 'insufficient_quota') {
    return unavailableError(service, error, 'has no quota left for this key (429)', QUOTA_RETRY_MS);
  }
  if (status === 429)
    return unavailableError(service, error, 'is asked too often (429)', retryAfterMs(headers));
  if (status >= 500 || status === 408 || status === 409) {
    return unavailableError(service, error, `failed (${status})`, retryAfterMs(headers));
  }
  return refusedError(service, error, refusalFromStatus(service, status));
};

/** The error of a text that is too long: another attempt would end in the same way, whatever the status says. */
export const lengthError = (service: RemoteService, error: unknown): Error =>
  refusedError(service, error, {
    code: 'length',
    what: 'takes no text of this length',
    next: service.refusedHint,
  });

/** The error of a failed call that its caller did not abort. */
export const serviceError = (service: RemoteService, error: unknown, timedOutAfterMs?: number): Error => {
  if (timedOutAfterMs !== undefined) {
    return unavailableError(
      service,
      new Error('No answer in time.'),
      `did not answer within ${timedOutAfterMs / 1000} s`,
    );
  }
  const { status } = fieldsOf(error);
  if (typeof status === 'number') return errorFromStatus(service, status, error);
  if (error instanceof SyntaxError)
    return invalidAnswerError(service, 'answered with something that is not JSON', error);
  const code = networkCode(error);
  return unavailableError(
    service,
    error,
    `cannot be reached${code ? ` (${code})` : ''}; check ${service.settings.address}`,
  );
};

/** The error of an answer that cannot be used. */
export const invalidAnswerError = (service: RemoteService, what: string, error?: unknown): Error => {
  const next = `Check ${service.modelSetting} and ${service.settings.address}.`;
  const explanation = `The ${service.title} at ${service.host} ${what}. ${next}`;
  return service.failure(`${service.code}_invalid`, `${explanation} ${service.afterwards}`, {
    explanation,
    ...(error === undefined ? {} : { cause: safeCause(error, service.secrets) }),
  });
};
