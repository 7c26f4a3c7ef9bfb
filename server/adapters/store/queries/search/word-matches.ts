// Reads the chunks or memories of a scope that hold query terms, and the terms that each of them holds.
import { heldTerms, wantedTerms } from '../../../../lib/text/terms/terms.ts';
import { engineOf, type RankedUnit } from '../../engine/engine.ts';
import { run } from '../../engine/run.ts';
import type { KeywordMatch, ScopeMeasure, WordForms } from '../../ports/search.ts';
import type { EvaluatedRestriction } from '../../statements/filters.ts';
import { keptUnits, mayKeepUnits } from './kept-units.ts';
import { type Among, filteredUnits, type MatchSearch, readRanked, versionedUnits } from './matched-units.ts';

/** The most matches that are looked at for their words alone. */
export const MATCHES_RANKED_PER_SCAN = 50_000;

export interface KeywordRequest {
  readonly restriction: EvaluatedRestriction;
  readonly terms: readonly string[];
  readonly forms?: WordForms;
  /** The most matches that are returned. */
  readonly limit: number;
  /** Measured by an earlier read of the same search; missing: measured again. */
  readonly measure?: ScopeMeasure;
}

/** One request, bound to its scope. */
export interface KeywordSearch extends KeywordRequest, MatchSearch {
  readonly restriction: EvaluatedRestriction;
  readonly measure: ScopeMeasure;
}

/** Every term and its forms, or those of one term. */
const wordsOf = ({ terms, forms = [] }: KeywordSearch, only?: number): string[] =>
  terms.flatMap((term, at) => (only === undefined || only === at ? [term, ...(forms[at] ?? [])] : []));

/** The tag is part of the expression, so that other people's text is not even read. `only`: one term. */
export const expressionOf = (search: KeywordSearch, only?: number): string =>
  engineOf(search.db).words.expression({ tags: search.measure.tagNumbers, words: wordsOf(search, only) });

/** As one text: tens of thousands of rows of one number each would take three times as long. */
export const matchingNumbers = async ({ db, kind }: KeywordSearch, expression: string): Promise<number[]> => {
  const { rows } = await run<{ ns: string }>(
    db,
    `select group_list(n) as ns from
      (select n from ${kind}_holding($1) as held limit ${MATCHES_RANKED_PER_SCAN}) as chosen`,
    [expression],
  );
  return JSON.parse(rows[0]?.ns ?? '[]');
};

const rankedAmong = async (search: KeywordSearch, among: Among): Promise<RankedUnit[]> => {
  const { db, reach, kind, measure } = search;
  const { rowCaches } = engineOf(db);
  if (rowCaches !== null) return versionedUnits(search, among, rowCaches.units);
  if (!('expression' in among) || kind !== 'chunks' || !mayKeepUnits(db, reach, measure))
    return readRanked(search, among);
  const ns = await matchingNumbers(search, among.expression);
  const whole = { ...search, restriction: {}, measure: { ...measure, byNumber: true } };
  return filteredUnits(search, await keptUnits(search, ns, (missing) => readRanked(whole, { ns: missing })));
};

export const matchesAmong = async (search: KeywordSearch, among: Among): Promise<KeywordMatch[]> => {
  const wanted = wantedTerms(search.terms, search.forms);
  const ranked = await rankedAmong(search, among);
  // Field by field: a rest and a spread would take as long as all the rest of this.
  return ranked.map(({ n, document, position, part, flags, bodyTokens, messageTokens, terms }) => ({
    n,
    document,
    position,
    part,
    flags,
    bodyTokens,
    messageTokens,
    held: heldTerms(terms, wanted),
  }));
};

/** For each term the number of matches that hold it, in any field. */
export const termFrequencies = (matches: readonly KeywordMatch[], terms: readonly string[]): number[] => {
  const frequencies = terms.map(() => 0);
  const lastSeen = terms.map(() => -1);
  for (const [at, { held }] of matches.entries())
    for (const { term } of held) {
      if (lastSeen[term] !== at) frequencies[term] = (frequencies[term] ?? 0) + 1;
      lastSeen[term] = at;
    }
  return frequencies;
};

/** In the order of their numbers in `ns`. */
export const matchesInOrder = async (
  search: KeywordSearch,
  ns: readonly number[],
): Promise<KeywordMatch[]> => {
  const found = new Map((await matchesAmong(search, { ns })).map((each) => [each.n, each]));
  return ns.flatMap((n) => found.get(n) ?? []);
};

export const frequencyOf = async ({ db, kind }: KeywordSearch, expression: string): Promise<number> => {
  const { rows } = await run<{ count: number }>(
    db,
    `select count(*) as count from ${kind}_holding($1) as held`,
    [expression],
  );
  return rows[0]?.count ?? 0;
};
