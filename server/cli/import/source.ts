// The source of an import: a service with the published API, read page by page.

import { z } from 'zod';
import { withRetries } from '../../lib/async/retry.ts';
import { messageOf } from '../../lib/failures.ts';
import { describeIssues } from '../../lib/issues.ts';
import { CommandFailure } from '../failure.ts';

const CALL_MS = 120_000;
const PER_PAGE = 100;
/** A source from which documents are removed all the time must come to its end too. */
const MOST_ROUNDS = 5;
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

/** The published API lets metadata be a lone value as well: it is kept under a name of its own. */
const metadataShape = z
  .unknown()
  .optional()
  .transform((given) => {
    const isNamed = typeof given === 'object' && given !== null && !Array.isArray(given);
    return flatMetadata(isNamed ? (given as Record<string, unknown>) : { metadata: given });
  });

const listedDocument = z.object({
  id: z.string(),
  customId: z.string().nullish(),
  content: z.string().nullish(),
  metadata: metadataShape,
});
export type Listed = z.output<typeof listedDocument>;

const documentPage = z.object({
  memories: z.array(z.unknown()),
  pagination: z.object({ totalItems: z.coerce.number(), totalPages: z.coerce.number() }),
});

/** A document of a list that cannot be read. */
export interface Unreadable {
  readonly name: string;
  readonly reason: string;
}

export interface Page {
  readonly documents: readonly Listed[];
  /** They keep no other back. */
  readonly unreadable: readonly Unreadable[];
  /** The number of documents that the source reports. */
  readonly total: number;
}

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
  /** It gives its list at this moment. */
  answers(): Promise<boolean>;
}

/** The source answered, in another form than that of the published API. */
export class UnknownForm extends Error {
  constructor(what: string, options?: ErrorOptions) {
    super(`it does not answer in the form of the published API: ${what}`, options);
    this.name = 'UnknownForm';
  }
}

const inForm = <T>(schema: z.ZodType<T>, value: unknown): T => {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new UnknownForm(describeIssues(parsed.error.issues), { cause: parsed.error });
};

/** No whole answer came, although it was asked again and again. */
export class NoAnswer extends Error {
  constructor(cause: unknown) {
    super(messageOf(cause instanceof Error && cause.cause !== undefined ? cause.cause : cause), { cause });
    this.name = 'NoAnswer';
  }
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
  if (error instanceof UnknownForm) return null;
  if (!(error instanceof Refusal)) return {};
  return error.status === 429 || error.status >= 500 ? { afterMs: error.afterMs } : null;
};

const errorAnswer = z.object({ error: z.string() });

/** Says the sentence of the source, or what is wrong with the connection to it. */
const sourceFault = (error: unknown): Error =>
  error instanceof Refusal || error instanceof UnknownForm ? error : new NoAnswer(error);

/** A service with the published API answers an error as JSON; a proxy before it may not. */
const sentenceIn = (text: string): string => {
  try {
    return errorAnswer.parse(JSON.parse(text)).error;
  } catch {
    return text.slice(0, 500);
  }
};

const parsedAnswer = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new UnknownForm(`"${text.slice(0, 40).replace(/\s+/g, ' ')}…" is no JSON`, { cause });
  }
};

const rowShape = z.object({ id: z.string() });

const pageOf = ({ memories, pagination }: z.output<typeof documentPage>, number: number): Page => {
  const documents: Listed[] = [];
  const unreadable: Unreadable[] = [];
  for (const [at, row] of memories.entries()) {
    const parsed = listedDocument.safeParse(row);
    if (parsed.success) {
      documents.push(parsed.data);
      continue;
    }
    const named = rowShape.safeParse(row);
    const name = named.success ? named.data.id : `number ${(number - 1) * PER_PAGE + at + 1} of the list`;
    unreadable.push({ name, reason: describeIssues(parsed.error.issues) });
  }
  return { documents, unreadable, total: pagination.totalItems };
};

interface SourceCall {
  readonly method: string;
  readonly path: string;
  readonly body?: object | undefined;
}

const callSource = async (url: string, key: string, { method, path, body }: SourceCall): Promise<unknown> => {
  const response = await fetch(url + path, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(CALL_MS),
  });
  const text = await response.text();
  if (response.ok) return parsedAnswer(text);
  throw new Refusal(
    response.status,
    sentenceIn(text),
    retryAfterSeconds(response.headers.get('retry-after')),
  );
};

export const openImportSource = (address: string, key: string): Source => {
  const url = address.replace(/\/+$/, '');
  const once = (method: string, path: string, body?: object) => callSource(url, key, { method, path, body });

  async function ask<T>(schema: z.ZodType<T>, method: string, path: string, body?: object): Promise<T> {
    try {
      return inForm(schema, await withRetries(() => once(method, path, body), PLAN, retryDecision));
    } catch (error) {
      const cause = sourceFault(error);
      const status = cause instanceof Refusal ? ` (status ${cause.status})` : '';
      const why = `${url}${path} cannot be read${status}: ${cause.message.replace(/\.$/, '')}`;
      throw new CommandFailure(
        `${why}. Check --url and --key and run the import again; it continues where it stopped.`,
        { cause, ...(cause instanceof Refusal ? { facts: { status: cause.status } } : {}) },
      );
    }
  }

  return {
    /**
     * Oldest first, so that documents added meanwhile come last. If some were removed meanwhile, others moved to a page that
     * was read already: all pages are read again then, and the reader knows what it has.
     */
    async *pages() {
      let most = 0;
      for (let number = 1, last = 1, rounds = 1; number <= last; number += 1) {
        const asked = {
          page: number,
          limit: PER_PAGE,
          sort: 'createdAt',
          order: 'asc',
          includeContent: true,
        };
        const here = await ask(documentPage, 'POST', '/v3/documents/list', asked);
        last = here.pagination.totalPages;
        yield pageOf(here, number);
        const { totalItems } = here.pagination;
        if (totalItems < most && rounds < MOST_ROUNDS) [number, rounds] = [0, rounds + 1];
        most = totalItems;
      }
    },
    async answers() {
      try {
        inForm(documentPage, await once('POST', '/v3/documents/list', { page: 1, limit: 1 }));
        return true;
      } catch {
        return false;
      }
    },
    document: (id) => ask(wholeDocument, 'GET', `/v3/documents/${encodeURIComponent(id)}`),
  };
};
