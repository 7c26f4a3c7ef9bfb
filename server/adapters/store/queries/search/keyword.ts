// Finds the chunks or memories that hold query terms. The tag is part of the match, and ranking is left to the caller.
import type { Reach } from '../../../../core/scope.ts';
import { heldTerms, wantedTerms } from '../../../../lib/text/terms/terms.ts';
import { engineOf, type RankedUnit } from '../../engine/engine.ts';
import { run } from '../../engine/run.ts';
import type { KeywordMatch, KeywordMatches, ScopeMeasure, WordForms } from '../../ports/search.ts';
import {
  evaluateAmong,
  evaluateIfFew,
  evaluateWhole,
  isBroad,
  type NarrowRestriction,
} from '../../statements/evaluate-broad.ts';
import { type EvaluatedRestriction, isRestricted } from '../../statements/filters.ts';
import { restrictedUnits, unitKindOf } from '../../statements/search-units.ts';
import { measureScope } from '../../statements/units-by-number.ts';
import type { Db } from '../../tables/tables.ts';
import { keptUnits, mayKeepUnits } from './kept-units.ts';
import {
  type Among,
  filteredUnits,
  HOLDERS,
  type MatchSearch,
  readRanked,
  versionedUnits,
} from './matched-units.ts';

const MATCHES_RANKED_PER_SCAN = 50_000;
/** Former and forgotten memories keep their words, so this many times more matches are chosen. */
const FORMER_VERSIONS = 4;
/** A broad filter is evaluated for so many times more candidates; for everything where it allows a smaller share of them. */
const CANDIDATES_PER_MATCH = 16;
const FIRST_CANDIDATES_PER_MATCH = 2;

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
interface KeywordSearch extends KeywordRequest, MatchSearch {
  readonly restriction: EvaluatedRestriction;
  readonly measure: ScopeMeasure;
}

interface RareMatches {
  ns: number[];
  /** The frequency of each term. */
  frequencies: number[];
}

interface ChosenMatches {
  readonly matches: KeywordMatch[];
  readonly frequencies: number[];
}

/** Every term and its forms, or those of one term. */
const wordsOf = ({ terms, forms = [] }: KeywordSearch, only?: number): string[] =>
  terms.flatMap((term, at) => (only === undefined || only === at ? [term, ...(forms[at] ?? [])] : []));

/** The tag is part of the expression, so that other people's text is not even read. `only`: one term. */
const expressionOf = (search: KeywordSearch, only?: number): string =>
  engineOf(search.db).words.expression({ tags: search.measure.tagNumbers, words: wordsOf(search, only) });

/** As one text: tens of thousands of rows of one number each would take three times as long. */
const matchingNumbers = async ({ db, kind }: KeywordSearch, expression: string): Promise<number[]> => {
  const { rows } = await run<{ ns: string }>(
    db,
    `select group_list(n) as ns from
      (select n from ${kind}_holding($1) as held limit ${MATCHES_RANKED_PER_SCAN}) as chosen`,
    [expression],
  );
  return JSON.parse(rows[0]?.ns ?? '[]');
};

/** Restricted before the limit, so that matches of other documents cannot displace these. */
const restrictedNumbers = async (search: KeywordSearch, expression: string): Promise<number[]> => {
  const { db, reach, kind, restriction } = search;
  const rows = await restrictedUnits(db, reach, restriction)
    .selectFrom('visible_units')
    .select('n')
    .where('n', 'in', HOLDERS[kind](expression))
    .limit(MATCHES_RANKED_PER_SCAN)
    .execute();
  return rows.map((row) => row.n);
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

const matchesAmong = async (search: KeywordSearch, among: Among): Promise<KeywordMatch[]> => {
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
const termFrequencies = (matches: readonly KeywordMatch[], terms: readonly string[]): number[] => {
  const frequencies = terms.map(() => 0);
  const lastSeen = terms.map(() => -1);
  for (const [at, { held }] of matches.entries())
    for (const { term } of held) {
      if (lastSeen[term] !== at) frequencies[term] = (frequencies[term] ?? 0) + 1;
      lastSeen[term] = at;
    }
  return frequencies;
};

const frequencyOf = async ({ db, kind }: KeywordSearch, expression: string): Promise<number> => {
  const { rows } = await run<{ count: number }>(
    db,
    `select count(*) as count from ${kind}_holding($1) as held`,
    [expression],
  );
  return rows[0]?.count ?? 0;
};

const inverseFrequency = (frequency: number, chunks: number): number =>
  Math.log(1 + (Math.max(chunks, frequency) - frequency + 0.5) / (frequency + 0.5));

/** The best few of many, without sorting them all by number. */
const bestScored = (scores: ReadonlyMap<number, number>, limit: number): number[] => {
  const floor = Float64Array.from(scores.values()).sort().at(-limit) ?? 0;
  return [...scores]
    .filter(([, score]) => score >= floor)
    .sort((a, b) => b[1] - a[1])
    .slice(0, limit)
    .map(([n]) => n);
};

/**
 * With many matches, the rare words decide which are ranked. The index's own rank does not help: it is the same for
 * every row, because it keeps no positions. A word that is nearly everywhere would only favour the first rows.
 */
const preferRare = async (search: KeywordSearch, limit: number): Promise<RareMatches> => {
  const counted: { expression: string; frequency: number }[] = [];
  for (const at of search.terms.keys()) {
    const expression = expressionOf(search, at);
    counted.push({ expression, frequency: await frequencyOf(search, expression) });
  }
  const scores = new Map<number, number>();
  for (const { expression, frequency } of counted.toSorted((a, b) => a.frequency - b.frequency)) {
    if (frequency > MATCHES_RANKED_PER_SCAN && scores.size >= limit) break;
    const rarity = inverseFrequency(frequency, search.measure.chunks);
    for (const n of await matchingNumbers(search, expression)) scores.set(n, (scores.get(n) ?? 0) + rarity);
  }
  return { ns: bestScored(scores, limit), frequencies: counted.map(({ frequency }) => frequency) };
};

const isEveryMatch = ({ ns, frequencies }: RareMatches, limit: number): boolean =>
  ns.length < limit && frequencies.every((frequency) => frequency <= MATCHES_RANKED_PER_SCAN);

/** The same inside a restriction, without reading the rows, which may be most of the store. */
const preferRareAmong = async (search: KeywordSearch, among: readonly number[]): Promise<RareMatches> => {
  const scores = new Map(among.map((n) => [n, 0]));
  const frequencies: number[] = [];
  for (const at of search.terms.keys()) {
    const all = await matchingNumbers(search, expressionOf(search, at));
    const held = all.filter((n) => scores.has(n));
    frequencies.push(held.length);
    const rarity = inverseFrequency(held.length, search.measure.chunks);
    for (const n of held) scores.set(n, (scores.get(n) ?? 0) + rarity);
  }
  return { ns: bestScored(scores, search.limit), frequencies };
};

/** In the order of their numbers in `ns`. */
const matchesInOrder = async (search: KeywordSearch, ns: readonly number[]): Promise<KeywordMatch[]> => {
  const found = new Map((await matchesAmong(search, { ns })).map((each) => [each.n, each]));
  return ns.flatMap((n) => found.get(n) ?? []);
};

/** The rare words choose candidates, and the filter is evaluated for those; null: it allows too few of them. */
const chooseUnderBroadFilter = async (search: KeywordSearch): Promise<ChosenMatches | null> => {
  const { db, reach, restriction, limit, terms } = search;
  const most = CANDIDATES_PER_MATCH * limit;
  const rare = await preferRare(search, most);
  const matches: KeywordMatch[] = [];
  let looked = 0;
  for (
    let size = FIRST_CANDIDATES_PER_MATCH * limit;
    looked < rare.ns.length && matches.length < limit;
    size *= 2
  ) {
    const some = rare.ns.slice(looked, looked + size);
    const narrow = await evaluateAmong(db, reach, restriction, some);
    matches.push(...(await matchesInOrder({ ...search, restriction: narrow }, some)));
    looked += some.length;
  }
  if (looked === rare.ns.length && isEveryMatch(rare, most))
    return { matches: matches.slice(0, limit), frequencies: termFrequencies(matches, terms) };
  if (matches.length < limit) return null;
  const share = matches.length / looked;
  const frequencies = rare.frequencies.map((frequency) => Math.round(share * frequency));
  return { matches: matches.slice(0, limit), frequencies };
};

const chooseUnderNarrowFilter = async (
  search: KeywordSearch & { readonly restriction: NarrowRestriction },
): Promise<ChosenMatches> => {
  const { kind, limit, restriction, terms } = search;
  const expression = expressionOf(search);
  if (search.measure.chunks <= limit) {
    const matches = await matchesAmong(search, { expression });
    return { matches, frequencies: termFrequencies(matches, terms) };
  }
  const restricted = isRestricted(restriction);
  const ns = restricted
    ? await restrictedNumbers(search, expression)
    : await matchingNumbers(search, expression);
  if (ns.length <= limit) {
    const matches = await matchesAmong(search, { ns });
    return { matches, frequencies: termFrequencies(matches, terms) };
  }
  const rare = restricted
    ? await preferRareAmong(search, ns)
    : await preferRare(search, kind === 'memories' ? FORMER_VERSIONS * limit : limit);
  const matches = (await matchesInOrder(search, rare.ns)).slice(0, limit);
  return { matches, frequencies: rare.frequencies };
};

const chooseMatches = async (search: KeywordSearch): Promise<ChosenMatches> => {
  const { db, reach, restriction } = search;
  const evaluated = await evaluateIfFew(db, reach, restriction);
  const chosen = isBroad(evaluated) ? await chooseUnderBroadFilter(search) : null;
  if (chosen !== null) return chosen;
  return chooseUnderNarrowFilter({ ...search, restriction: await evaluateWhole(db, reach, evaluated) });
};

const average = (total: number, count: number): number => (count > 0 ? total / count : 1) || 1;

export const findKeywordMatches = async (
  db: Db,
  reach: Reach,
  request: KeywordRequest,
): Promise<KeywordMatches> => {
  const kind = unitKindOf(request.restriction);
  const measure = request.measure ?? (await measureScope(db, reach, request.restriction));
  const { matches, frequencies } =
    request.terms.length === 0
      ? { matches: [], frequencies: [] }
      : await chooseMatches({ ...request, db, reach, kind, measure });
  return {
    matches,
    frequencies,
    chunks: measure.chunks,
    averageBodyTokens: average(measure.bodyTokens, measure.chunks),
    averageMessageTokens: average(measure.messageTokens, measure.messages),
  };
};
