// The evidence of words: BM25F over the stored fields, each chunk in the context of its neighbours.
import type { KeywordMatch, KeywordMatches } from '../../../adapters/store/ports/search.ts';
import { isAssistant, isConversation } from '../../../core/chunks/chunk-flags.ts';
import type { ParsedQuery } from '../query/parse-query.ts';
import { type TermRarity, termRarity } from '../words/rarity.ts';
import {
  type MatchedMessage,
  type NeighbourWords,
  positionKey,
  shareBetweenPieces,
  shareBetweenTurns,
} from './neighbour-words.ts';
import { NO_THREADS, type ThreadPosition, type Threads } from './threads.ts';

/** Saturation of a term: the smaller, the sooner a repetition adds nothing. */
const K1 = 1.2;
/** Damping by body length. A turn is long because much is said in it, a document because it covers much. */
const TURN_DAMPING = 0.5;
const DOCUMENT_DAMPING = 0.75;
/** Weight of a word in: body, title, written date, speaker's name, resolved relative date, character within a run, stem. */
const FIELD_WEIGHTS = [1, 1, 0.6, 0.5, 0.5, 1, 0.9];
const BODY = 0;
const STEMS = 6;

/** The matches of one query, and everything that decides their weight. */
export interface LexicalSearch {
  readonly found: KeywordMatches;
  readonly query: ParsedQuery;
  /** The most matches that are weighed; of more, those with the rarest words. */
  readonly limit: number;
  /** Default: the rarity among passages. */
  readonly rarity?: TermRarity | undefined;
  /** Default: no document belongs to a thread. */
  readonly threads?: Threads;
}

/** A position that words speak for. */
export interface LexicalHit {
  /** Null: no word of its own matches, only words of its neighbours, and only its position is known. */
  n: number | null;
  document: number;
  position: number;
  flags: number;
  /** 1: as if every word of the query stood once in a body of average length. */
  strength: number;
}

interface WeighedMatch extends KeywordMatch {
  /** The weighted frequency of each term over the fields. */
  weights: Float64Array;
  /** The frequency of each term in the body. */
  words: Float64Array;
}

/** A stem repeats what a word in the body says, so it counts only where the word stands in another form. */
const countedOnce = (held: KeywordMatch['held']): KeywordMatch['held'] => {
  if (!held.some(({ field }) => field === STEMS)) return held;
  const inBody = new Set(held.flatMap(({ term, field }) => (field === BODY ? [term] : [])));
  return held.filter(({ term, field }) => field !== STEMS || !inBody.has(term));
};

/** Calls `visit` with the weight that each field of a match gives to each term. */
export const visitFields = (
  match: KeywordMatch,
  averageTokens: number,
  visit: (term: number, field: number, weight: number, frequency: number) => void,
): void => {
  const damping = isConversation(match.flags) ? TURN_DAMPING : DOCUMENT_DAMPING;
  const bodyWeight = 1 / (1 - damping + (damping * match.bodyTokens) / averageTokens);
  for (const { term, field, frequency } of countedOnce(match.held)) {
    const weight = (FIELD_WEIGHTS[field] ?? 0) * (field === BODY || field === STEMS ? bodyWeight : 1);
    visit(term, field, weight * frequency, frequency);
  }
};

const weighMatch = (match: KeywordMatch, width: number, averageTokens: number): WeighedMatch => {
  const weights = new Float64Array(width);
  const words = new Float64Array(width);
  visitFields(match, averageTokens, (term, field, weight, frequency) => {
    weights[term] = (weights[term] ?? 0) + weight;
    if (field === BODY || field === STEMS) words[term] = (words[term] ?? 0) + frequency;
  });
  return { ...match, weights, words };
};

const addWeights = (sum: Float64Array, more: Float64Array): void => {
  for (let term = 0; term < sum.length; term++) sum[term] = (sum[term] ?? 0) + (more[term] ?? 0);
};

/** Null: the match is no message. */
const messagePosition = (
  { document, position, flags }: KeywordMatch,
  threads: Threads,
): ThreadPosition | null =>
  isConversation(flags) || threads.isMessage(document) ? threads.inRun(document, position) : null;

const matchedMessages = (matches: readonly WeighedMatch[], threads: Threads): Map<number, MatchedMessage> => {
  const messages = new Map<number, MatchedMessage>();
  for (const match of matches) {
    const inRun = messagePosition(match, threads);
    if (inRun === null) continue;
    const { flags, messageTokens, words } = match;
    const key = positionKey(inRun.document, inRun.position);
    const known = messages.get(key);
    if (known) addWeights(known.words, words);
    else {
      const endsDocument = threads.endsDocument(match.document, match.position);
      const own = { flags, tokens: messageTokens, words: words.slice(), endsDocument };
      messages.set(key, { ...inRun, ...own });
    }
  }
  return messages;
};

/** A user's message takes words from the reply to it; a reply takes none from another reply. */
const mayTakeWords = (match: WeighedMatch, from: NeighbourWords): boolean =>
  !(isAssistant(match.flags) && !isAssistant(from.flags));

const addNeighbourWords = (
  matches: readonly WeighedMatch[],
  shared: ReadonlyMap<number, NeighbourWords>,
  threads: Threads,
): void => {
  for (const match of matches) {
    const inRun = messagePosition(match, threads);
    const from = inRun === null ? undefined : shared.get(positionKey(inRun.document, inRun.position));
    if (from && mayTakeWords(match, from)) addWeights(match.weights, from.words);
  }
};

/** A position with the weight of each term there, the neighbours' words included. */
export interface WeighedPosition {
  n: number | null;
  document: number;
  position: number;
  flags: number;
  weights: Float64Array;
}

const positionsWithoutOwnWords = (
  shared: Map<number, NeighbourWords>,
  messages: Map<number, MatchedMessage>,
  threads: Threads,
): WeighedPosition[] =>
  [...shared].flatMap(([key, { flags, words, ...inRun }]) => {
    const inDocument = messages.has(key) ? null : threads.inDocument(inRun);
    return inDocument === null ? [] : [{ n: null, ...inDocument, flags, weights: words }];
  });

const countMatching = (rows: readonly { weights: Float64Array }[], width: number): Float64Array => {
  const counts = new Float64Array(width);
  for (const { weights } of rows) {
    for (let term = 0; term < width; term++)
      if ((weights[term] ?? 0) > 0) counts[term] = (counts[term] ?? 0) + 1;
  }
  return counts;
};

/**
 * The number of chunks of the container that hold a term, neighbours' words included. With only some of its matches at
 * hand (a restriction, the best few of a large scope), these show how far a term spreads and `counted` how often it stands.
 */
const frequencyInContext = (counted: number, own: number, spread: number): number =>
  own === 0 ? counted : Math.max(spread, (counted * spread) / own);

/** The rarity of each term in the container, neighbours included, times its frequency in the query. */
const termImportance = (
  { found, query, rarity = termRarity }: LexicalSearch,
  own: Float64Array,
  spread: Float64Array,
): Float64Array =>
  Float64Array.from(query.terms, (term, at) => {
    const frequency = frequencyInContext(found.frequencies[at] ?? 0, own[at] ?? 0, spread[at] ?? 0);
    return rarity(term, Math.min(frequency, found.chunks), found.chunks) * (query.repeats[at] ?? 1);
  });

/** For a term of weight 1: 1 where it stands once in a body of average length, and never much more. */
export const saturatedWeight = (weight: number): number => (weight * (K1 + 1)) / (weight + K1);

const weighedScore = (weights: Float64Array, terms: Float64Array): number => {
  let score = 0;
  for (let at = 0; at < terms.length; at++) {
    const weight = weights[at] ?? 0;
    if (weight > 0) score += (terms[at] ?? 0) * saturatedWeight(weight);
  }
  return score;
};

/** The matches that hold the rarest words, where there are more than `limit`. */
export const rarestMatches = ({
  found,
  query,
  limit,
  rarity = termRarity,
}: LexicalSearch): readonly KeywordMatch[] => {
  if (found.matches.length <= limit) return found.matches;
  const rarities = query.terms.map((term, at) => rarity(term, found.frequencies[at] ?? 0, found.chunks));
  const scored = found.matches.map((match) => {
    const held = new Set(match.held.map(({ term }) => term));
    return { match, score: [...held].reduce((sum, term) => sum + (rarities[term] ?? 0), 0) };
  });
  return scored
    .sort((a, b) => b.score - a.score)
    .slice(0, limit)
    .map(({ match }) => match);
};

export interface WeighedMatches {
  rows: readonly WeighedPosition[];
  /** The importance of each term. */
  terms: Float64Array;
  /** The score of a position that holds each term once: words that no chunk holds count in it. */
  ideal: number;
}

/** Every position that the query's words speak for. */
export const weighMatches = (search: LexicalSearch): WeighedMatches => {
  const { found, query, threads = NO_THREADS } = search;
  const width = query.terms.length;
  const matches = rarestMatches(search).map((match) => weighMatch(match, width, found.averageBodyTokens));
  const own = countMatching(matches, width);
  const messages = matchedMessages(matches, threads);
  const shared = shareBetweenTurns(messages.values(), found.averageMessageTokens);
  addNeighbourWords(matches, shared, threads);
  shareBetweenPieces(matches.filter((match) => !isConversation(match.flags)));
  const rows: WeighedPosition[] = [...matches, ...positionsWithoutOwnWords(shared, messages, threads)];
  const terms = termImportance(search, own, countMatching(rows, width));
  return { rows, terms, ideal: terms.reduce((sum, term) => sum + term, 0) };
};

/** Every position that the query's words speak for, best first. */
export const rankByWords = (search: LexicalSearch): LexicalHit[] => {
  const { rows, terms, ideal } = weighMatches(search);
  return rows
    .map(({ n, document, position, flags, weights }) => ({
      n,
      document,
      position,
      flags,
      // Every term has a positive rarity, and there are no rows without terms.
      strength: weighedScore(weights, terms) / ideal,
    }))
    .sort((a, b) => b.strength - a.strength);
};
