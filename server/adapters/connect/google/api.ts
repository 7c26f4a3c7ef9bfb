// Requests to Google's services that are answered with JSON in a known shape.
import type { z } from 'zod';
import { fieldsOf } from '../../../lib/objects.ts';
import { askAs } from '../answer-shape.ts';
import type { Ask, AskRequest } from '../port.ts';
import { SourceError } from '../source-error.ts';

type Parameters = Readonly<Record<string, string | number | boolean | undefined>>;

export interface GoogleCall<Shape extends z.ZodType> {
  readonly shape: Shape;
  /** Names the answer for people. */
  readonly what: string;
  /** The path with placeholders, where it has ids. */
  readonly template?: string;
  /** Makes the request a POST. */
  readonly body?: object;
}

export type GoogleApi = <Shape extends z.ZodType>(
  path: string,
  query: Parameters,
  call: GoogleCall<Shape>,
) => Promise<z.output<Shape>>;

const googleAddress = (base: string, path: string, query: Parameters): string => {
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
  async (path, query, { shape, what, template = path, body }) => {
    const request: AskRequest = {
      template,
      headers: {
        accept: 'application/json',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
    };
    try {
      const answer = await askAs(ask, googleAddress(base, path, query), { shape, what, request, signal });
      if (query.pageToken !== undefined && fieldsOf(answer).nextPageToken === query.pageToken)
        throw new SourceError('bad_answer', `Google answered ${what} that leads to itself.`);
      return answer;
    } catch (error) {
      throw asCursorRefused(error, query);
    }
  };
