// Requests to Google's services that are answered with JSON in a known shape.
import type { z } from 'zod';
import { describeIssues } from '../../../lib/issues.ts';
import type { Ask, AskRequest } from '../port.ts';
import { SourceError } from '../source-error.ts';

type Parameters = Readonly<Record<string, string | number | boolean | undefined>>;

export type GoogleApi = <T>(
  path: string,
  query: Parameters,
  schema: z.ZodType<T>,
  request?: Omit<AskRequest, 'headers'>,
) => Promise<T>;

const addressOf = (base: string, path: string, query: Parameters): string => {
  const url = new URL(`${base}${path}`);
  for (const [name, value] of Object.entries(query))
    if (value !== undefined) url.searchParams.set(name, String(value));
  return url.href;
};

const CURSOR_REFUSED = new Set([400, 404, 410]);

/** A refused page token means that the listing cannot go on from there. */
const asCursorRefused = (error: unknown, query: Parameters): unknown =>
  query.pageToken !== undefined &&
  error instanceof SourceError &&
  error.status !== null &&
  CURSOR_REFUSED.has(error.status)
    ? new SourceError('cursor_refused', 'Google no longer knows the place where the last look ended.', {
        status: error.status,
        cause: error,
      })
    : error;

export const createGoogleApi =
  (ask: Ask, base: string, signal: AbortSignal): GoogleApi =>
  async (path, query, schema, request = {}) => {
    try {
      const answer = await ask(
        addressOf(base, path, query),
        {
          template: path,
          ...request,
          headers: {
            accept: 'application/json',
            ...(request.body === undefined ? {} : { 'content-type': 'application/json' }),
          },
        },
        signal,
      );
      const read = schema.safeParse(await answer.json());
      if (read.success) return read.data;
      throw new SourceError(
        'bad_answer',
        `Google answered in an unknown form: ${describeIssues(read.error.issues)}`,
      );
    } catch (error) {
      throw asCursorRefused(error, query);
    }
  };
