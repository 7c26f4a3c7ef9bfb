// The one place where evidence becomes a number from 0 to 1. It never looks at the other results of a query, so that a
// threshold means the same in every search.
import type { Calibration } from '../../adapters/store/port.ts';
import { isConversation } from './flags.ts';
import { type Curve, logit, onCurve, sigmoid } from './logistic.ts';

/** What a result is judged by: the words, the meaning, or both. */
export type Basis = 'words' | 'meaning' | 'both';

export interface Strengths {
  /** 1: as if every word of the query stood once in a text of average length. */
  words: number;
  /** Null: the chunk has no vector, or none is asked for. */
  cosine: number | null;
}

/** The builtin embedder's. */
const USUAL_WEIGHT = 0.2;

/**
 * Fitted on the built-in questions; test/domain/search/similarity.test.ts fits them again and fails when they are off.
 * With meaning of any weight the sum grows, so the curve widens and moves with it.
 */
const BY_WORDS: Curve = { slope: 9.5, middle: 0.389 };
const WIDENING = 0.95;
const MOVING = 0.375;

const byBoth = (weight: number): Curve => ({
  slope: BY_WORDS.slope / (1 + WIDENING * weight),
  middle: BY_WORDS.middle + MOVING * weight,
});

/** How likely a cosine means relatedness, in its own space, 0–1. */
function meaningOf(cosine: number | null, flags: number, calibration: Calibration): number {
  if (cosine === null) return 0;
  return onCurve(isConversation(flags) ? (calibration.inContext ?? calibration) : calibration, cosine);
}

/**
 * Where there is more to search, something that looks alike by chance is likelier: the same evidence means less among
 * two hundred chunks than among twelve. Measured on the built-in questions from twelve passages to all of them, and not
 * carried further, so that a growing store does not push its memories below the threshold.
 */
const CHANCE_GROWTH = 0.44;
const FEWEST_CHUNKS = 12;
const MOST_CHUNKS = 192;

const chanceOdds = (chunks: number): number =>
  CHANCE_GROWTH * Math.log(Math.min(MOST_CHUNKS, Math.max(FEWEST_CHUNKS, chunks)) / MOST_CHUNKS);

/** Turns strengths into evidence and evidence into similarity, for one search. */
export interface Judge {
  /** How much meaning counts beside words; null: it alone counts. */
  weight: number | null;
  /** How likely the cosine means relatedness, 0–1. */
  relevance(cosine: number | null, flags: number): number;
  /** What results are ranked by: more is better, comparable only within one search. */
  evidence(strengths: Strengths, flags: number, prior: number): number;
  /** Rises with the evidence, 0–1. */
  similarity(evidence: number): number;
}

/** `chunks`: how many the search has before it. */
export function createJudge(basis: Basis, calibration: Calibration | null, chunks: number): Judge {
  const weight = basis === 'words' || calibration === null ? 0 : (calibration.weight ?? USUAL_WEIGHT);
  const meaning = (cosine: number | null, flags: number) =>
    calibration === null ? 0 : meaningOf(cosine, flags, calibration);
  const chance = chanceOdds(chunks);
  if (basis === 'meaning')
    return {
      weight: null,
      relevance: meaning,
      evidence: ({ cosine }, flags, prior) => logit(meaning(cosine, flags)) + Math.log(prior),
      similarity: (evidence) => sigmoid(evidence - chance),
    };
  const { slope, middle } = byBoth(weight);
  return {
    weight,
    relevance: meaning,
    evidence: ({ words, cosine }, flags, prior) =>
      (words + (weight > 0 ? weight * meaning(cosine, flags) : 0)) * prior,
    similarity: (evidence) => sigmoid(slope * (evidence - middle) - chance),
  };
}
