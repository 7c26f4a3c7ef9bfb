// The scorer: fuses words and meaning into evidence, and turns evidence into a similarity from 0 to 1. It never looks at
// the other results of a query, so a threshold means the same in every search.
import type { UnitKind } from '../../../adapters/store/ports/filters.ts';
import type { Calibration, Curve, MeaningCurve } from '../../../adapters/store/ports/spaces.ts';
import { FLAG, isConversation } from '../../../core/chunks/chunk-flags.ts';
import { logit, onCurve, sigmoid } from './logistic.ts';

/** The evidence that a search uses. */
export type EvidenceBasis = 'words' | 'meaning' | 'both';

export interface EvidenceStrengths {
  /** 1: as if every word of the query stood once in a text of average length. */
  words: number;
  /** Null: the chunk has no vector, or the search uses none. */
  cosine: number | null;
  /** The characters of the text; undefined: it was not read yet, and counts as a short one. */
  length?: number;
}

/** The weight of the builtin embedder. */
const DEFAULT_WEIGHT = 0.2;

/**
 * Fitted on the calibration cases; scorer.test.ts fits them again and fails when they differ.
 * The more meaning weighs, the larger the sum grows, so the curve widens and moves with the weight.
 */
const BY_WORDS: Curve = { slope: 9.5, middle: 0.398 };
const WIDENING = 0.7;
const MOVING = 0.41;

const byBoth = (weight: number): Curve => ({
  slope: BY_WORDS.slope / (1 + WIDENING * weight),
  middle: BY_WORDS.middle + MOVING * weight,
});

/** The same in a trusted space, where words that match by chance count less. Fitted with weights from 0.25 to 1. */
const byTrustedBoth = (weight: number): Curve => ({
  slope: 13.8 / (1 + 1.91 * weight),
  middle: 0.23 + 0.5 * weight,
});

const curveFor = (flags: number, calibration: Calibration): MeaningCurve =>
  isConversation(flags) ? (calibration.inContext ?? calibration) : calibration;

/**
 * A long message says several things, and its vector is the mean of them: the cosine with a question means less than that of
 * a short one. A passage of a document keeps to one matter. Measured for models on this machine
 * (docs/decisions/0010-models-on-this-machine.md), whose weight is less in all that was stated.
 */
const LONGEST_REMARK = 250;

const shareOfLength = (characters: number): number => Math.min(1, LONGEST_REMARK / Math.max(1, characters));

/** A turn has the vector of its neighbours too, and a memory names whom it is about: both make vectors alike without an answer. */
const weightFor = (
  isStated: boolean,
  characters: number,
  { weight = DEFAULT_WEIGHT, statedWeight = weight }: Calibration,
): number => {
  if (!isStated || statedWeight === weight) return weight;
  return statedWeight * shareOfLength(characters);
};

/** The probability that a cosine means relatedness in its space, 0–1. */
const relevanceOfCosine = (cosine: number | null, flags: number, calibration: Calibration): number =>
  cosine === null ? 0 : onCurve(curveFor(flags, calibration), cosine);

/** The same where nothing but meaning speaks for the passage. */
const relevanceAlone = (cosine: number | null, flags: number, calibration: Calibration): number => {
  if (cosine === null) return 0;
  const { slope, middle, aloneMiddle } = curveFor(flags, calibration);
  return onCurve({ slope, middle: aloneMiddle ?? middle }, cosine);
};

/**
 * A space whose meaning weighs at least this much is trusted: there, strong meaning without a common word passes the default
 * threshold. The order stays that of all evidence, because an order by meaning alone costs LoCoMo 2 points of recall@10. A
 * turn of a conversation has the vector of its neighbours too, so that meaning alone says less about it.
 */
const TRUSTED = 0.2;
export const DEFAULT_THRESHOLD = 0.6;
const SHARE_ABOVE = 0.25;

/**
 * In a trusted space: a few words of the query in a text of another meaning are there by chance. More matching words are less
 * likely so, and a text with all of them keeps them whole, because a name or a number has little meaning. Measured for models
 * on this machine (docs/decisions/0010-models-on-this-machine.md).
 */
const shareNotByChance = (words: number, terms: number, relevance: number): number => {
  const matching = Math.max(1, words * terms);
  return 1 - ((1 - relevance) * Math.max(0, 1 - words ** 2)) / matching;
};

const passing = (alone: number): number =>
  alone < DEFAULT_THRESHOLD ? 0 : DEFAULT_THRESHOLD + SHARE_ABOVE * (alone - DEFAULT_THRESHOLD);

/**
 * The more chunks are searched, the likelier one looks alike by chance: the same evidence means less among two hundred
 * chunks than among twelve. Measured on the calibration cases from twelve passages to all of them, and not carried
 * further, so that a growing store does not push its memories below the threshold.
 */
const CHANCE_GROWTH = 0.44;
const FEWEST_CHUNKS = 12;
const MOST_CHUNKS = 192;

const chanceOdds = (chunks: number): number =>
  CHANCE_GROWTH * Math.log(Math.min(MOST_CHUNKS, Math.max(FEWEST_CHUNKS, chunks)) / MOST_CHUNKS);

/**
 * Among few memories the answer is likely one of them, and a missed fact is worse than a line too much: weak signs are enough,
 * the weaker the fewer they are. Fitted on memories in tags of one to forty (docs/decisions/0018-what-few-memories-return.md).
 * It decides what passes the default threshold, and never the order: a memory must not stand above a passage that says more.
 */
const EVIDENCE_AMONG_FEW = 2.4;
const ODDS_OF_ONE = 0.3;
const GROWTH_AMONG_FEW = 0.4;
const MEMORIES_PER_ODDS = 10;
/** Among more, no signs are strong enough. */
const MOST_MEMORIES = 100;

const oddsAmongFew = (memories: number): number =>
  ODDS_OF_ONE - GROWTH_AMONG_FEW * Math.log(Math.max(1, memories)) - memories / MEMORIES_PER_ODDS;

/** Turns strengths into evidence and evidence into similarity, for one search. */
export interface Scorer {
  /** The weight of meaning against words in a text of this length, or in a short one; null: meaning alone counts. */
  weight(flags: number, length?: number): number | null;
  /** The probability that the cosine means relatedness, 0–1. */
  relevance(cosine: number | null, flags: number): number;
  /** The share of the strength of words that counts, 0–1: the rest matches by chance. */
  trust(strengths: EvidenceStrengths, flags: number): number;
  /** Decides the order of results: more is better, comparable only within one search and among texts of one kind. */
  evidence(strengths: EvidenceStrengths, flags: number, prior: number): number;
  /** The evidence of a candidate for which nothing speaks. */
  nothing: number;
  /** Rises with the evidence, 0–1, and is comparable between kinds of texts and between searches. */
  similarity(evidence: number, flags: number): number;
  /**
   * True: among few memories this one passes the default threshold. `likely`: the odds that other signs than the evidence
   * add.
   */
  passesAmongFew(evidence: number, likely: () => number): boolean;
  /** The similarity that meaning is worth without a common word, 0–1: it decides what is returned, and never the order. */
  similarityAlone(cosine: number | null, flags: number): number;
}

export interface ComparedThings {
  /** The things that the query compares by their words. Memories state what passages say, so these are no others. */
  readonly things: number;
  /** The vectors of all of them: each is a chance of its own to look alike. Default: one for each thing. */
  readonly vectors?: number;
  /** The words of the query. Default: one. */
  readonly terms?: number;
}

export const createScorer = (
  basis: EvidenceBasis,
  calibration: Calibration | null,
  { things, vectors = things, terms = 1 }: ComparedThings,
  units: UnitKind = 'chunks',
): Scorer => {
  const isStated = (flags: number): boolean => units === 'memories' || isConversation(flags);
  const weight = (flags: number, length = 0): number =>
    basis === 'words' || calibration === null ? 0 : weightFor(isStated(flags), length, calibration);
  const meaning = (cosine: number | null, flags: number) =>
    calibration === null ? 0 : relevanceOfCosine(cosine, flags, calibration);
  const alone = (cosine: number | null, flags: number) =>
    calibration === null ? 0 : relevanceAlone(cosine, flags, calibration);
  const chance = chanceOdds(things);
  const chanceAlone = chanceOdds(vectors);
  if (basis === 'meaning')
    return {
      weight: () => null,
      relevance: meaning,
      trust: () => 0,
      evidence: ({ cosine }, flags, prior) => logit(alone(cosine, flags)) + Math.log(prior),
      nothing: Number.NEGATIVE_INFINITY,
      similarity: (evidence) => sigmoid(evidence - chanceAlone),
      passesAmongFew: () => false,
      similarityAlone: () => 0,
    };
  const isTrusted = (flags: number): boolean => weight(flags) >= TRUSTED && !isConversation(flags);
  const curves = {
    turn: byBoth(weight(FLAG.conversation)),
    other: isTrusted(0) ? byTrustedBoth(weight(0)) : byBoth(weight(0)),
  };
  const oddsOf = (evidence: number, flags: number): number => {
    const { slope, middle } = isConversation(flags) ? curves.turn : curves.other;
    return slope * (evidence - middle);
  };
  const trust = ({ words, cosine }: EvidenceStrengths, flags: number): number =>
    cosine !== null && isTrusted(flags) ? shareNotByChance(words, terms, meaning(cosine, flags)) : 1;
  return {
    weight,
    relevance: meaning,
    trust,
    evidence: (strengths, flags, prior) => {
      const { words, cosine, length } = strengths;
      const weighs = weight(flags, length);
      const meant = weighs > 0 ? weighs * meaning(cosine, flags) : 0;
      return (words * trust(strengths, flags) + meant) * prior;
    },
    nothing: 0,
    similarity: (evidence, flags) => sigmoid(oddsOf(evidence, flags) - chance),
    passesAmongFew: (evidence, likely) =>
      units === 'memories' &&
      things <= MOST_MEMORIES &&
      EVIDENCE_AMONG_FEW * evidence + likely() + oddsAmongFew(things) >= 0,
    similarityAlone: (cosine, flags) =>
      isTrusted(flags) ? passing(sigmoid(logit(alone(cosine, flags)) - chanceAlone)) : 0,
  };
};
