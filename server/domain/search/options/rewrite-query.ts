// The option `rewriteQuery`: searches for several wordings of the query. A language model writes them where one is
// configured; else they follow from the dates and speakers that the query names.
import type { SearchModel } from '../../../adapters/language-model/ports/search-model.ts';
import { resolveRelativeDates } from '../../../lib/text/dates/relative-dates.ts';
import { parseQuery } from '../query/parse-query.ts';
import { namedSpeakers } from '../ranking/priors.ts';
import { callOptional, type OptionalCallContext } from './optional-call.ts';

export interface RewriteQueryContext extends OptionalCallContext {
  /** Null: no language model is configured. */
  readonly model: SearchModel | null;
  readonly now: () => number;
  readonly limits: { readonly modelMs: number };
}

export interface RewriteQueryInput {
  q: string;
  rewriteQuery: boolean;
}

/** A search that can be run for any wording. */
export interface WordingSearch<Found> {
  find(text: string): Promise<Found>;
  /** The speakers in the results of the query itself: a query can only name a speaker who is among them. */
  speakers(found: Found): readonly string[];
}

/** Each rewording is a search of its own. */
const MOST_REWORDINGS = 3;

const NOT_CONFIGURED =
  'The query was not reworded because no language model is set (OPENAI_MODEL): only the dates and speakers that it names were read.';
const FALLBACK = 'The query was not reworded: only the dates and speakers that it names were read.';

const SPECIAL = /[.*+?^${}()|[\]\\]/g;
const BLANKS = /\s+/g;

const withoutNames = (text: string, names: readonly string[]): string =>
  names
    .reduce((rest, name) => {
      const word = name.replace(SPECIAL, '\\$&');
      return rest.replace(new RegExp(`(?<![\\p{L}\\p{N}])${word}(?![\\p{L}\\p{N}])`, 'giu'), ' ');
    }, text)
    .replace(BLANKS, ' ')
    .trim();

/** Replaces "yesterday" by its date, and splits a query about several people into one about each. */
export const rewriteByRules = (q: string, now: number, speakers: readonly string[]): string[] => {
  const dates = resolveRelativeDates(q, now);
  const dated = dates === '' ? q : `${q} (${dates})`;
  const named = namedSpeakers(parseQuery(q), speakers);
  const aboutEach =
    named.length < 2
      ? []
      : named.map((one) =>
          withoutNames(
            dated,
            named.filter((other) => other !== one),
          ),
        );
  return [...(dated === q ? [] : [dated]), ...aboutEach].slice(0, MOST_REWORDINGS);
};

const rewriteByModel = async (context: RewriteQueryContext, q: string): Promise<string[] | null> => {
  const { model, now, limits, skipped } = context;
  if (model === null) {
    skipped.add('rewriteQuery', NOT_CONFIGURED);
    return null;
  }
  const request = { most: MOST_REWORDINGS, today: now() };
  return callOptional(context, {
    option: 'rewriteQuery',
    fallback: () => FALLBACK,
    timeoutMs: limits.modelMs,
    run: (signal) => model.rewrite(q, request, signal),
  });
};

/** The results of each wording, those of the query itself first. */
export const searchAllWordings = async <Found>(
  context: RewriteQueryContext,
  { q, rewriteQuery }: RewriteQueryInput,
  { find, speakers }: WordingSearch<Found>,
): Promise<[Found, ...Found[]]> => {
  if (!rewriteQuery) return [await find(q)];
  const [original, byModel] = await Promise.all([find(q), rewriteByModel(context, q)]);
  const wordings = byModel ?? rewriteByRules(q, context.now(), speakers(original));
  return [original, ...(await Promise.all(wordings.map(find)))];
};
