// Creates the client of an OpenAI-compatible service after checking its address.
import type OpenAI from 'openai';
import type { RetryPlan } from '../async/retry.ts';
import type { FailureMaker } from './failures.ts';
import { type ServiceSettings, USUAL_SETTINGS } from './settings.ts';

const OPENAI = 'https://api.openai.com/v1';

export interface OpenAiConnection {
  /** Undefined for a local server that needs no key. */
  readonly apiKey?: string | undefined;
  readonly baseUrl?: string | undefined;
  readonly model: string;
  /** Undefined: the usual ones. */
  readonly settings?: ServiceSettings | undefined;
  /** True: an answer that leads to another address is a failure, so that no text goes there. */
  readonly refusesRedirects?: true;
}

/** The timeout and the retries of a call. */
export interface CallLimits {
  readonly timeoutMs: number;
  readonly retries: RetryPlan;
}

/** `code` is the first part of the error code. */
export const serviceUrl = (
  code: string,
  { baseUrl, settings = USUAL_SETTINGS }: Pick<OpenAiConnection, 'baseUrl' | 'settings'>,
  failure: FailureMaker,
): URL => {
  const url = URL.parse(baseUrl || OPENAI);
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw failure(
      `${code}_settings`,
      `${settings.address} is no web address. Set it like "http://127.0.0.1:11434/v1".`,
      {},
    );
  }
  if (url.username || url.password) {
    throw failure(
      `${code}_settings`,
      `${settings.address} holds a user name or password. Remove them and put the key into ${settings.key}.`,
      {},
    );
  }
  return url;
};

export const createOpenAiClient = async (options: OpenAiConnection, url: URL): Promise<OpenAI> => {
  const { OpenAI: Client } = await import('openai');
  return new Client({
    apiKey: options.apiKey || 'none',
    adminAPIKey: null,
    baseURL: url.href,
    maxRetries: 0,
    logLevel: 'off',
    ...(options.apiKey ? {} : { defaultHeaders: { Authorization: null } }),
    ...(options.refusesRedirects ? { fetchOptions: { redirect: 'error' } } : {}),
  });
};

const isRetryable = (error: unknown): error is Error & { retryAfterMs?: number } =>
  error instanceof Error && 'retryable' in error && error.retryable === true;

/** The waiting time before a retry of this error; null: no retry. */
export const retryDecision = (error: unknown): { afterMs: number | undefined } | null =>
  isRetryable(error) ? { afterMs: error.retryAfterMs } : null;
