// One query in several wordings: by a language model where one is set, else by the dates and speakers that it names.
import type { SearchModel } from '../../adapters/model/search-port.ts';
import { resolveRelativeDates } from '../../lib/text/dates.ts';
import type { Notes } from './notes.ts';
import { asked, type OutsideDeps } from './outside.ts';
import { namedSpeakers } from './priors.ts';
import { readQuestion } from './question.ts';

export interface RewordDeps extends OutsideDeps {
  /** Null: none is set. */
  model: SearchModel | null;
  now: () => number;
  limits: { modelMs: number };
}

export interface RewordWish {
  q: string;
  rewriteQuery: boolean;
}

export interface Wordings<Found> {
  find(text: string): Promise<Found>;
  /** Who speaks in what was found: whom a question names is known only then. */
  speakers(found: Found): readonly string[];
}

/** Each is a search of its own. */
const MOST_REWORDINGS = 3;

const BY_RULES =
  'The query was not reworded because no language model is set (OPENAI_MODEL): only the dates and speakers that it names were read.';
const OTHERWISE = 'The query was not reworded: only the dates and speakers that it names were read.';

const SPECIAL = /[.*+?^${}()|[\]\\]/g;
const BLANKS = /\s+/g;

const without = (text: string, names: readonly string[]): string =>
  names
    .reduce((rest, name) => {
      const word = name.replace(SPECIAL, '\\$&');
      return rest.replace(new RegExp(`(?<![\\p{L}\\p{N}])${word}(?![\\p{L}\\p{N}])`, 'giu'), ' ');
    }, text)
    .replace(BLANKS, ' ')
    .trim();

/** "Yesterday" as the day that it was; a question about several people as one about each. */
export function rewordByRules(q: string, now: number, speakers: readonly string[]): string[] {
  const dates = resolveRelativeDates(q, now);
  const dated = dates === '' ? q : `${q} (${dates})`;
  const named = namedSpeakers(readQuestion(q), speakers);
  const each =
    named.length < 2
      ? []
      : named.map((one) =>
          without(
            dated,
            named.filter((other) => other !== one),
          ),
        );
  return [...(dated === q ? [] : [dated]), ...each].slice(0, MOST_REWORDINGS);
}

async function rewordByModel(
  deps: RewordDeps,
  { q }: RewordWish,
  { signal, notes }: { signal: AbortSignal; notes: Notes },
): Promise<string[] | null> {
  const { model, now, limits } = deps;
  if (model === null) {
    notes.add('rewriteQuery', BY_RULES);
    return null;
  }
  const favour = { about: 'rewriteQuery', otherwise: OTHERWISE, ms: limits.modelMs, signal, notes } as const;
  const request = { most: MOST_REWORDINGS, today: now() };
  return asked(deps, favour, (stop) => model.rewrite(q, request, stop));
}

/** What each wording finds, the query's own first. */
export async function inSeveralWordings<Found>(
  deps: RewordDeps,
  wish: RewordWish,
  { find, speakers }: Wordings<Found>,
  beside: { signal: AbortSignal; notes: Notes },
): Promise<[Found, ...Found[]]> {
  if (!wish.rewriteQuery) return [await find(wish.q)];
  const [original, byModel] = await Promise.all([find(wish.q), rewordByModel(deps, wish, beside)]);
  const wordings = byModel ?? rewordByRules(wish.q, deps.now(), speakers(original));
  return [original, ...(await Promise.all(wordings.map(find)))];
}
