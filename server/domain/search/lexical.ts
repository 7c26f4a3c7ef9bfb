// The lexical side: BM25F over the stored fields, each chunk in the context of its neighbours.

import type { KeywordMatch, KeywordMatches } from '../../adapters/store/port.ts';
import { isAssistant, isConversation } from './flags.ts';
import type { Question } from './question.ts';
import { type Rarity, rarityOf } from './rarity.ts';
import { type Lent, lendBetweenPieces, lendBetweenTurns, type Message, placeKey } from './spread.ts';
import { NO_THREADS, type Place, type Threads } from './threads.ts';

/** Of a term: how soon saying it again adds nothing. */
const K1 = 1.2;
/** How much a long body damps its words. A turn is long because much is said, a document because much is in it. */
const TURN_DAMPING = 0.5;
const DOCUMENT_DAMPING = 0.75;
/** What a word counts in the title, the written date, the speaker's name, a resolved relative date, as a character within a run. */
const FIELD_WEIGHTS = [1, 1, 0.6, 0.5, 0.5, 1];
const BODY = 0;

/** A place that words speak for. */
export interface LexicalHit {
  /** Null: no word of its own matches, only its neighbours', and only its place is known. */
  n: number | null;
  document: number;
  position: number;
  flags: number;
  /** 1: as if every word of the query stood once in a body of average length. */
  strength: number;
}

interface Scored extends KeywordMatch {
  /** Each term's weighted frequency over the fields, and how often it stands in the body. */
  weights: Float64Array;
  words: Float64Array;
}

/** Calls `visit` with what each field of a match gives to each term. */
export function visitFields(
  match: KeywordMatch,
  averageTokens: number,
  visit: (term: number, field: number, weight: number, frequency: number) => void,
): void {
  const damping = isConversation(match.flags) ? TURN_DAMPING : DOCUMENT_DAMPING;
  const bodyWeight = 1 / (1 - damping + (damping * match.bodyTokens) / averageTokens);
  for (const { term, field, frequency } of match.held) {
    const weight = field === BODY ? bodyWeight : (FIELD_WEIGHTS[field] ?? 0);
    visit(term, field, weight * frequency, frequency);
  }
}

function readMatch(match: KeywordMatch, width: number, averageTokens: number): Scored {
  const weights = new Float64Array(width);
  const words = new Float64Array(width);
  visitFields(match, averageTokens, (term, field, weight, frequency) => {
    weights[term] = (weights[term] ?? 0) + weight;
    if (field === BODY) words[term] = (words[term] ?? 0) + frequency;
  });
  return { ...match, weights, words };
}

function addTo(sum: Float64Array, more: Float64Array): void {
  for (let term = 0; term < sum.length; term++) sum[term] = (sum[term] ?? 0) + (more[term] ?? 0);
}

/** Null: it is no message. */
function placeOf({ document, position, flags }: KeywordMatch, threads: Threads): Place | null {
  return isConversation(flags) || threads.isMessage(document) ? threads.inRun(document, position) : null;
}

function messagesOf(matches: readonly Scored[], threads: Threads): Map<number, Message> {
  const messages = new Map<number, Message>();
  for (const match of matches) {
    const place = placeOf(match, threads);
    if (place === null) continue;
    const { flags, messageTokens, words } = match;
    const key = placeKey(place.document, place.position);
    const known = messages.get(key);
    if (known) addTo(known.words, words);
    else {
      const endsDocument = threads.endsDocument(match.document, match.position);
      const own = { flags, tokens: messageTokens, words: words.slice(), endsDocument };
      messages.set(key, { ...place, ...own });
    }
  }
  return messages;
}

/** The user's message borrows from the reply, never one reply from the next. */
const mayBorrow = (match: Scored, from: Lent): boolean =>
  !(isAssistant(match.flags) && !isAssistant(from.flags));

function borrow(matches: readonly Scored[], lent: ReadonlyMap<number, Lent>, threads: Threads): void {
  for (const match of matches) {
    const place = placeOf(match, threads);
    const from = place === null ? undefined : lent.get(placeKey(place.document, place.position));
    if (from && mayBorrow(match, from)) addTo(match.weights, from.words);
  }
}

/** A place with the weight of each term there, lent ones included. */
export interface Weighed {
  n: number | null;
  document: number;
  position: number;
  flags: number;
  weights: Float64Array;
}

const withoutOwnWords = (
  lent: Map<number, Lent>,
  messages: Map<number, Message>,
  threads: Threads,
): Weighed[] =>
  [...lent].flatMap(([key, { flags, words, ...inRun }]) => {
    const place = messages.has(key) ? null : threads.inDocument(inRun);
    return place === null ? [] : [{ n: null, ...place, flags, weights: words }];
  });

function countHolding(rows: readonly { weights: Float64Array }[], width: number): Float64Array {
  const counts = new Float64Array(width);
  for (const { weights } of rows) {
    for (let term = 0; term < width; term++)
      if ((weights[term] ?? 0) > 0) counts[term] = (counts[term] ?? 0) + 1;
  }
  return counts;
}

/**
 * How many chunks of the container hold a term, lent words included. Where only some of its matches are at hand (a
 * restriction, the best few of a large scope), these tell how far a term spreads and the count tells how often it stands.
 */
function frequencyInContext(counted: number, own: number, spread: number): number {
  return own === 0 ? counted : Math.max(spread, (counted * spread) / own);
}

/** The rarity of each term in the container, neighbours included, times how often the query says it. */
function importance(
  found: KeywordMatches,
  question: Question,
  own: Float64Array,
  spread: Float64Array,
  rarity: Rarity,
): Float64Array {
  return Float64Array.from(question.terms, (term, at) => {
    const frequency = frequencyInContext(found.frequencies[at] ?? 0, own[at] ?? 0, spread[at] ?? 0);
    return rarity(term, Math.min(frequency, found.chunks), found.chunks) * (question.repeats[at] ?? 1);
  });
}

/** Of a term of weight 1: 1 where it stands once in a body of average length, and never much more. */
export const saturated = (weight: number): number => (weight * (K1 + 1)) / (weight + K1);

function scoreOf(weights: Float64Array, terms: Float64Array): number {
  let score = 0;
  for (let at = 0; at < terms.length; at++) {
    const weight = weights[at] ?? 0;
    if (weight > 0) score += (terms[at] ?? 0) * saturated(weight);
  }
  return score;
}

/** The matches that hold the rarest words, where there are more than `limit`. */
export function mostTelling(
  found: KeywordMatches,
  question: Question,
  limit: number,
  rarity: Rarity = rarityOf,
): readonly KeywordMatch[] {
  if (found.matches.length <= limit) return found.matches;
  const tells = question.terms.map((term, at) => rarity(term, found.frequencies[at] ?? 0, found.chunks));
  const telling = found.matches.map((match) => {
    const held = new Set(match.held.map(({ term }) => term));
    return { match, told: [...held].reduce((sum, term) => sum + (tells[term] ?? 0), 0) };
  });
  return telling
    .sort((a, b) => b.told - a.told)
    .slice(0, limit)
    .map(({ match }) => match);
}

export interface Weighing {
  rows: readonly Weighed[];
  /** How much each term tells. */
  terms: Float64Array;
  /** What a place reaches that holds each of them once: words that nobody said count in it. */
  ideal: number;
}

/** Every place that the query's words speak for; of more than `limit` matches only the most telling count. */
export function weigh(
  found: KeywordMatches,
  question: Question,
  limit: number,
  rarity: Rarity = rarityOf,
  threads: Threads = NO_THREADS,
): Weighing {
  const width = question.terms.length;
  const matches = mostTelling(found, question, limit, rarity).map((match) =>
    readMatch(match, width, found.averageBodyTokens),
  );
  const own = countHolding(matches, width);
  const messages = messagesOf(matches, threads);
  const lent = lendBetweenTurns(messages.values(), found.averageMessageTokens);
  borrow(matches, lent, threads);
  lendBetweenPieces(matches.filter((match) => !isConversation(match.flags)));
  const rows: Weighed[] = [...matches, ...withoutOwnWords(lent, messages, threads)];
  const terms = importance(found, question, own, countHolding(rows, width), rarity);
  return { rows, terms, ideal: terms.reduce((sum, term) => sum + term, 0) };
}

/** The same, best first. */
export function rankByWords(
  found: KeywordMatches,
  question: Question,
  limit: number,
  rarity: Rarity = rarityOf,
  threads: Threads = NO_THREADS,
): LexicalHit[] {
  const { rows, terms, ideal } = weigh(found, question, limit, rarity, threads);
  return rows
    .map(({ n, document, position, flags, weights }) => ({
      n,
      document,
      position,
      flags,
      strength: ideal > 0 ? scoreOf(weights, terms) / ideal : 0,
    }))
    .sort((a, b) => b.strength - a.strength);
}
