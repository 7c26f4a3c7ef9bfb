// The source of an import: a service with the published API, read page by page.

import { z } from 'zod';
import { withRetries } from '../../lib/async/retry.ts';
import { messageOf } from '../../lib/failures.ts';
import { CommandFailure } from '../failure.ts';

const CALL_MS = 120_000;
const PER_PAGE = 100;
const PLAN = { attempts: 6, firstWaitMs: 500, longestWaitMs: 60_000 };

const isFlat = (value: unknown): value is string | number | boolean =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';

/** Metadata is flat here: nested values become JSON text, null values are dropped. */
const flatMetadata = (given: Record<string, unknown>): Record<string, string | number | boolean> =>
  Object.fromEntries(
    Object.entries(given)
      .filter(([, value]) => value !== null && value !== undefined)
      .map(([key, value]) => [key, isFlat(value) ? value : JSON.stringify(value)]),
  );

const metadataShape = z
  .record(z.string(), z.unknown())
  .nullish()
  .transform((given) => flatMetadata(given ?? {}));

const listedDocument = z.object({
  id: z.string(),
  customId: z.string().nullish(),
  content: z.string().nullish(),
  metadata: metadataShape,
});
export type Listed = z.output<typeof listedDocument>;

const documentPage = z.object({
  memories: z.array(listedDocument),
  pagination: z.object({ totalItems: z.coerce.number(), totalPages: z.coerce.number() }),
});
export type Page = z.output<typeof documentPage>;

/** The fields that the list leaves out, as the full, ordered tags. */
const wholeDocument = listedDocument.extend({
  containerTags: z
    .array(z.string())
    .nullish()
    .transform((tags) => tags ?? []),
  title: z.string().nullish(),
  filepath: z.string().nullish(),
  taskType: z.enum(['memory', 'superrag']).nullish().catch(null),
  /** Memoir says here where the title comes from; other services put anything here. */
  raw: z.object({ titleOrigin: z.string() }).nullish().catch(null),
});
export type Whole = z.output<typeof wholeDocument>;

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

const retryAfterSeconds = (text: string | null): number | undefined => {
  const value = Number(text ?? Number.NaN);
  return value >= 0 ? value * 1000 : undefined;
};

/** Retries connection errors, 429 and 5xx; any other refusal is permanent. */
const retryDecision = (error: unknown) => {
  if (!(error instanceof Refusal)) return {};
  return error.status === 429 || error.status >= 500 ? { afterMs: error.afterMs } : null;
};

const errorAnswer = z.object({ error: z.string() });

/** The sentence of the source, or what is wrong with the connection to it. */
const reasonOf = (cause: unknown): string => {
  if (cause instanceof Refusal) return cause.message;
  return messageOf(cause instanceof Error && cause.cause !== undefined ? cause.cause : cause);
};

/** A service with the published API answers an error as JSON; a proxy before it may not. */
const sentenceIn = (text: string): string => {
  try {
    return errorAnswer.parse(JSON.parse(text)).error;
  } catch {
    return text.slice(0, 500);
  }
};

export const openImportSource = (address: string, key: string): Source => {
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
    throw new Refusal(
      response.status,
      sentenceIn(text),
      retryAfterSeconds(response.headers.get('retry-after')),
    );
  }

  async function ask<T>(schema: z.ZodType<T>, method: string, path: string, body?: object): Promise<T> {
    try {
      return schema.parse(await withRetries(() => once(method, path, body), PLAN, retryDecision));
    } catch (cause) {
      const status = cause instanceof Refusal ? ` (status ${cause.status})` : '';
      const why = `${url}${path} cannot be read${status}: ${reasonOf(cause).replace(/\.$/, '')}`;
      throw new CommandFailure(
        `${why}. Check --url and --key and run the import again; it continues where it stopped.`,
        { cause, ...(cause instanceof Refusal ? { facts: { status: cause.status } } : {}) },
      );
    }
  }

  return {
    /** Oldest first, so that documents added meanwhile come last. */
    async *pages() {
      for (let number = 1, last = 1; number <= last; number += 1) {
        const asked = {
          page: number,
          limit: PER_PAGE,
          sort: 'createdAt',
          order: 'asc',
          includeContent: true,
        };
        const here = await ask(documentPage, 'POST', '/v3/documents/list', asked);
        last = here.pagination.totalPages;
        yield here;
      }
    },
    document: (id) => ask(wholeDocument, 'GET', `/v3/documents/${encodeURIComponent(id)}`),
  };
};
