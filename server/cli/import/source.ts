// A service that speaks the published API, read page by page: where documents are imported from.
import { z } from 'zod';
import { withRetries } from '../../lib/retry.ts';
import { CommandFailure, textOf } from '../failure.ts';

const CALL_MS = 120_000;
const PER_PAGE = 100;
const PLAN = { attempts: 6, firstWaitMs: 500, longestWaitMs: 60_000 };

const isFlat = (value: unknown): value is string | number | boolean =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';

/** Metadata is flat here: what is nested there arrives as JSON text, and what is nothing stays behind. */
const flat = (given: Record<string, unknown>): Record<string, string | number | boolean> =>
  Object.fromEntries(
    Object.entries(given)
      .filter(([, value]) => value !== null && value !== undefined)
      .map(([key, value]) => [key, isFlat(value) ? value : JSON.stringify(value)]),
  );

const metadata = z
  .record(z.string(), z.unknown())
  .nullish()
  .transform((given) => flat(given ?? {}));

const listed = z.object({
  id: z.string(),
  customId: z.string().nullish(),
  content: z.string().nullish(),
  metadata,
});
export type Listed = z.output<typeof listed>;

const page = z.object({
  memories: z.array(listed),
  pagination: z.object({ totalItems: z.coerce.number(), totalPages: z.coerce.number() }),
});
export type Page = z.output<typeof page>;

/** What a list does not tell: the full, ordered tags among them. */
const whole = listed.extend({
  containerTags: z
    .array(z.string())
    .nullish()
    .transform((tags) => tags ?? []),
  title: z.string().nullish(),
  filepath: z.string().nullish(),
  taskType: z.enum(['memory', 'superrag']).nullish().catch(null),
});
export type Whole = z.output<typeof whole>;

export interface Source {
  pages(): AsyncGenerator<Page>;
  document(id: string): Promise<Whole>;
}

class Refusal extends Error {
  readonly status: number;
  readonly afterMs: number | undefined;

  constructor(status: number, message: string, afterMs: number | undefined) {
    super(message);
    this.name = 'Refusal';
    this.status = status;
    this.afterMs = afterMs;
  }
}

const seconds = (text: string | null): number | undefined => {
  const value = Number(text ?? Number.NaN);
  return value >= 0 ? value * 1000 : undefined;
};

/** No answer, too many requests and failures of the service may pass; a refusal will not. */
const judge = (error: unknown) => {
  if (!(error instanceof Refusal)) return {};
  return error.status === 429 || error.status >= 500 ? { afterMs: error.afterMs } : null;
};

export function openSource(address: string, key: string): Source {
  const url = address.replace(/\/+$/, '');

  async function once(method: string, path: string, body?: object): Promise<unknown> {
    const response = await fetch(url + path, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(CALL_MS),
    });
    const text = await response.text();
    if (response.ok) return JSON.parse(text);
    throw new Refusal(response.status, text.slice(0, 500), seconds(response.headers.get('retry-after')));
  }

  async function ask<T>(schema: z.ZodType<T>, method: string, path: string, body?: object): Promise<T> {
    try {
      return schema.parse(await withRetries(() => once(method, path, body), PLAN, judge));
    } catch (cause) {
      const status = cause instanceof Refusal ? ` (status ${cause.status})` : '';
      const why = `${url}${path} cannot be read${status}: ${textOf(cause)}`;
      throw new CommandFailure(
        `${why} Check --url and --key, and run the import again: it goes on where it ended.`,
        {
          cause,
        },
      );
    }
  }

  return {
    /** Oldest first, so that what is added meanwhile comes at the end. */
    async *pages() {
      for (let number = 1, last = 1; number <= last; number += 1) {
        const asked = {
          page: number,
          limit: PER_PAGE,
          sort: 'createdAt',
          order: 'asc',
          includeContent: true,
        };
        const here = await ask(page, 'POST', '/v3/documents/list', asked);
        last = here.pagination.totalPages;
        yield here;
      }
    },
    document: (id) => ask(whole, 'GET', `/v3/documents/${encodeURIComponent(id)}`),
  };
}
