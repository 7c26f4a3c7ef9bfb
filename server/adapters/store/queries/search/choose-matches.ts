// Chooses the matches of a search by words that are ranked: all of them where they are few, otherwise those with the rarest words.
import type { KeywordMatch } from '../../ports/search.ts';
import {
  evaluateAmong,
  evaluateIfFew,
  evaluateWhole,
  isBroad,
  type NarrowRestriction,
} from '../../statements/evaluate-broad.ts';
import { isRestricted } from '../../statements/filters.ts';
import { fewUnits, restrictedUnits } from '../../statements/search-units.ts';
import { HOLDERS } from './matched-units.ts';
import {
  expressionOf,
  frequencyOf,
  type KeywordSearch,
  MATCHES_RANKED_PER_SCAN,
  matchesAmong,
  matchesInOrder,
  matchingNumbers,
  termFrequencies,
} from './word-matches.ts';

/** Former and forgotten memories keep their words, so this many times more matches are chosen. */
const FORMER_VERSIONS = 4;
/** A broad filter is evaluated for so many times more candidates; for everything where it allows a smaller share of them. */
const CANDIDATES_PER_MATCH = 16;
const FIRST_CANDIDATES_PER_MATCH = 2;

/** A restricted scope that holds so many times more is not searched by all holders of its words. */
const MANY_PER_MATCH = 32;
/** For a search that ranks no match and only counts its words. */
const MANY_TO_COUNT = 20_000;

const manyFor = (limit: number): number => (limit === 0 ? MANY_TO_COUNT : MANY_PER_MATCH * limit);

interface RareMatches {
  ns: number[];
  /** The frequency of each term. */
  frequencies: number[];
}

interface ChosenMatches {
  readonly matches: KeywordMatch[];
  readonly frequencies: number[];
}

/** A search whose filter, if it has one, is listed. */
type NarrowSearch = Omit<KeywordSearch, 'restriction'> & { readonly restriction: NarrowRestriction };

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

const rarityOf = ({ held }: KeywordMatch, rarities: readonly number[]): number =>
  [...new Set(held.map(({ term }) => term))].reduce((sum, term) => sum + (rarities[term] ?? 0), 0);

/** Every unit that the restriction allows is looked at; null: they are too many. */
const chooseAmongAllowed = async (search: NarrowSearch): Promise<ChosenMatches | null> => {
  const { db, reach, restriction, limit, terms, measure } = search;
  const ns = await fewUnits(db, reach, restriction, manyFor(limit));
  if (ns === null) return null;
  const all = (await matchesAmong(search, { ns })).filter(({ held }) => held.length > 0);
  const frequencies = termFrequencies(all, terms);
  if (all.length <= limit) return { matches: all, frequencies };
  const rarities = frequencies.map((frequency) => inverseFrequency(frequency, measure.chunks));
  const scored = all.map((unit) => ({ unit, rarity: rarityOf(unit, rarities) }));
  scored.sort((a, b) => b.rarity - a.rarity);
  return { matches: scored.slice(0, limit).map(({ unit }) => unit), frequencies };
};

/** The rare words choose candidates, and the restriction is asked for those; null: it allows too few of them. */
const chooseAmongCandidates = async (search: KeywordSearch): Promise<ChosenMatches | null> => {
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
  const share = limit === 0 ? 1 : matches.length / looked;
  const frequencies = rare.frequencies.map((frequency) => Math.round(share * frequency));
  return { matches: matches.slice(0, limit), frequencies };
};

/** Restricted before the limit, so that matches of other documents cannot displace these. */
const restrictedNumbers = async (search: NarrowSearch, expression: string): Promise<number[]> => {
  const { db, reach, kind, restriction } = search;
  const rows = await restrictedUnits(db, reach, restriction)
    .selectFrom('visible_units')
    .select('n')
    .where('n', 'in', HOLDERS[kind](expression))
    .limit(MATCHES_RANKED_PER_SCAN)
    .execute();
  return rows.map((row) => row.n);
};

const chooseAmongHolders = async (search: NarrowSearch): Promise<ChosenMatches> => {
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

/** In a scope that is much larger than what is ranked. */
const chooseInWideScope = async (search: KeywordSearch): Promise<ChosenMatches | null> => {
  const { broad, ...restriction } = search.restriction;
  const chosen = broad === undefined ? await chooseAmongAllowed({ ...search, restriction }) : null;
  return chosen ?? chooseAmongCandidates(search);
};

export const chooseMatches = async (search: KeywordSearch): Promise<ChosenMatches> => {
  const { db, reach, limit, measure } = search;
  const restriction = await evaluateIfFew(db, reach, search.restriction);
  const evaluated = { ...search, restriction };
  const isWide = isRestricted(restriction) && measure.chunks > manyFor(limit);
  const chosen = isWide || isBroad(restriction) ? await chooseInWideScope(evaluated) : null;
  if (chosen !== null) return chosen;
  return chooseAmongHolders({ ...search, restriction: await evaluateWhole(db, reach, restriction) });
};
