// The client of an OpenAI-compatible service: its address and key checked, nothing sent that was not asked for.
import type OpenAI from 'openai';
import { IngestError } from '../../errors.ts';
import type { RetryPlan } from '../retry.ts';

const OPENAI = 'https://api.openai.com/v1';

export interface ConnectionOptions {
  /** None: a local server that asks for no key. */
  readonly apiKey?: string | undefined;
  readonly baseUrl?: string | undefined;
  readonly model: string;
}

/** How long a call may take and how often it is repeated. */
export interface Patience {
  readonly timeoutMs: number;
  readonly retries: RetryPlan;
}

/** `code`: the first part of the error's code. */
export function serviceUrl(code: string, baseUrl: string | undefined): URL {
  const url = URL.parse(baseUrl || OPENAI);
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new IngestError(
      `${code}_settings`,
      'OPENAI_BASE_URL is no web address. Set it like "http://127.0.0.1:11434/v1".',
    );
  }
  if (url.username || url.password) {
    throw new IngestError(
      `${code}_settings`,
      'OPENAI_BASE_URL holds a user name or password. Remove them and put the key into OPENAI_API_KEY.',
    );
  }
  return url;
}

export async function createClient(options: ConnectionOptions, url: URL): Promise<OpenAI> {
  const { OpenAI: Client } = await import('openai');
  return new Client({
    apiKey: options.apiKey || 'none',
    adminAPIKey: null,
    baseURL: url.href,
    maxRetries: 0,
    logLevel: 'off',
    ...(options.apiKey ? {} : { defaultHeaders: { Authorization: null } }),
  });
}

/** What an error of such a service says about trying again. */
export const judge = (error: unknown): { afterMs: number | undefined } | null =>
  error instanceof IngestError && error.retryable ? { afterMs: error.retryAfterMs } : null;
