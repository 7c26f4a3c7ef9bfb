// Puts a corrected value into a statement, in place of the value of its kind.
import { verbTokensOf } from '../grammar/verbs.ts';
import { tokensOf } from '../grammar/words.ts';
import { type CorrectedKind, type ValueSpan, valuesIn } from './spans.ts';

interface Range {
  readonly start: number;
  readonly end: number;
}

const put = (text: string, { start, end }: Range, value: string): string => {
  const isAdverb = /^(?:today|tomorrow|tonight|yesterday)\b/i.test(value);
  const before = isAdverb ? text.slice(0, start).replace(/\bon $/, '') : text.slice(0, start);
  return before + value + text.slice(end);
};

/** A bare number may be an hour, and a weekday a date. */
const ALSO: Readonly<Partial<Record<CorrectedKind, readonly CorrectedKind[]>>> = {
  number: ['number', 'time', 'year'],
  time: ['time'],
  year: ['year', 'number'],
};

const PREPOSITION = /\b(?<preposition>in|at|on|to|from|for|with|by|until|near)\s(?:the\s)?$/i;

const prepositionBefore = (text: string, at: number): string =>
  PREPOSITION.exec(text.slice(0, at))?.groups?.preposition?.toLowerCase() ?? '';

/** The last value of the kind, behind the preposition that the new one has. */
const replacedSpan = (value: ValueSpan, fragment: string, memory: string): ValueSpan | undefined => {
  const preposition = prepositionBefore(fragment, value.start);
  const all = valuesIn(memory);
  // "It is in Flutter" does not correct "The user's name is Mateus".
  const isOutOfPlace = ({ start }: ValueSpan): boolean =>
    start === 0 || (preposition !== '' && prepositionBefore(memory, start) === '');
  for (const kind of ALSO[value.kind] ?? [value.kind]) {
    const places = all.filter((one) => one.kind === kind && !(kind === 'name' && isOutOfPlace(one)));
    const alike = places.filter(({ start }) => prepositionBefore(memory, start) === preposition);
    const place = (preposition === '' ? [] : alike).at(-1) ?? places.at(-1);
    if (place) return place;
  }
  return undefined;
};

/** "the 13th" in place of "Friday 12 June 2026" keeps the month. */
const inItsPlace = (value: ValueSpan, place: ValueSpan): string => {
  const day = /^(?:the )?(?<day>\d{1,2})(?:st|nd|rd|th)?$/.exec(value.text)?.groups?.day;
  const month = /\p{Lu}\p{Ll}+(?: \d{4})?$/u.exec(place.text)?.[0];
  return value.kind === 'day' && day && month && /\d/.test(place.text)
    ? `${day} ${month}`
    : value.text.replace(/^the (?=\d)/, '');
};

const WORDS_AROUND = /^(?:in|at|on|to|from|for|with|by|until|near|the|a|an|and|of|around|about|it|is)$/;

/** True if the fragment holds nothing beside its values and words of the statement. */
const isValuesAlone = (fragment: string, values: readonly ValueSpan[], memory: string): boolean => {
  const said = new Set(tokensOf(memory).map(({ lower }) => lower));
  // "6 people" for "a table for 4": the noun of a count says nothing more.
  const counted = values.length === 1 && values[0]?.kind === 'number' ? values[0].end : -1;
  return tokensOf(fragment).every(
    ({ lower, start, end }) =>
      values.some((one) => one.start <= start && start < one.end) ||
      WORDS_AROUND.test(lower) ||
      said.has(lower) ||
      (start === counted + 1 && end === fragment.length),
  );
};

const withValues = (memory: string, fragment: string): string | null => {
  const values = valuesIn(fragment);
  if (values.length === 0 || !isValuesAlone(fragment, values, memory)) return null;
  const places = values.map((value) => replacedSpan(value, fragment, memory));
  const [first] = places;
  if (!first) return null;
  // "Thursday at 4": the hour that the statement did not tell follows the day.
  if (values.length > 1 && places.includes(undefined))
    return put(memory, first, fragment.replace(/^(?:on|at|in|to)\s/i, ''));
  const changed = values.reduceRight(
    (text, value, at) => put(text, places[at] as ValueSpan, inItsPlace(value, places[at] as ValueSpan)),
    memory,
  );
  return changed === memory ? null : changed;
};

const PHRASE = /^(?:DET|ADJ|NOUN|PROPN|NUM|ADP|CCONJ)$/;
const LONGEST_PHRASE = 6;

interface NounPhrase extends Range {
  readonly noun: Range | null;
  readonly adjective: Range | null;
  readonly preposition: string;
}

/** The noun phrases behind the subject: determiner, adjectives, nouns. */
const phrasesIn = (text: string): NounPhrase[] => {
  const tokens = verbTokensOf(text);
  const found: NounPhrase[] = [];
  for (let at = 0; at < tokens.length; at++) {
    const first = at;
    while (
      /^(?:DET|ADJ|NOUN|PROPN)$/.test(tokens[at]?.pos ?? '') ||
      /^(?:their|his|her|the|an?)$/.test(tokens[at]?.lower ?? '')
    )
      at++;
    const run = tokens.slice(first, at);
    const start = run[0]?.start;
    if (start === undefined) continue;
    found.push({
      start,
      end: run.at(-1)?.end ?? start,
      noun: run.find(({ pos }) => pos === 'NOUN' || pos === 'PROPN') ?? null,
      adjective: run.findLast(({ pos }) => pos === 'ADJ') ?? null,
      preposition: prepositionBefore(text, start),
    });
  }
  return found;
};

const DETERMINER = /^(?:an?|the|my|our|their|his|her|(?:the )?\S+['’]s)\s/i;

/** "the gym" for "the library"; "the green one" and "green" for the adjective of "the grey sofa". */
const withPhrase = (memory: string, fragment: string): string | null => {
  const tokens = verbTokensOf(fragment);
  if (tokens.length === 0 || tokens.length > LONGEST_PHRASE) return null;
  const [only] = tokens;
  const one = /^(?:the |an? )?(?<adjective>[\p{L}-]+) one$/u.exec(fragment)?.groups?.adjective;
  const adjective = one ?? (tokens.length === 1 && only?.pos === 'ADJ' ? fragment : undefined);
  const dated = valuesIn(memory).filter(({ kind }) => /^(?:day|month|year|time)$/.test(kind));
  const isFree = ({ start, end }: Range): boolean => !dated.some((one) => start < one.end && one.start < end);
  const phrases = phrasesIn(memory).filter((phrase) => phrase.start > 0 && isFree(phrase));
  if (adjective !== undefined) {
    const place = phrases.findLast((phrase) => phrase.adjective)?.adjective;
    return place ? put(memory, place, adjective) : null;
  }
  if (!tokens.every(({ pos }) => PHRASE.test(pos)) || tokens.every(({ pos }) => pos === 'NUM')) return null;
  const preposition =
    /^(?<preposition>in|at|on|to|from|for|with|by|near)\s/i.exec(fragment)?.groups?.preposition ?? '';
  const named = phrases.filter(({ noun }) => noun);
  const place = named.findLast((phrase) => phrase.preposition === preposition.toLowerCase()) ?? named.at(-1);
  if (!place) return null;
  const bare = fragment.slice(preposition.length).trim();
  const determiner = DETERMINER.exec(memory.slice(place.start, place.end))?.[0] ?? '';
  return put(memory, place, DETERMINER.test(bare) ? bare : determiner + bare);
};

/** "Tuesday, not Monday": the words that the correction names. */
const withWrongWords = (memory: string, fragment: string, wrong: string): string | null => {
  const words = wrong.replace(/^the /i, '').replace(/[.\s]+$/, '');
  const at = memory.toLowerCase().lastIndexOf(words.toLowerCase());
  if (at <= 0) return null;
  const place = valuesIn(memory).find((one) => one.kind !== 'name' && one.start <= at && at < one.end);
  const [value] = valuesIn(fragment);
  return put(
    memory,
    place ?? { start: at, end: at + words.length },
    place && value?.kind === place.kind
      ? inItsPlace(value, place)
      : fragment.replace(/^(?:on|at|in|to|the)\s/i, ''),
  );
};

/** The statement with the value; null if nothing in it is of the same kind. `isSure`: also other words than values are swapped. */
export const swapped = (
  memory: string,
  { fragment, wrong, isSure }: { fragment: string; wrong: string | null; isSure: boolean },
): string | null =>
  (wrong === null ? null : withWrongWords(memory, fragment, wrong)) ??
  withValues(memory, fragment) ??
  (isSure ? withPhrase(memory, fragment) : null);
