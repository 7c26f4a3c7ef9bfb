// The addresses, headers and repositories of GitHub, and of a GitHub Enterprise server.
import { z } from 'zod';
import { answerAs } from '../answer-shape.ts';
import type { Grant, SourceAnswer, SourceTools } from '../port.ts';
import { SourceError } from '../source-error.ts';

export const REPOSITORY = z.object({
  id: z.int(),
  name: z.string(),
  full_name: z.string().regex(/^[^/]+\/[^/]+$/),
  html_url: z.string(),
  default_branch: z.string(),
  private: z.boolean(),
  description: z.string().nullish(),
  updated_at: z.string().nullish(),
});
export type Repository = z.output<typeof REPOSITORY>;

export const isHost = (host: string): boolean => /^[a-z0-9-]+(?:\.[a-z0-9-]+)+(?::\d{1,5})?$/i.test(host);

export const hostOption = ({ metadata }: Grant): string | null =>
  typeof metadata.host === 'string' && metadata.host !== '' && metadata.host !== 'github.com'
    ? metadata.host
    : null;

interface Api {
  readonly rest: string;
  readonly graphql: string;
}

export const apiOf = (grant: Grant): Api => {
  const host = hostOption(grant);
  return host === null
    ? { rest: 'https://api.github.com', graphql: 'https://api.github.com/graphql' }
    : { rest: `https://${host}/api/v3`, graphql: `https://${host}/api/graphql` };
};

export const HEADERS = { accept: 'application/vnd.github+json', 'x-github-api-version': '2022-11-28' };

export interface GitHub {
  readonly api: Api;
  readonly endings: readonly string[];
  readonly tools: SourceTools;
}

export const isNotThere = (error: unknown): boolean =>
  error instanceof SourceError && (error.code === 'not_found' || error.code === 'forbidden');

/** Null: it is gone, or the account may not see it any more. */
export const findRepository = async (
  { api, tools }: GitHub,
  id: string,
  signal: AbortSignal,
): Promise<Repository | null> => {
  const request = { headers: HEADERS, accept: [404, 410, 451], template: '/repositories/{id}' };
  try {
    const answer = await tools.ask(`${api.rest}/repositories/${encodeURIComponent(id)}`, request, signal);
    if (answer.status < 400) return await answerAs(answer, REPOSITORY, 'a repository');
    answer.discard();
    return null;
  } catch (error) {
    if (isNotThere(error)) return null;
    throw error;
  }
};

/** The end of the hour, in milliseconds; null: the headers name none. */
export const limitEndsAt = (headers: Readonly<Record<string, string>>): number | null => {
  const seconds = Number(headers['x-ratelimit-reset']);
  return headers['x-ratelimit-remaining'] === '0' && Number.isFinite(seconds) ? seconds * 1000 : null;
};

export const limitReached = ({ headers }: Pick<SourceAnswer, 'headers'>, now: number): SourceError =>
  new SourceError('rate_limited', 'GitHub limits the requests of the account for this hour.', {
    retryAfterMs: Math.max(60_000, (limitEndsAt(headers) ?? 0) - now),
  });
