// Orders candidates by evidence and priors: one result for each message, and no text twice.
import { isConversation } from '../../../core/chunks/chunk-flags.ts';
import { likelyAnswer } from '../evidence/likely-answer.ts';
import { positionKey } from '../evidence/neighbour-words.ts';
import type { ParsedQuery } from '../query/parse-query.ts';
import type { Scorer } from '../similarity/scorer.ts';
import type { SearchCandidate } from './candidate.ts';
import type { PooledCandidate } from './candidate-pool.ts';
import { createTextSet } from './duplicate-texts.ts';
import { combinedPrior, namedSpeaker } from './priors.ts';
import { shownSimilarity } from './shown-similarity.ts';

export interface RankedCandidate<Candidate extends SearchCandidate> {
  candidate: Candidate;
  /** Decides the order within one search. */
  evidence: number;
  /** Rises with the evidence, 0–1: decides the order among results of several searches. */
  order: number;
  /** The order of a candidate for which nothing speaks. */
  floor: number;
  /** Shown to callers and compared with thresholds: the order, or more among few memories and where meaning alone is worth more. */
  similarity: number;
  /** The similarity without the leniency among few memories. */
  sure: number;
}

/** The better part stands for a long message; pieces of a document stand for themselves. */
const onePerMessage = <Candidate extends SearchCandidate>(
  ranked: readonly RankedCandidate<Candidate>[],
): RankedCandidate<Candidate>[] => {
  const seen = new Set<number>();
  return ranked.filter(({ candidate }) => {
    if (!isConversation(candidate.flags)) return true;
    const key = positionKey(candidate.document.n, candidate.position);
    return !seen.has(key) && seen.add(key);
  });
};

const onePerText = <Candidate extends SearchCandidate>(
  ranked: readonly RankedCandidate<Candidate>[],
): RankedCandidate<Candidate>[] => {
  const seen = createTextSet();
  return ranked.filter(({ candidate }) => seen.add(candidate.text));
};

/** One result for each message, no text twice. */
export const withoutDuplicates = <Candidate extends SearchCandidate>(
  ranked: readonly RankedCandidate<Candidate>[],
): RankedCandidate<Candidate>[] => onePerText(onePerMessage(ranked));

export interface RankInput<Candidate extends SearchCandidate> {
  readonly scorer: Scorer;
  readonly query: ParsedQuery;
  readonly pool: readonly PooledCandidate[];
  /** The candidates of the pool that the scope and the restriction allow. */
  readonly candidates: readonly Candidate[];
}

/** Best first. */
export const rankCandidates = <Candidate extends SearchCandidate>({
  scorer,
  query,
  pool,
  candidates,
}: RankInput<Candidate>): RankedCandidate<Candidate>[] => {
  const strengths = new Map(pool.map((pooled) => [pooled.n, pooled]));
  const priorContext = { query, named: namedSpeaker(query, candidates) };
  const likely = likelyAnswer(query);
  const ranked = candidates.flatMap((candidate) => {
    const known = strengths.get(candidate.n);
    if (!known) return [];
    const evidence = scorer.evidence(known, candidate.flags, combinedPrior(candidate, priorContext));
    const order = scorer.similarity(evidence, candidate.flags);
    const floor = scorer.similarity(scorer.nothing, candidate.flags);
    const shown = shownSimilarity({ scorer, query, likely }, candidate, { ...known, evidence, order });
    return [{ candidate, evidence, order, floor, ...shown }];
  });
  ranked.sort((a, b) => b.order - a.order || b.evidence - a.evidence || a.candidate.n - b.candidate.n);
  return withoutDuplicates(ranked);
};
