// The way of all sources to the network: token, pace, waiting as told, one refresh after a 401, repetition, counts and log.
import { IngestError } from '../../core/errors.ts';
import type { Logger } from '../../core/log.ts';
import { growingWait } from '../../lib/async/retry.ts';
import { codeOf } from '../../lib/failures.ts';
import type { AccountPace } from './asking/account-pace.ts';
import { waitTold } from './asking/retry-after.ts';
import { type AnswerBody, createSourceAnswer, shortText } from './asking/source-answer.ts';
import type { Ask, AskRequest, SourceAnswer, SourceCredentials, SourceKind } from './port.ts';
import { SourceError } from './source-error.ts';

/** The safe fetch, as far as sources need it. */
export type AskFetch = (
  address: string,
  request: {
    method: NonNullable<AskRequest['method']>;
    headers: Readonly<Record<string, string>>;
    body?: string;
    follows: boolean;
    signal: AbortSignal;
  },
) => Promise<AnswerBody>;

/** The access token of a connection that signed in. Both reject with a SourceError `auth_expired`. */
export interface AccessTokens {
  current(signal: AbortSignal): Promise<string>;
  /** Another token than the one that the source refused. */
  renewed(refused: string, signal: AbortSignal): Promise<string>;
}

export interface AskDeps {
  readonly kind: Pick<SourceKind, 'title' | 'judge' | 'signIn'>;
  readonly fetch: AskFetch;
  readonly credentials: SourceCredentials;
  /** For credentials of the kind `signed-in`. */
  readonly tokens?: AccessTokens;
  readonly pace: AccountPace;
  readonly log: Logger;
  readonly now: () => number;
  readonly pause: (ms: number, signal?: AbortSignal) => Promise<void>;
  /** Counts for people who follow a run. */
  readonly count?: (what: 'requests' | 'bytes' | 'waitedMs', by: number) => void;
}

/** A longer wait ends the run, which goes on afterwards; the lease need not be held so long. */
const LONGEST_WAIT_MS = 60_000;
const FAILURES = { attempts: 4, firstWaitMs: 500, longestWaitMs: 8_000 };
/** A request that was held back for longer in all ends the run. */
const LONGEST_HELD_MS = 2 * 60_000;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);
const TOKEN_LEFT_MS = 60_000;
const never = new AbortController().signal;

const isOk = (status: number): boolean => status >= 200 && status < 300;

/** The token of each request, whichever way the source proves who asks. */
const tokensForAsk = (deps: AskDeps, ask: Ask): AccessTokens | null => {
  const { credentials, now, tokens } = deps;
  if (credentials.kind === 'none') return null;
  if (credentials.kind === 'signed-in') {
    if (tokens === undefined) throw new Error('A source with a sign-in was opened without its tokens.');
    return tokens;
  }
  const refused = () =>
    new SourceError(
      'auth_expired',
      `${deps.kind.title} refused the key of the connection. Reauthorize the connection with a new one.`,
    );
  if (credentials.kind === 'bearer')
    return { current: async () => credentials.token, renewed: () => Promise.reject(refused()) };
  let got: Promise<{ token: string; endsAt: number }> | null = null;
  const get = async (signal: AbortSignal): Promise<string> => {
    got ??= credentials.get(ask, signal).catch((error: unknown) => {
      got = null;
      throw error;
    });
    return (await got).token;
  };
  return {
    async current(signal) {
      if (got !== null && (await got).endsAt - now() < TOKEN_LEFT_MS) got = null;
      return get(signal);
    },
    async renewed(old, signal) {
      if (got !== null && (await got).token === old) got = null;
      return get(signal);
    },
  };
};

interface Attempt {
  readonly address: string;
  readonly request: AskRequest;
  readonly signal: AbortSignal;
}

const AGAIN_LATER = 'It is tried again later.';

const hostOfAddress = (address: string): string => URL.parse(address)?.host ?? 'no host';

/** Its reason for people, in which no token and no query of an address occurs. */
const unreachableSource = (title: string, address: string, error: unknown): SourceError => {
  if (error instanceof IngestError && /^blocked_/.test(error.code)) {
    const host = hostOfAddress(address);
    const message = `${host} lies in a private network, or at an unusual port. Only hosts that MEMOIR_PRIVATE_SOURCES names, each with its port, may be read there.`;
    return new SourceError('bad_options', message, { cause: error });
  }
  if (error instanceof IngestError && error.code === 'dns_failed') {
    // A machine without a network says of every host that there is none: nothing may fail for good because of it.
    const message = `${title} cannot be reached: no host ${hostOfAddress(address)} is found. Check its address, and the network and the name server of this machine.`;
    return new SourceError('provider_unavailable', message, { cause: error });
  }
  if (error instanceof IngestError && !error.retryable)
    return new SourceError('refused', error.message, { cause: error });
  const reason = error instanceof IngestError ? error.code : (codeOf(error) ?? 'no answer');
  return new SourceError(
    'provider_unavailable',
    `${title} cannot be reached at ${hostOfAddress(address)} (${reason}).`,
    { cause: error, syncGoesOn: AGAIN_LATER },
  );
};

const throttledSource = ({ kind, now }: AskDeps, waitMs: number, status?: number): SourceError =>
  new SourceError('rate_limited', `${kind.title} asked for fewer requests.`, {
    ...(status === undefined ? {} : { status }),
    retryAfterMs: waitMs,
    syncGoesOn: `It is asked again after ${new Date(now() + waitMs).toISOString()}.`,
  });

/** One request; rejects only where no answer came. */
const sendBounded = async (
  deps: AskDeps,
  { address, request, signal }: Attempt,
  token: string | null,
): Promise<AnswerBody> => {
  const { kind, pace, log, count, now } = deps;
  const { method = 'GET', headers = {}, body, accept = [], template = '', pauseMs = 0 } = request;
  const turn = { signal, pauseMs };
  const silentMs = pace.silentUntil() - now();
  if (silentMs > LONGEST_WAIT_MS) throw throttledSource(deps, silentMs);
  const { result, waitedMs } = await pace.inTurn(turn, async () => {
    const began = now();
    try {
      const answer = await deps.fetch(address, {
        ...{ method, signal, follows: !accept.some((status) => REDIRECTS.has(status)) },
        headers: { ...(token === null ? {} : { authorization: `Bearer ${token}` }), ...headers },
        ...(body === undefined ? {} : { body }),
      });
      log.debug(
        { method, host: hostOfAddress(address), path: template, status: answer.status, ms: now() - began },
        `Asked ${kind.title}.`,
      );
      return answer;
    } catch (error) {
      if (signal.aborted) throw error;
      throw unreachableSource(kind.title, address, error);
    }
  });
  count?.('requests', 1);
  if (waitedMs > 0) count?.('waitedMs', waitedMs);
  return result;
};

type Outcome =
  | { readonly done: SourceAnswer }
  /** Repeat after this time; `error` is thrown where there is no further repetition. */
  | {
      readonly again: 'failed' | 'throttled' | 'token';
      readonly waitMs: number;
      readonly error: SourceError;
    };

const sourceRefusal = (title: string, { status, host }: { status: number; host: string }): SourceError => {
  if (status === 404 || status === 410)
    return new SourceError(
      'not_found',
      `${title} has nothing at the asked place of ${host} (status ${status}). Check the names in the options of the connection, and that its account may see them.`,
      {
        status,
      },
    );
  if (status === 403)
    return new SourceError(
      'forbidden',
      `${title} does not allow this to the account (status 403). Give the account the right to read it, or take it out of the selection.`,
      {
        status,
      },
    );
  if (status === 413)
    return new SourceError(
      'too_large',
      `${title} refused a request as too large (status 413), so this is not read.`,
      { status },
    );
  return new SourceError(
    'refused',
    `${title} refused a request with status ${status}. Check the options of the connection, or try again later.`,
    { status },
  );
};

/** The meaning of a refused answer; its body is read in part, for the source to judge. */
const judgeRefusal = async (deps: AskDeps, { address }: Attempt, answer: AnswerBody): Promise<Outcome> => {
  const { kind, pace, now } = deps;
  const { status, headers } = answer;
  // No time at all is told by nobody who means it.
  const told = waitTold(headers['retry-after'], now()) || null;
  const verdict = kind.judge?.(status, headers, await shortText(answer)) ?? null;
  answer.discard();
  if (verdict instanceof SourceError) throw verdict;
  if (status === 401 || verdict === 'signed_out') {
    const error = new SourceError(
      'auth_expired',
      `${kind.title} refused the access of the connection. ${kind.signIn === null ? 'Give it valid secrets with memoir connections reauthorize' : 'Sign in again'}.`,
      { status },
    );
    return { again: 'token', waitMs: 0, error };
  }
  const until = typeof verdict === 'object' ? verdict?.until : undefined;
  const isThrottled = verdict === 'throttled' || until !== undefined;
  if (isThrottled || status === 429 || (status === 503 && told !== null)) {
    const waitMs = pace.silence(until === undefined ? told : Math.max(0, until - now())) - now();
    return { again: 'throttled', waitMs, error: throttledSource(deps, waitMs, status) };
  }
  if (verdict === 'unavailable' || status >= 500) {
    const message = `${kind.title} answered with status ${status}.`;
    return {
      again: 'failed',
      waitMs: 0,
      error: new SourceError('provider_unavailable', message, { status, syncGoesOn: AGAIN_LATER }),
    };
  }
  throw sourceRefusal(kind.title, { status, host: hostOfAddress(address) });
};

const sendAttempt = async (deps: AskDeps, attempt: Attempt, token: string | null): Promise<Outcome> => {
  let answer: AnswerBody;
  try {
    answer = await sendBounded(deps, attempt, token);
  } catch (error) {
    if (error instanceof SourceError && error.code === 'provider_unavailable')
      return { again: 'failed', waitMs: 0, error };
    throw error;
  }
  const { status } = answer;
  if (!isOk(status) && !(attempt.request.accept?.includes(status) ?? false))
    return judgeRefusal(deps, attempt, answer);
  deps.pace.answered();
  return { done: createSourceAnswer(answer, deps.kind.title, (bytes) => deps.count?.('bytes', bytes)) };
};

/** The token of a first renewal may have ended while it was stored. */
const RENEWALS = 2;

export const createAsk = (deps: AskDeps): Ask => {
  const ask: Ask = async (address, request = {}, signal = never) => {
    const proving = request.anonymous === true ? null : tokens;
    const attempt: Attempt = { address, request, signal };
    let token = (await proving?.current(signal)) ?? null;
    const made = { failed: 0, throttled: 0, token: 0 };
    let heldMs = 0;
    for (;;) {
      const outcome = await sendAttempt(deps, attempt, token);
      if ('done' in outcome) return outcome.done;
      made[outcome.again] += 1;
      if (outcome.again === 'token') {
        if (proving === null || token === null || made.token > RENEWALS) throw outcome.error;
        token = await proving.renewed(token, signal);
        continue;
      }
      heldMs += outcome.waitMs;
      const isGivenUp =
        outcome.again === 'failed' ? made.failed >= FAILURES.attempts : heldMs > LONGEST_HELD_MS;
      if (isGivenUp || outcome.waitMs > LONGEST_WAIT_MS) throw outcome.error;
      // The pace holds back what was throttled.
      if (outcome.again === 'failed') await deps.pause(growingWait(FAILURES, made.failed), signal);
      signal.throwIfAborted();
    }
  };
  const tokens = tokensForAsk(deps, (address, request, signal) =>
    ask(address, { ...request, anonymous: true }, signal),
  );
  return ask;
};
